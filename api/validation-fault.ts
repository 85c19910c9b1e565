import type { ValueError } from '@sinclair/typebox/compiler';

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
