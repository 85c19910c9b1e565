import type { TSchema } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { BadInput } from '../errors.ts';
import { isObject } from '../input.ts';

/**
 * A hook of a route before its body is checked: a field that is misspelt is refused, where Elysia would drop it in silence. The
 * closed contract by which files are read would refuse an answer that is sent back, too.
 * @param known what the body may say, and what was answered of the same thing: whoever sends back what he read is not wrong
 * @returns a hook that throws BadInput with `unknown_field`
 */
const refuseUnknownFields =
  (known: readonly TSchema[]) =>
  ({ body }: { body: unknown }): void => {
    const field = unknownField(known, body, []);
    if (field) throw new BadInput(field, 'There is no such field.', 'unknown_field');
  };

/** `knownFields: [Body, Answer]` on a route of editors, behind its `role`: who may not ask is told that first. */
export const knownFields = new Elysia({ name: 'known-fields' }).macro({
  knownFields: (known: TSchema[]) => ({ transform: refuseUnknownFields(known) }),
});

/** The path of the first field that no schema has; what a caller made up is cut. */
function unknownField(
  schemas: readonly TSchema[],
  value: unknown,
  path: readonly (string | number)[],
): string | undefined {
  const options = schemas.flatMap(optionsOf);
  if (Array.isArray(value)) {
    const items = options.flatMap((schema): TSchema[] => (schema.type === 'array' ? [schema.items] : []));
    return firstOf(value.entries(), (item, place) => unknownField(items, item, [...path, place]));
  }
  const objects = options.filter(({ type }) => type === 'object');
  if (!isObject(value) || objects.length === 0) return undefined;
  return firstOf(Object.entries(value), (inner, name) => {
    const own = objects.flatMap((schema) => fieldOf(schema, name));
    const at = [...path, name];
    return own.length === 0 ? at.join('.').slice(0, 80) : unknownField(own, inner, at);
  });
}

const optionsOf = (schema: TSchema): TSchema[] => schema.anyOf?.flatMap(optionsOf) ?? [schema];

/** A record takes any name. */
const fieldOf = ({ properties = {}, patternProperties = {} }: TSchema, name: string): TSchema[] =>
  Object.hasOwn(properties, name) ? [properties[name]] : Object.values<TSchema>(patternProperties);

function firstOf<Key>(
  entries: Iterable<[Key, unknown]>,
  find: (value: unknown, key: Key) => string | undefined,
): string | undefined {
  for (const [key, value] of entries) {
    const found = find(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
