import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgInsertValue, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../client.ts';

export type TableWithId = PgTable & { id: AnyPgColumn };

/** PostgreSQL takes 65,535 parameters per statement; no table here has more than 25 columns. */
const perStatement = 2_000;

/**
 * Inserts rows with the ids that they bring. The seed chooses ids itself: a sequence does not go back when a
 * transaction does, so after a crash the next try would number differently.
 */
export async function insertRows<Table extends PgTable>(
  tx: Transaction,
  table: Table,
  rows: readonly PgInsertValue<Table, true>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += perStatement) {
    await tx
      .insert(table)
      .overridingSystemValue()
      .values(rows.slice(from, from + perStatement));
  }
}

/** Lets the identity of `table` go on after its highest id. */
export async function continueIds(tx: Transaction, table: TableWithId): Promise<void> {
  const highest = sql`max(${table.id})`;
  await tx.execute(sql`select setval(${sequenceOf(table)}, ${highest}) from ${table} having ${highest} > 0`);
}

/** The name of the sequence behind an identity. */
export const sequenceOf = (table: TableWithId): SQL =>
  sql`pg_get_serial_sequence(${getTableName(table)}, ${table.id.name})`;
