import type { ValueError } from '@sinclair/typebox/compiler';
import { BadInput } from './errors.ts';

/** What is wrong with a value that may be null, too: the error of such a union itself says only that neither fits. */
export function faultOf(error: ValueError): ValueError {
  const { anyOf } = error.schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return error;
  const fault = error.errors[0]?.First();
  return fault ? faultOf(fault) : error;
}

/** Between which numbers a field may be; undefined: it is no number, or has no ends. */
export function rangeOf({ type, minimum, maximum }: Record<string, unknown>): [number, number] | undefined {
  const isNumeric = type === 'integer' || type === 'number';
  return isNumeric && typeof minimum === 'number' && typeof maximum === 'number'
    ? [minimum, maximum]
    : undefined;
}

/** The same as a sentence of errors. */
export const rangeSentence = ([least, most]: [number, number]): string =>
  `Must be a number from ${least} to ${most}.`;

/**
 * A failed check of an input as a refusal of the field.
 * @param type part of the request, such as `body`
 */
export function inputFault(type: string, valueError: ValueError | undefined): BadInput {
  const fault = valueError && faultOf(valueError);
  const field = fault?.path.slice(1).replaceAll('/', '.') || type;
  const schema: Record<string, unknown> = fault?.schema ?? {};
  if (fault?.value === undefined) return new BadInput(field, 'Is required.', 'required');
  // What a field says about its length or form is no answer to a number.
  const isOtherType = schema.type === 'string' && typeof fault.value !== 'string';
  if (typeof schema.error === 'string' && !isOtherType) return new BadInput(field, schema.error);
  const { maxItems } = schema;
  if (Array.isArray(fault.value) && typeof maxItems === 'number' && fault.value.length > maxItems)
    return new BadInput(field, `Must have at most ${maxItems} entries.`, 'entries', maxItems);
  if (fault.value === '' && schema.minLength === 1) return new BadInput(field, 'Is required.', 'required');
  const { maxLength } = schema;
  // A form says these at its field; a parameter has no form.
  if (
    type === 'body' &&
    typeof fault.value === 'string' &&
    typeof maxLength === 'number' &&
    fault.value.length > maxLength
  )
    return new BadInput(field, sentence(schema, fault.value), 'long', maxLength);
  const range = rangeOf(schema);
  if (type === 'body' && range) return new BadInput(field, rangeSentence(range), 'range', range[1], range[0]);
  return new BadInput(field, sentence(schema, fault.value));
}

function sentence(schema: Record<string, unknown>, value: unknown): string {
  const { type, minLength, maxLength, minItems } = schema;
  if (type === 'string' && typeof value === 'string') {
    if (typeof minLength === 'number' && value.length < minLength)
      return `Must have at least ${minLength} characters.`;
    if (typeof maxLength === 'number' && value.length > maxLength)
      return `Must have at most ${maxLength} characters.`;
    return 'Has the wrong form.';
  }
  if (type === 'array' && Array.isArray(value)) {
    if (typeof minItems === 'number' && value.length < minItems)
      return `Must have at least ${minItems} entries.`;
  }
  const range = rangeOf(schema);
  if (range) return rangeSentence(range);
  return typeof type === 'string' ? `Must be of type ${type}.` : 'Is not one of the allowed values.';
}
