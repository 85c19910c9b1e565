import { beforeAll, expect, test } from 'bun:test';
import { getTableName } from 'drizzle-orm';
import postgres from 'postgres';
import { settleBulkLoad } from '#db/bulk-load.ts';
import { connection } from '#db/client.ts';
import { articleRewrites } from '#db/schema/articles.ts';
import { seedVolume } from '#db/seed/volume.ts';
import { useDatabase } from '#tests/kit/database.ts';

const own = useDatabase();
const rewrites = getTableName(articleRewrites);

beforeAll(async () => {
  // An autovacuum that reads a table meanwhile would bring its pages back, or keep the marks from them.
  await connection().unsafe(`do $$ declare own regclass; begin
    for own in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = off)', own);
    end loop; end $$`);
  await seedVolume(200, () => {});
  await connection()`create extension pg_buffercache`;
}, 300_000);

/** Pages of a table that are in PostgreSQL's memory, beside all that it has. */
async function pagesInMemory(table: string): Promise<{ held: number; all: number }> {
  const [row] = await connection()<{ held: number; all: number }[]>`
    select count(*)::int as held, (pg_relation_size(${table}::regclass) / 8192)::int as all from pg_buffercache
    where relfilenode = pg_relation_filenode(${table}::regclass) and relforknumber = 0
      and reldatabase = (select oid from pg_database where datname = current_database())`;
  return row ?? { held: 0, all: 0 };
}

const evict = (table: string) => connection()`select pg_buffercache_evict_relation(${table}::regclass)`;

test('what was filled is read, counted and marked before anybody asks, with nothing left for a search to do', async () => {
  const [state] = await connection()`
    select reltuples::int as rows, relallvisible = relpages as "isMarked",
      (select count(*)::int from ${connection()(rewrites)}) as stored,
      exists (select from pg_stats where tablename = relname) as "isCounted"
    from pg_class where oid = ${rewrites}::regclass`;
  expect(state).toEqual({ rows: 800, isMarked: true, stored: 800, isCounted: true });
  await connection()`create extension pgstattuple`;
  const pending = await connection()`
    select c.relname, (pgstatginindex(c.oid)).pending_pages from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and c.relnamespace = 'public'::regnamespace`;
  expect(pending.filter(({ pending_pages }) => pending_pages > 0)).toEqual([]);
  for (const relation of [rewrites, 'article_rewrites_search']) {
    await evict(relation);
    expect((await pagesInMemory(relation)).held, relation).toBe(0);
    await settleBulkLoad(connection());
    const { held, all } = await pagesInMemory(relation);
    expect(held, relation).toBe(all);
  }
});

test('only what is named is looked at', async () => {
  await evict(rewrites);
  await settleBulkLoad(connection(), ['stars']);
  expect((await pagesInMemory(rewrites)).held).toBe(0);
});

test('a role that may make no extension and flush nothing goes on by an ordinary read', async () => {
  const role = `plain-${process.pid}`;
  const sql = connection();
  await sql`drop extension pg_prewarm`;
  await sql.unsafe(`create role "${role}" login password 'plain'; grant all on all tables in schema public to "${role}";
    alter table ${rewrites} owner to "${role}"`);
  const url = Object.assign(new URL(own.url), { username: role, password: 'plain' }).href;
  const plain = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await evict(rewrites);
    await settleBulkLoad(plain, [rewrites]);
    const { held, all } = await pagesInMemory(rewrites);
    expect(held).toBe(all);
    expect([...(await sql`select from pg_extension where extname = 'pg_prewarm'`)]).toEqual([]);
  } finally {
    await plain.end();
    await sql.unsafe(`drop owned by "${role}" cascade; drop role "${role}"`);
  }
});
