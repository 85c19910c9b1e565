import { isNotNull } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import postgres from 'postgres';
import { pictures } from '../schema/media.ts';
import {
  type AppliedMigration,
  type Asker,
  listAppliedMigrations,
  listSequences,
  listTables,
  prepareForCopy,
  quoted,
  type SequenceState,
  type TableShape,
} from './catalogue.ts';

/** A database at one moment, however long it is read. */
export interface Snapshot {
  migrations: AppliedMigration[];
  tables: TableShape[];
  sequences: SequenceState[];
  uploads: Upload[];
  /** The rows of a table as text of `COPY`, a line each; every chunk ends with a line. */
  rowsOf(table: TableShape): AsyncIterable<Uint8Array>;
  /** Jobs that wait or run, a line of JSON each; every chunk ends with a line. */
  jobs(): AsyncIterable<Uint8Array>;
}

/** A picture that was uploaded. Of one that was withdrawn for good there is a row and no original. */
export interface Upload {
  key: string;
  isWithdrawn: boolean;
}

/** A database that has no site in it, or cannot be read just now; its message says which. */
export class SnapshotRefused extends Error {}

/**
 * Reads a database as it is at one moment, while others write. One transaction that changes nothing: it keeps nobody from reading or
 * writing, and a migration that would rewrite a table from doing so until it ends.
 * @throws SnapshotRefused; what postgres.js throws when the connection is lost, after which nothing can be gone on with
 */
export async function readSnapshot<T>(url: string, action: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: 'byeol-backup' },
  });
  try {
    if (!(await listAppliedMigrations(sql))?.length)
      throw new SnapshotRefused('The database has no site in it.');
    const names = await namesOfTables(sql);
    const { promise: failure, reject: fail } = Promise.withResolvers<never>();
    const reading = sql.begin('isolation level repeatable read read only', async (tx) => {
      try {
        return { value: await action(await takeSnapshot(tx, names)) };
      } catch (error) {
        // Rows on their way that nobody reads any more would keep the rollback from ever being answered.
        fail(error);
        throw error;
      }
    });
    reading.catch(() => {});
    return (await Promise.race([reading, failure])).value;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

const namesOfTables = async (sql: Asker) => (await listTables(sql)).map(({ name }) => name);

/** @throws SnapshotRefused */
async function takeSnapshot(tx: postgres.TransactionSql, names: readonly string[]): Promise<Snapshot> {
  // The moment that is read is that of the first query, and this is none. A table that a migration is just rewriting, or rewrites
  // later, would be read as empty at a moment before that: so first it is waited for, then kept away.
  await tx.unsafe('set local statement_timeout = 0');
  await tx.unsafe('set local lock_timeout = 0');
  await tx.unsafe(`lock table ${names.map(quoted).join(', ')} in access share mode`);
  await prepareForCopy(tx);
  const tables = await listTables(tx);
  if (tables.map(({ name }) => name).join() !== names.join())
    throw new SnapshotRefused('A migration made or dropped a table just now: start the backup again.');
  return {
    migrations: (await listAppliedMigrations(tx)) ?? [],
    tables,
    sequences: await listSequences(tx),
    uploads: await listUploads(tx),
    rowsOf: (table) => copyRows(tx, table),
    jobs: () => readJobs(tx),
  };
}

async function listUploads(tx: postgres.TransactionSql): Promise<Upload[]> {
  const query = new QueryBuilder({ casing: 'snake_case' })
    .select({ key: pictures.key, withdrawnAt: pictures.withdrawnAt })
    .from(pictures)
    .where(isNotNull(pictures.uploadHash))
    .orderBy(pictures.key)
    .toSQL();
  const rows = await tx.unsafe<{ key: string; withdrawn_at: unknown }[]>(query.sql);
  return rows.map(({ key, withdrawn_at }) => ({ key, isWithdrawn: withdrawn_at !== null }));
}

/** A query instead of the table's name also reads one that is partitioned. */
async function* copyRows(
  tx: postgres.TransactionSql,
  { name, columns }: TableShape,
): AsyncGenerator<Uint8Array> {
  const rows = await tx
    .unsafe(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) to stdout`)
    .readable();
  for await (const row of rows) yield row;
  // postgres.js pauses the connection while rows wait to be read, and goes on when more are asked for, which nobody does who has
  // read the last: the end of the statement would never be heard.
  rows._read(0);
}

/**
 * What was queued and has not ended, as pg-boss takes it in: its own tables belong to its version, and know more of the past than
 * anybody needs.
 */
async function* readJobs(tx: postgres.TransactionSql): AsyncGenerator<Uint8Array> {
  const [table] = await tx.unsafe<{ exists: boolean }[]>(
    `select to_regclass('pgboss.job') is not null as exists`,
  );
  if (!table?.exists) return;
  const encoder = new TextEncoder();
  const pages = tx
    .unsafe<{ job: string }[]>(
      `select json_build_object('id', id, 'name', name, 'data', data, 'priority', priority, 'singletonKey', singleton_key,
          'startAfter', to_char(start_after at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text as job
        from pgboss.job where state < 'completed' order by created_on, id`,
    )
    .cursor(1000);
  for await (const page of pages) yield encoder.encode(page.map(({ job }) => `${job}\n`).join(''));
}
