import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { backUp } from '#api/backup/back-up.ts';
import { type OpenedBackup, openBackup } from '#api/backup/open-backup.ts';
import type { Place } from '#api/backup/place.ts';
import type { Report } from '#api/backup/report.ts';
import { openSeal, type Seal } from '#api/backup/seal.ts';
import { root } from '#site/launch/root.ts';
import { testCluster } from './cluster.ts';
import { environment } from './environment.ts';

/** `bun run backup …` and `bun run restore …` as the operator types them. */
export function startCommand(
  name: 'backup' | 'restore',
  words: readonly string[],
  settings: Record<string, string>,
) {
  const child = Bun.spawn([process.execPath, `api/backup/run-${name}.ts`, ...words], {
    cwd: root,
    env: environment({ NODE_ENV: 'test', ...settings }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const end = async () => {
    const [code, output, errors] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    // Without its progress, which is told every ten seconds.
    return { code, output, errors: errors.replace(/^ {2}\S.*\n/gm, '') };
  };
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), end: end() };
}

export const command = (...typed: Parameters<typeof startCommand>) => startCommand(...typed).end;

export const silent: Report = { step: () => {}, note: () => {}, end: () => {} };

/** Backs a database up, without encryption unless a seal is given. */
export const backUpTo = (
  place: Place,
  url: string,
  { seal = openSeal, keep, report = silent }: { seal?: Seal; keep?: number; report?: Report } = {},
) => backUp(url, { place, seal, keep, report });

/** A backup that is not encrypted. */
export const openPlain = (place: Place, name?: string): Promise<OpenedBackup> =>
  openBackup(place, name, () => Promise.resolve(undefined));

/** What a promise is rejected with, in words. */
export const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** A folder that is there while `action` runs. */
export async function withFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-backup-'));
  try {
    return await action(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

let made = 0;

/** A database without anything in it, there while `action` runs. */
export async function withEmptyDatabase<T>(action: (url: string) => Promise<T>): Promise<T> {
  const cluster = await testCluster();
  made += 1;
  const name = `byeol_test_${process.pid}_restored${made}`;
  const sql = postgres(cluster.url('postgres'), { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(`create database "${name}"`);
    return await action(cluster.url(name));
  } finally {
    await sql.unsafe(`drop database if exists "${name}" with (force)`);
    await sql.end();
  }
}

/** What a database holds, so that two can be compared: rows of each table, and what is built around them. */
export async function contentsOf(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const list = async (query: string) =>
    (await sql.unsafe<{ line: string }[]>(`select line from (${query}) as it order by 1`)).map(
      ({ line }) => line,
    );
  try {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`;
    const sums = tables.map(
      ({ name }) => `select '${name}' as name,
        count(*) || ' ' || md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as sum from ${name} t`,
    );
    const rows = await sql.unsafe<{ name: string; sum: string }[]>(sums.join(' union all '));
    return {
      rows: Object.fromEntries(rows.map(({ name, sum }) => [name, sum])),
      migrations: await list('select hash || created_at as line from drizzle.__drizzle_migrations'),
      sequences: await list(`select sequencename || ' ' || coalesce(last_value, 0) as line
        from pg_sequences where schemaname = 'public'`),
      constraints:
        await list(`select conrelid::regclass || ' ' || conname || ' ' || convalidated || pg_get_constraintdef(oid) as line
        from pg_constraint where connamespace = 'public'::regnamespace`),
      // Those of a partition are named by PostgreSQL.
      indexes: await list(`select indisvalid || ' ' || case when relispartition
          then replace(pg_get_indexdef(indexrelid), ' INDEX ' || relname || ' ON ', ' INDEX ON ')
          else pg_get_indexdef(indexrelid) end as line
        from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace`),
      triggers: await list(`select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text as line
        from pg_trigger where not tgisinternal`),
    };
  } finally {
    await sql.end();
  }
}
