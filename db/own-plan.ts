import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { unprepared } from './client.ts';

const dialect = new PgDialect({ casing: 'snake_case' });

/**
 * Runs a statement that is planned for its own values. A prepared one would after some runs get a plan for any value,
 * which cannot know whether a word of a search is rare or common: then PostgreSQL reads whole tables. Searches also come
 * in too many shapes to keep each prepared.
 */
export async function executeWithOwnPlan<Row extends object>(query: SQL): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query);
  return unprepared().$client.unsafe<Row[]>(sql, params.map(parameter), { prepare: false });
}

function parameter(value: unknown): string | number | boolean | null {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return value;
  }
  throw new TypeError(`a ${typeof value} is no parameter of a search`);
}
