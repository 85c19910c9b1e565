import { type TLiteral, type TUnion, Type } from '@sinclair/typebox';
import { type TSchema, t } from 'elysia';

/** Building blocks that the models of several domains share. */

/**
 * A whole number in JSON. Elysia's own `t.Integer` also takes text such as `"0x10"` and costs a decoding per number, so
 * models use this one.
 */
export const integer = (options: { minimum?: number; maximum?: number } = {}) => Type.Integer(options);

type Literals<Values extends readonly string[]> = { -readonly [Key in keyof Values]: TLiteral<Values[Key]> };

/** One of a fixed list of words, with a sentence that names them. */
export function oneOf<const Values extends readonly string[]>(values: Values): TUnion<Literals<Values>> {
  const error = `Must be one of: ${values.join(', ')}.`;
  return t.Union(
    values.map((value) => t.Literal(value)),
    { error },
  ) as TUnion<Literals<Values>>;
}

export const nullable = <S extends TSchema>(schema: S) => t.Union([schema, t.Null()]);

/** Every error of the API (decision S8). */
export const ErrorAnswer = t.Object(
  {
    error: t.String({ description: 'A sentence for people.' }),
    code: t.String({ description: 'A stable word for programs.' }),
    field: t.Optional(t.String({ description: 'What in the request was wrong.' })),
    most: t.Optional(
      t.Number({
        description: 'The most that this field takes: characters, entries of a list, or a number.',
      }),
    ),
    least: t.Optional(t.Number({ description: 'The least that a number may be.' })),
    id: t.Optional(t.Number({ description: 'What is there already.' })),
    about: t.Optional(t.String({ description: 'What in a file is wrong, as the file calls it.' })),
    faults: t.Optional(
      t.Array(
        t.Object({
          error: t.String(),
          code: t.String(),
          field: t.String(),
          most: t.Optional(t.Number()),
          least: t.Optional(t.Number()),
        }),
        {
          description: 'All that is wrong, where that is more than one field; the first is told above, too.',
        },
      ),
    ),
    current: t.Optional(t.Unknown({ description: 'What stands now, of 409 `changed` and `in_use`.' })),
  },
  { description: 'The request could not be answered.' },
);
export type ErrorAnswer = typeof ErrorAnswer.static;

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429;
type Answers<S, Status extends number> = { 200: S } & Record<Status | 500 | 503, typeof ErrorAnswer>;

/** The `response` of a route: its answer, and the error shape for the statuses that callers must expect. */
export function answers<S extends TSchema, const Statuses extends readonly ErrorStatus[]>(
  schema: S,
  ...statuses: Statuses
): Answers<S, Statuses[number]> {
  const errors = Object.fromEntries([...statuses, 500, 503].map((status) => [status, ErrorAnswer]));
  return { ...errors, 200: schema } as Answers<S, Statuses[number]>;
}
