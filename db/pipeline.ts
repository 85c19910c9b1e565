import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';
import { connection } from './client.ts';

const dialect = new PgDialect({ casing: 'snake_case' });

/**
 * Runs two statements as one transaction and sends it as a whole: the way to the database and back is gone once, not once for
 * each of begin, the statements and commit. The second cannot use what the first answered.
 * @returns the rows of both, after the commit; @throws what hindered one of them, and then neither was done
 */
export async function pipelined<First extends object, Second extends object>(
  first: SQL,
  second: SQL,
): Promise<[First[], Second[]]> {
  const line = await connection().reserve();
  try {
    const outcomes = await Promise.allSettled([
      line.unsafe('begin'),
      send<First>(line, first),
      send<Second>(line, second),
      line.unsafe('commit'),
    ]);
    const [begun, one, other, committed] = outcomes;
    if (begun.status === 'rejected') throw begun.reason;
    if (one.status === 'rejected') throw one.reason;
    if (other.status === 'rejected') throw other.reason;
    if (committed.status === 'rejected') throw committed.reason;
    return [one.value, other.value];
  } finally {
    line.release();
  }
}

function send<Row extends object>(line: postgres.Sql, query: SQL) {
  const { sql, params } = dialect.sqlToQuery(query);
  return line.unsafe<Row[]>(sql, params as (string | number | null)[], { prepare: true });
}
