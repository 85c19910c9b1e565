import { getTableName } from 'drizzle-orm';
import postgres from 'postgres';
import { liftTimeouts } from '../lift-timeouts.ts';
import { viewSalts } from '../schema/event-interest.ts';

/** A part of a table that PostgreSQL keeps by itself. */
interface Partition {
  name: string;
  /** As `CREATE TABLE … PARTITION OF` says it: `FOR VALUES FROM (…) TO (…)`, or `DEFAULT`. */
  bound: string;
}

export interface TableShape {
  name: string;
  /** In the order of the table, without generated ones: they are computed anew. */
  columns: string[];
  /** Empty for a table that is not partitioned. */
  partitions: Partition[];
}

export interface SequenceState {
  name: string;
  /** The number given last; null: none was. */
  last: string | null;
}

export interface AppliedMigration {
  hash: string;
  /** Milliseconds since 1970, by which migrations are ordered. */
  createdAt: number;
}

/** Asks within a transaction, or on one connection. */
export type Asker = Pick<postgres.Sql, 'unsafe'>;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const ownSchema = '(select oid from pg_namespace where nspname = current_schema())';

/** What extensions brought is theirs. */
const isOfExtension = `exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/**
 * Tables of the site as they stand, by name. Unlogged ones are left out: they say who is here now. So are the salts by which views are
 * counted once: they are thrown away each day so that nobody can tell later who read what, which a copy of them would undo.
 */
export async function listTables(sql: Asker): Promise<TableShape[]> {
  const rows = await sql.unsafe<(TableShape & postgres.Row)[]>(
    `select c.relname as name,
        (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        (select coalesce(json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid))
            order by p.relname), '[]')
          from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid) as partitions
      from pg_class c
      where c.relnamespace = ${ownSchema} and c.relkind in ('r', 'p') and c.relpersistence = 'p'
        and not c.relispartition and c.relname <> $1 and not ${isOfExtension}
      order by c.relname`,
    [getTableName(viewSalts)],
  );
  return rows.map(({ name, columns, partitions }) => ({ name, columns, partitions }));
}

/** How far each counter of ids is. It may be ahead of what a snapshot sees, which leaves a gap and doubles no id. */
export async function listSequences(sql: Asker): Promise<SequenceState[]> {
  const rows = await sql.unsafe<{ name: string; last: string | null }[]>(
    `select c.relname as name, pg_sequence_last_value(c.oid)::text as last
      from pg_class c where c.relnamespace = ${ownSchema} and c.relkind = 'S' and not ${isOfExtension} order by c.relname`,
  );
  return rows.map(({ name, last }) => ({ name, last }));
}

/** Migrations that were applied, in their order; undefined: this is no database of ours. */
export async function listAppliedMigrations(sql: Asker): Promise<AppliedMigration[] | undefined> {
  const [table] = await sql.unsafe<{ exists: boolean }[]>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  );
  if (!table?.exists) return undefined;
  const rows = await sql.unsafe<{ hash: string; createdAt: string }[]>(
    `select hash, created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at, id`,
  );
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }));
}

/** Whether a table has a row. */
export async function hasRows(sql: Asker, table: string): Promise<boolean> {
  const rows = await sql.unsafe(`select from ${quoted(table)} limit 1`);
  return rows.length > 0;
}

/** For this transaction: no limit of time, and values as text that every server reads alike. Roles and poolers may have set others. */
export async function prepareForCopy(sql: Asker): Promise<void> {
  await liftTimeouts(sql, 'transaction');
  await sql.unsafe(
    `select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
      set_config('extra_float_digits', '1', true)`,
  );
}

/** Why PostgreSQL refused a statement, without the row that it shows beside that; undefined: it was something else. */
export const saidByServer = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? `${error.message} (${error.code})` : undefined;
