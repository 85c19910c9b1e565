import { pipeline } from 'node:stream/promises';
import { getTableName } from 'drizzle-orm';
import postgres from 'postgres';
import { settleBulkLoad } from '../bulk-load.ts';
import { dropIndexesAndForeignKeys } from '../drop-indexes.ts';
import { migrationLock } from '../migrate.ts';
import { rateLimits } from '../schema/accounts.ts';
import {
  type AppliedMigration,
  hasRows,
  listAppliedMigrations,
  listTables,
  prepareForCopy,
  quoted,
  type SequenceState,
  type TableShape,
} from './catalogue.ts';

/** Why a database cannot take a site in. */
export type Occupied = 'used' | 'filled';

const connect = (url: string) =>
  postgres(url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: 'byeol-restore' },
  });

/** What there is already in a database that should take a site in. */
export interface Target {
  occupied: Occupied | undefined;
  /** Undefined: nothing of ours was ever made in it. */
  migrations: AppliedMigration[] | undefined;
}

/** Looks whether others use a database, and whether it has rows or tables of others. */
export async function readTarget(url: string): Promise<Target> {
  const sql = connect(url);
  try {
    const migrations = await listAppliedMigrations(sql);
    if (await isUsed(sql)) return { occupied: 'used', migrations };
    return { occupied: (await isFilled(sql, migrations)) ? 'filled' : undefined, migrations };
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** Looks for some seconds: what was stopped just now leaves a moment after its command. */
async function isUsed(sql: postgres.Sql): Promise<boolean> {
  for (let looks = 1; ; looks += 1) {
    const others = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`;
    if (others.length === 0 || looks === 10) return others.length > 0;
    await Bun.sleep(300);
  }
}

async function isFilled(
  sql: postgres.Sql | postgres.TransactionSql,
  migrations: AppliedMigration[] | undefined,
): Promise<boolean> {
  const tables = await listTables(sql);
  if (!migrations) return tables.length > 0;
  for (const { name } of tables) if (!forgotten.has(name) && (await hasRows(sql, name))) return true;
  return false;
}

/** Rows that a site writes as soon as it is asked anything, and that nobody misses: one that only ran is as good as a fresh one. */
const forgotten: ReadonlySet<string> = new Set([getTableName(rateLimits)]);

interface Load {
  tables: readonly TableShape[];
  sequences: readonly SequenceState[];
  /** The rows of a table, as `Snapshot.rowsOf` wrote them. */
  rowsOf(table: TableShape): AsyncIterable<Uint8Array>;
  /** What belongs to the same commit. */
  also(tx: postgres.TransactionSql): Promise<void>;
}

/** The database has other tables than what is to be put into it, or was filled in between; its message says so. */
export class LoadRefused extends Error {}

/**
 * Puts the rows of a snapshot into a database of the same migrations whose tables are empty, in one transaction: all or nothing.
 * Foreign keys, secondary indexes and triggers are away meanwhile. They come back before the commit, which checks every
 * reference. Switching them off by `session_replication_role` would need a superuser, which hosted PostgreSQL gives nobody.
 * @returns tables of the snapshot that no migration made: they are left out
 * @throws LoadRefused, and what postgres.js throws
 */
export async function loadSnapshot(url: string, load: Load): Promise<string[]> {
  const sql = connect(url);
  try {
    const strangers = await sql.begin(async (tx) => {
      await prepareForCopy(tx);
      await tx`select pg_advisory_xact_lock(${migrationLock})`;
      if (await isFilled(tx, await listAppliedMigrations(tx)))
        throw new LoadRefused('Something was written into the database meanwhile.');
      const own = new Map((await listTables(tx)).map((table) => [table.name, table]));
      const known = load.tables.filter(({ name }) => own.has(name));
      const comeBack = await makeRoom(tx, [...own.keys()]);
      for (const table of known) {
        await matchPartitions(tx, table, own.get(table.name)?.partitions ?? []);
        const into = `copy ${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) from stdin`;
        await copyIn(tx, into, load.rowsOf(table));
      }
      for (const { name, last } of load.sequences) {
        if (last !== null) await tx`select setval(to_regclass(${quoted(name)}), ${last}::text::bigint)`;
      }
      for (const statement of comeBack) await tx.unsafe(statement);
      await load.also(tx);
      return load.tables.filter(({ name }) => !own.has(name)).map(({ name }) => name);
    });
    await settleBulkLoad(sql);
    return strangers;
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** @throws what the server refuses a row with */
async function copyIn(
  tx: postgres.TransactionSql,
  into: string,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  const statement = tx.unsafe(into);
  const stream = await statement.writable();
  // postgres.js tells what comes behind the last row, such as a key that is there twice, to the promise that the stream has fulfilled:
  // nobody would hear of it, and the stream would never end.
  const { promise: refusal, reject } = Promise.withResolvers<never>();
  Object.assign(statement, { reject });
  await Promise.race([pipeline(rows, stream), refusal]);
}

/**
 * Empties the tables and takes away what would slow the loading down or act on it.
 * @returns statements that bring it back, in their order
 */
async function makeRoom(tx: postgres.TransactionSql, tables: readonly string[]): Promise<string[]> {
  const list = tables.map(quoted);
  // A unique one that is no constraint comes back like the others: it would refuse then what it refuses now.
  const comeBack = await dropIndexesAndForeignKeys(tx, { tables, unique: true });
  for (const table of list) await tx.unsafe(`alter table ${table} disable trigger user`);
  await tx.unsafe(`truncate ${list.join(', ')}`);
  return [...comeBack, ...list.map((table) => `alter table ${table} enable trigger user`)];
}

/** Gives a table, which is empty, the partitions that its rows come from: what was made for today has no place for last year. */
async function matchPartitions(
  tx: postgres.TransactionSql,
  { name, partitions }: TableShape,
  existing: TableShape['partitions'],
): Promise<void> {
  const isIn = (list: TableShape['partitions'], one: TableShape['partitions'][number]) =>
    list.some((each) => each.name === one.name && each.bound === one.bound);
  for (const partition of existing)
    if (!isIn(partitions, partition)) await tx.unsafe(`drop table ${quoted(partition.name)}`);
  for (const { name: part, bound } of partitions.filter((partition) => !isIn(existing, partition)))
    await tx.unsafe(`create table ${quoted(part)} partition of ${quoted(name)} ${bound}`);
}
