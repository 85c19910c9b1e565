import postgres from 'postgres';
import { quoted } from './backup/catalogue.ts';

/**
 * The end of whatever loads in bulk: the first readers after it shall not pay for it. VACUUM (ANALYZE) gives plans their statistics,
 * marks pages that need no second look and merges what trigram indexes put off; what was written goes to disk now and not beside the
 * readers; tables and indexes come into memory. It waits for nobody and locks nobody out.
 * @param tables that were filled; none named: all of the site's
 */
export async function settleBulkLoad(sql: postgres.Sql, tables: readonly string[] = []): Promise<void> {
  const session = await sql.reserve();
  try {
    await session`set statement_timeout = 0`;
    await session`set maintenance_work_mem = '256MB'`;
    await session.unsafe(`vacuum (analyze) ${tables.map(quoted).join(', ')}`);
    // Less than a whole site can wait for the server's own, which is gentler to those who read meanwhile.
    if (tables.length === 0) await checkpoint(session);
    await warm(session, tables);
  } finally {
    await session`reset all`;
    session.release();
  }
}

/** Only some roles may ask for it; for others the server does it within its own five minutes. */
async function checkpoint(sql: postgres.Sql): Promise<void> {
  const [may] = await sql`select where pg_has_role('pg_checkpoint', 'usage')`;
  if (may) await sql`checkpoint`;
}

interface Relation {
  name: string;
  isTable: boolean;
  bytes: number;
}

/** Reads tables with their indexes and long texts, the small ones first: they are asked for by every page. */
async function warm(sql: postgres.Sql, tables: readonly string[]): Promise<void> {
  const relations = await listRelations(sql, tables);
  const prewarm = await findPrewarm(sql);
  const [memory] = await sql<{ buffers: number; cache: number }[]>`
    select pg_size_bytes(current_setting('shared_buffers'))::float8 as buffers,
      pg_size_bytes(current_setting('effective_cache_size'))::float8 as cache`;
  const { buffers = 0, cache = 0 } = memory ?? {};
  let read = 0;
  for (const { name, isTable, bytes } of relations) {
    read += bytes;
    // What is more than the memory would only drive out what came before.
    if (read > cache) break;
    if (prewarm)
      await sql.unsafe(`select ${prewarm}($1::regclass, $2)`, [name, read < buffers ? 'buffer' : 'read']);
    else if (isTable) await readAll(sql, name);
  }
}

function listRelations(sql: postgres.Sql, tables: readonly string[]): Promise<Relation[]> {
  return sql<Relation[]>`
    with filled as (
      select oid, reltoastrelid from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and (${tables.length === 0} or oid in (
          select part.relid from unnest(${[...tables]}::text[]) name, pg_partition_tree(quote_ident(name)::regclass) part))),
    heaps as (select oid from filled union all select reltoastrelid from filled where reltoastrelid <> 0)
    select c.oid::regclass::text as name, c.relkind = 'r' as "isTable", pg_relation_size(c.oid)::float8 as bytes
    from pg_class c
    where c.oid in (select oid from heaps union all select indexrelid from pg_index where indrelid in (select oid from heaps))
    order by bytes`;
}

/** The function of the extension, which is made if it is there and this role may; undefined: it is to do without. */
async function findPrewarm(sql: postgres.Sql): Promise<string | undefined> {
  try {
    await sql`create extension if not exists pg_prewarm`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    return undefined;
  }
  const [extension] = await sql<{ schema: string }[]>`
    select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_prewarm'`;
  return extension && `${extension.schema}.pg_prewarm`;
}

/** By an ordinary read, which brings a table, but neither its indexes nor its long texts. */
async function readAll(sql: postgres.Sql, table: string): Promise<void> {
  await sql`set enable_indexonlyscan = off`;
  await sql.unsafe(`select count(*) from ${table}`);
}
