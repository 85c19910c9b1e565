import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { database } from './client.ts';
import { literal } from './sql.ts';

/** Rows that one statement deletes: a fraction of a second. */
const rowsAtOnce = 10_000;

/**
 * Deletes rows of a table, however many they are: one statement for all would be cut off by `statement_timeout`, and none were gone.
 * @param which `where …` of the rows, with joined tables before it and an order behind it
 * @throws the reason of the signal, between two pieces
 */
export async function deleteInPieces(table: PgTable, which: SQL, signal?: AbortSignal): Promise<void> {
  const place = sql`${table}.ctid`;
  for (;;) {
    signal?.throwIfAborted();
    const { count } = await database().execute(sql`
      delete from ${table} where ${place} = any(array(
        select ${place} from ${table} ${which} limit ${literal(rowsAtOnce)}))`);
    if (count < rowsAtOnce) return;
  }
}
