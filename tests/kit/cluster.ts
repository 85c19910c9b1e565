import { join } from 'node:path';
import postgres from 'postgres';
import { renderMarkdown } from '#api/articles/markdown.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { withFolderLock } from '#db/embedded/lock.ts';
import { isAlive } from '#db/embedded/processes.ts';
import { type EmbeddedPostgres, startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { createAccount, demoFan, operator } from '#db/seed/accounts.ts';
import { seedDemo } from '#db/seed/demo.ts';
import { digest } from '#site/launch/digest.ts';
import { root } from '#site/launch/root.ts';

/** Shared by every test process of this folder; whoever ends last stops it. */
const home = join(root, '.data/test');

/** Milliseconds for which others wait while one of them makes the demo world: on a slow machine that takes minutes. */
const patience = 300_000;

const templates = { empty: 'byeol_template', demo: 'byeol_demo' } as const;
export type World = keyof typeof templates;

/** Accounts of the demo template. */
export const demoAccounts = {
  fan: { email: demoFan.email, password: 'fan-of-the-demo' },
  admin: { email: 'admin@byeol.example', password: 'admin-of-the-demo' },
};

let started: Promise<EmbeddedPostgres> | undefined;

/** The PostgreSQL of the tests with fresh templates. */
export function testCluster(): Promise<EmbeddedPostgres> {
  started ??= start();
  return started;
}

/** Lets go of it, if this process ever took hold of it. */
export async function leaveTestCluster(): Promise<void> {
  const leaving = started;
  started = undefined;
  await (await leaving)?.stop();
}

async function start(): Promise<EmbeddedPostgres> {
  const cluster = await startEmbedded(home);
  await disableFsync(cluster);
  await whileOthersWait(async () => {
    await dropLeftovers(cluster);
    await refreshTemplate(cluster, 'empty');
  });
  return cluster;
}

/**
 * Nothing in it has to outlive the machine. Written through to the disk, dropping the database of a test file took seconds of
 * waiting for all that the others had written. Autovacuum stays: without its statistics an import of thousands of stars is slow.
 */
async function disableFsync(cluster: EmbeddedPostgres): Promise<void> {
  const sql = server(cluster);
  for (const setting of ['fsync', 'full_page_writes']) await sql.unsafe(`alter system set ${setting} = off`);
  await sql`select pg_reload_conf()`;
  await sql.end();
}

const server = (cluster: EmbeddedPostgres) =>
  postgres(cluster.url('postgres'), { max: 1, onnotice: () => {} });
const whileOthersWait = (action: () => Promise<void>): Promise<void> =>
  withFolderLock(join(home, 'templates'), action, { patience });
let clones = 0;

/** A database of its own with the empty or the demo world; `drop` removes it. */
export async function cloneDatabase(world: World): Promise<{ url: string; drop(): Promise<void> }> {
  const cluster = await testCluster();
  clones += 1;
  const name = `byeol_test_${process.pid}_${clones}`;
  await whileOthersWait(async () => {
    if (world === 'demo') await refreshTemplate(cluster, 'demo');
    await copyTemplate(cluster, name, templates[world]);
  });
  return { url: cluster.url(name), drop: () => dropDatabase(cluster, name) };
}

/** PostgreSQL refuses to copy a database while its own autovacuum looks at it; that ends by itself. */
async function copyTemplate(cluster: EmbeddedPostgres, name: string, template: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await createDatabase(cluster.url(name), template);
    } catch (error) {
      const isInUse = error instanceof postgres.PostgresError && error.code === '55006';
      if (!isInUse || tries === 5) throw error;
    }
  }
}

async function dropDatabase(cluster: EmbeddedPostgres, name: string): Promise<void> {
  const sql = server(cluster);
  await sql.unsafe(`drop database if exists "${name}" with (force)`);
  await sql.end();
}

/** Databases of test processes that were killed. */
async function dropLeftovers(cluster: EmbeddedPostgres): Promise<void> {
  const sql = server(cluster);
  const databases = await sql<
    { name: string }[]
  >`select datname as name from pg_database where datname like 'byeol\_test\_%'`;
  await sql.end();
  for (const { name } of databases) {
    if (!isAlive(Number(name.split('_')[2]))) await dropDatabase(cluster, name);
  }
}

/** Makes a template unless it was made from these very sources (the demo world: today, its dates count from the day). */
async function refreshTemplate(cluster: EmbeddedPostgres, world: World): Promise<void> {
  const expectedFingerprint = fingerprint(world);
  const name = templates[world];
  const sql = server(cluster);
  try {
    const [template] = await sql<{ made: string | null }[]>`
      select shobj_description(oid, 'pg_database') as made from pg_database where datname = ${name}`;
    if (template?.made === expectedFingerprint) return;
    await dropDatabase(cluster, name);
    await createDatabase(cluster.url(name));
    await migrateDatabase(cluster.url(name), { folder: join(root, 'db/migrations') });
    if (world === 'demo') await fillDemo(cluster.url(name));
    await sql.unsafe(`comment on database "${name}" is '${expectedFingerprint}'`);
  } finally {
    await sql.end();
  }
}

function fingerprint(world: World): string {
  if (world === 'empty') return digest(['db/migrations']);
  const day = new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' });
  return `${day} ${digest(['db', 'content', 'api', 'bun.lock', 'tests/kit/cluster.ts'])}`;
}

async function fillDemo(url: string): Promise<void> {
  openDatabase(url, 2);
  try {
    await seedDemo({ now: new Date(), renderMarkdown, progress: () => {} });
    await createAccount({ ...demoFan, ...demoAccounts.fan });
    await createAccount({ ...operator, ...demoAccounts.admin });
  } finally {
    await closeDatabase();
  }
}
