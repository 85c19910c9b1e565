import { fillPlaceholders, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from './client.ts';
import { together } from './together.ts';

const dialect = new PgDialect({ casing: 'snake_case' });

/** A whole number as part of a statement's text. */
export function literal(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`);
  return sql.raw(String(value));
}

/** A list of integers as a PostgreSQL array: one parameter, so that the statement is the same whatever its length. */
export const intArray = (ids: readonly number[]): SQL => sql`${`{${ids.join()}}`}::int[]`;

/** Limits that planned reads have in their text. */
const steps = [3, 10, 20, 50, 100];

/**
 * The first rows of a planned read. Its own limit stands in its text, rounded up to one of a few: a client that asks for every
 * number of rows would make each connection keep a plan for each.
 * @param read the ordered read, which puts the limit that it is given at its end
 * @param order of its rows
 */
export function firstRows(limit: number, read: (most: SQL) => SQL, order: SQL): SQL {
  const most = steps.find((step) => step >= limit) ?? limit;
  const rows = read(literal(most));
  return most === limit ? rows : sql`select * from (${rows}) bounded order by ${order} limit ${limit}`;
}

/** Runs a read that is planned once, for any of its values (`planned` of `db/client.ts`). */
export async function executePlanned<Row extends object>(query: SQL): Promise<Row[]> {
  const rows: readonly unknown[] = await database().execute(query);
  return rows as Row[];
}

/**
 * A statement whose text is made once, for what a busy process asks all the time: making it anew by Drizzle would cost as
 * much as asking.
 * @param query with a placeholder for each of `Values`
 */
export function fixed<Row extends object, Values extends Record<string, string | number>>(
  query: SQL,
): (values: Values) => Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return async (values) => {
    const parameters = fillPlaceholders(params, values) as (string | number)[];
    return database().$client.unsafe<Row[]>(text, parameters, { prepare: true });
  };
}

/** What one asks of a gathered read, by name. */
type Asked = Record<string, number | Date>;

/** More in one statement do not make it cheaper for each; while pages are made of one's rows, the other fetches. */
const manner = { most: 8, beside: 2, pause: 0 };

/**
 * A read of one row for a page, by one statement for all who ask while another is on its way (`together`): in a crowd
 * PostgreSQL spends half as much on each, because starting our long statement takes as long as running it. Written once per
 * language, planned once per connection: limits must be literals (`literal(3)`), because a plan for any limit reads whole
 * tables.
 * @param columns what is asked, with its type in PostgreSQL
 * @param write the statement: it selects `wanted.place` and what `Row` has from `asked`, a list of rows `wanted` with
 *   those columns and their place in it, each of which it answers with one row or none
 */
export function gathered<Row extends object, Values extends Asked>(
  columns: Record<keyof Values & string, 'int' | 'timestamptz'>,
  write: (language: Lang, asked: SQL) => SQL,
): (language: Lang, values: Values) => Promise<Row | undefined> {
  const names: (keyof Values & string)[] = Object.keys(columns);
  const arrays = names.map((name) => sql`${sql.placeholder(name)}::${sql.raw(columns[name])}[]`);
  const asked = sql`unnest(${sql.join(arrays, sql`, `)})
    with ordinality as wanted(${sql.raw(names.join())}, place)`;
  const reader = (language: Lang) => {
    const query = dialect.sqlToQuery(write(language, asked));
    return together<Values, Row | undefined>(async (all) => {
      const lists = names.map((name) => [name, arrayOf(all.map((values) => values[name]))]);
      const parameters = fillPlaceholders(query.params, Object.fromEntries(lists)) as (string | null)[];
      const rows = await database().$client.unsafe<(Row & { place: string })[]>(query.sql, parameters, {
        prepare: true,
      });
      const found = new Map(rows.map((row) => [Number(row.place), row]));
      return all.map((_, index) => found.get(index + 1));
    }, manner);
  };
  const readers = new Map<Lang, ReturnType<typeof reader>>();
  return (language, values) => {
    const known = readers.get(language) ?? reader(language);
    readers.set(language, known);
    return known(values);
  };
}

/**
 * A read of one row by its id, by one statement (or a few) for all who ask while another is on its way (`together`).
 * @param read the rows of these ids, in no order
 */
export function gatheredById<Row extends { id: number }>(
  read: (language: Lang, ids: readonly number[]) => Promise<Row[]>,
): (id: number, language: Lang) => Promise<Row | undefined> {
  const reader = (language: Lang) =>
    together<number, Row | undefined>(
      async (ids) => {
        const rows = new Map((await read(language, [...new Set(ids)])).map((row) => [row.id, row]));
        return ids.map((id) => rows.get(id));
      },
      { ...manner, most: 16 },
    );
  const readers = new Map<Lang, ReturnType<typeof reader>>();
  return (id, language) => {
    const known = readers.get(language) ?? reader(language);
    readers.set(language, known);
    return known(id);
  };
}

const arrayOf = (values: readonly (number | Date | undefined)[]): string =>
  `{${values.map((value) => (value instanceof Date ? value.toISOString() : value)).join()}}`;
