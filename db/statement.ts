import { fillPlaceholders, type Query, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { planned } from './client.ts';

const dialect = new PgDialect({ casing: 'snake_case' });

/** A whole number as part of a statement's text. */
export function literal(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`);
  return sql.raw(String(value));
}

/** Runs a read that is planned once, for any of its values (`planned` of `db/client.ts`). */
export async function executePlanned<Row extends object>(query: SQL): Promise<Row[]> {
  const rows: readonly unknown[] = await planned().db.execute(query);
  return rows as Row[];
}

/**
 * A statement of a page that is written once per language, and planned once per connection. Writing and planning our
 * long statements anew takes several times as long as running them. Values come by `sql.placeholder('name')`; limits
 * must be literals (`literal(3)`), because a plan for any limit reads whole tables.
 */
export function statement<Row extends object, Values extends Record<string, unknown>>(
  write: (language: Lang) => SQL,
): (language: Lang, values: Values) => Promise<Row[]> {
  const written = new Map<Lang, Query>();
  return async (language, values) => {
    let query = written.get(language);
    if (!query) {
      query = dialect.sqlToQuery(write(language));
      written.set(language, query);
    }
    const parameters = fillPlaceholders(query.params, values) as (string | number | null)[];
    return planned().sql.unsafe<Row[]>(query.sql, parameters, { prepare: true });
  };
}
