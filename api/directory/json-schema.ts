import { isObject } from '../input.ts';
import { DirectoryFile } from './model.ts';
import { strictStarDocument } from './rows.ts';

/**
 * The contract of a directory's file as a JSON Schema, for those who make one.
 * @param address where it is served
 */
export function directorySchema(address: string): Record<string, unknown> {
  const { $schema, format, version, stars } = DirectoryFile.properties;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: address,
    title: 'A directory of stars',
    type: 'object',
    required: DirectoryFile.required,
    additionalProperties: false,
    properties: plain({ $schema, format, version, stars: { ...stars, items: strictStarDocument } }),
  };
}

/** A schema without what only our own checks read. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, each]) => name !== 'error' || typeof each !== 'string',
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, plain(each)]));
}
