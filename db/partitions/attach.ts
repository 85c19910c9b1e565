import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import postgres from 'postgres';
import { connection } from '../client.ts';
import { lockWait, waitForLocksUntil } from '../lock-wait.ts';

/** What every partitioned table needs (decision D13): its parts, another one, one less, each without keeping anybody waiting. */

export interface Partition {
  name: string;
  /** Where it begins and ends, as PostgreSQL writes it: `4000000`, `2026-11-24`; null where it is open, and for the rest of all days. */
  from: string | null;
  to: string | null;
}

const boundPattern = /^FOR VALUES FROM \((.+)\) TO \((.+)\)$/;
/** Numbers of 64 bits and days stand in quotes. */
const boundOf = (text: string | undefined) =>
  text === undefined || text === 'MINVALUE' ? null : text.replaceAll("'", '');

/** The parts of a table, in no order. */
export async function listPartitions(
  sql: postgres.Sql | postgres.TransactionSql,
  table: PgTable,
): Promise<Partition[]> {
  const rows = await sql<{ name: string; bound: string }[]>`
    select c.oid::regclass::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${getTableName(table)})`;
  return rows.map(({ name, bound }) => {
    const [, from, to] = boundPattern.exec(bound) ?? [];
    return { name, from: boundOf(from), to: boundOf(to) };
  });
}

/** Any fixed number: who adds or drops a part holds it, so that two processes do not do the same. */
const partitionLock = 20_261_124;
const tries = 5;

/** Somebody holds a table for long, such as a backup: nothing was changed, and may be later. */
export class TableBusy extends Error {
  constructor(cause: unknown) {
    super('A table whose partitions change is in use.', { cause });
  }
}

const isInTheWay = (error: unknown) =>
  error instanceof postgres.PostgresError && ['55P03', '40P01'].includes(error.code);

/**
 * Changes parts of tables in one transaction. A lock that is not had soon is let go, so that those behind it go on, and tried again:
 * five times, two seconds apart.
 * @throws TableBusy
 */
export async function changePartitions(
  action: (tx: postgres.TransactionSql) => Promise<void>,
): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      await connection().begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(${partitionLock})`;
        await waitForLocksUntil(tx, performance.now() + lockWait);
        await action(tx);
      });
      return;
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      if (time === tries) throw new TableBusy(error);
      await Bun.sleep(2_000);
    }
  }
}

/** Adds a part. Made beside the table and attached to it, which keeps nobody from reading or writing, while a backup runs as well. */
export async function attachPartition(
  tx: postgres.TransactionSql,
  table: PgTable,
  name: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const parent = getTableName(table);
  await tx.unsafe(`create table ${name} (like ${parent} including all excluding identity)`);
  await tx.unsafe(`alter table ${parent} attach partition ${name} for values from ('${from}') to ('${to}')`);
}

/** Locks tables against everybody, one after the other. Those that are locked keep others waiting for no longer than one would. */
export async function lockTables(tx: postgres.TransactionSql, tables: readonly PgTable[]): Promise<void> {
  const end = performance.now() + lockWait;
  for (const table of tables) {
    await waitForLocksUntil(tx, end);
    await tx.unsafe(`lock table ${getTableName(table)} in access exclusive mode`);
  }
}

/** Takes a part away with its rows. Its table is locked for as long as that takes, which is milliseconds. */
export async function dropPartition(
  tx: postgres.TransactionSql,
  table: PgTable,
  name: string,
): Promise<void> {
  await tx.unsafe(`alter table ${getTableName(table)} detach partition ${name}`);
  await tx.unsafe(`drop table ${name}`);
}
