import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Blocker } from '#db/apply-migrations.ts';
import { migrateDatabase, migrationLock } from '#db/migrate.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(120_000);

const own = useDatabase();
let sql: postgres.Sql;
/** The migrations, and more that tests add. */
let folder: string;

beforeAll(async () => {
  sql = postgres(own.url, { max: 4, onnotice: () => {} });
  folder = await mkdtemp(join(tmpdir(), 'byeol-migrations-'));
  await cp('db/migrations', folder, { recursive: true });
});
afterAll(async () => {
  await sql.end();
  await rm(folder, { recursive: true });
});

/** Adds a migration that is newer than all. */
async function add(tag: string, ...statements: string[]): Promise<void> {
  const journal = Bun.file(join(folder, 'meta/_journal.json'));
  const { entries, ...header }: { entries: { when: number }[] } = await journal.json();
  const when = Math.max(...entries.map((entry) => entry.when)) + 1;
  const entry = { idx: entries.length, version: '7', when, tag, breakpoints: true };
  await Bun.write(join(folder, `${tag}.sql`), statements.join('--> statement-breakpoint\n'));
  await journal.write(JSON.stringify({ ...header, entries: [...entries, entry] }));
}

/** Somebody who is in the middle of something: a transaction that has read the accounts and does not end. */
async function openTransaction() {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<number>();
  const ended = sql.begin(async (tx) => {
    const [row] =
      await tx`select pg_backend_pid() as pid, 'fan@mail.example' as mail, (select count(*) from users)`;
    begin(Number(row?.pid));
    await end;
  });
  return {
    pid: await begun,
    async end() {
      resolve();
      await ended;
    },
  };
}

/** Fans who read and register until it is over. */
function keepBusy() {
  let isOver = false;
  const answered = { reads: 0, writes: 0 };
  const loop = async (kind: keyof typeof answered, ask: (n: number) => Promise<unknown>) => {
    for (let n = 0; !isOver; n += 1) {
      await ask(n);
      answered[kind] += 1;
      await Bun.sleep(5);
    }
  };
  const loops = Promise.all([
    loop('reads', () => sql`select username from users order by id desc limit 1`),
    loop(
      'writes',
      (n) => sql`insert into users (username, username_key) values (${`fan${n}`}, ${`fan${n}`})`,
    ),
  ]);
  return {
    /** Who asks from now on is answered. */
    async served() {
      const { reads, writes } = answered;
      // The next answer may be to what was asked before.
      await until(() => answered.reads > reads + 1 && answered.writes > writes + 1);
    },
    async end() {
      isOver = true;
      await loops;
    },
  };
}

test('a migration gives way to those who read and write while a long transaction keeps it from its lock, and then comes through', async () => {
  // What each statement may still wait for locks: whoever comes behind it waits no longer.
  const limit = "select setting::int as wait from pg_settings where name = 'lock_timeout';";
  await add('later_column', 'alter table users add column motto text;', `create table mottos as ${limit}`);
  const load = keepBusy();
  const long = await openTransaction();
  const told: Blocker[] = [];
  const tries = () => sql`select from pg_locks where relation = 'users'::regclass and not granted
    and mode = 'AccessExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`;
  const began = performance.now();
  const migrating = migrateDatabase(own.url, { folder, onWait: (blocker) => told.push(blocker) });
  for (const count of [1, 0, 1]) await until(async () => (await tries()).length === count);
  await load.served();
  await until(() => told.length > 0);
  await long.end();
  await migrating;
  await load.end();
  expect(await sql`select motto from users limit 1`).toHaveLength(1);
  const [limited] = await sql<{ wait: number }[]>`select wait from mottos`;
  expect(limited?.wait).toBeWithin(100, 2_000);
  // Once, and again every ten seconds.
  expect(told.length).toBeWithin(1, 2 + Math.floor((performance.now() - began) / 10_000));
  expect(told[0]).toMatchObject({ pid: long.pid, state: 'idle in transaction' });
  expect(told[0]?.query).toContain('from users');
  expect(told[0]?.query).not.toContain('fan@mail.example');
});

test('an index is made while others write, also by two processes at once, and one that was left half done is made anew', async () => {
  const make = 'create index concurrently users_by_motto on users (motto);';
  await add('later_index', 'drop index concurrently if exists users_by_motto;', make);
  const long = await openTransaction();
  const broken = postgres(own.url, { max: 1 });
  const [maker] = await broken<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const broke = broken.unsafe(make).catch(String);
  const validity = async () =>
    (await sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('users_by_motto')`)[0];
  await until(async () => (await validity())?.valid === false);
  await sql`select pg_cancel_backend(${maker?.pid ?? 0})`;
  expect(await broke).toContain('canceling statement');
  await broken.end();
  expect(await validity()).toEqual({ valid: false });
  const told: Blocker[] = [];
  const migrating = [1, 2].map(() =>
    migrateDatabase(own.url, { folder, onWait: (blocker) => told.push(blocker) }),
  );
  // It waits for who is in the middle of something, and nobody waits for it.
  await until(() => told.length > 0);
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '500ms'`;
    await tx`insert into users (username, username_key) values ('writer', 'writer')`;
  });
  await long.end();
  await Promise.all(migrating);
  expect(await validity()).toEqual({ valid: true });
});

test('a start that waits for another to migrate says whose lock it is, and gives up after ten minutes', async () => {
  const other = await sql.reserve();
  const [holder] = await other<{ pid: number }[]>`
    select pg_backend_pid() as pid, pg_advisory_lock(${migrationLock})`;
  const told: Blocker[] = [];
  const waiting = migrateDatabase(own.url, { folder, onWait: (blocker) => told.push(blocker) });
  const givenUp = waiting.catch(String);
  await until(() => told.length > 0);
  expect(told[0]).toMatchObject({ pid: holder?.pid, state: 'idle' });
  const real = performance.now.bind(performance);
  const clock = spyOn(performance, 'now').mockImplementation(() => real() + 11 * 60_000);
  const refusal = await givenUp;
  expect(refusal).toContain(
    'A start waited for 10 minutes for the lock of migrations, which postgres.js (idle, ',
  );
  expect(refusal).toEndWith(
    ` s) holds without doing anything. End that, or run SELECT pg_terminate_backend(${holder?.pid}), and start again.`,
  );
  clock.mockRestore();
  await other`select pg_advisory_unlock(${migrationLock})`;
  other.release();
});

test('a start waits without an end for another that is at work', async () => {
  const other = await sql.reserve();
  const [holder] = await other<{ pid: number }[]>`
    select pg_backend_pid() as pid, pg_advisory_lock(${migrationLock})`;
  const real = performance.now.bind(performance);
  const told: Blocker[] = [];
  const work = other`select pg_sleep(600)`.catch(String);
  const waiting = migrateDatabase(own.url, { folder, onWait: (blocker) => told.push(blocker) });
  await until(() => told.length > 0);
  const clock = spyOn(performance, 'now').mockImplementation(() => real() + 11 * 60_000);
  const before = told.length;
  await until(() => told.length > before);
  clock.mockRestore();
  expect(told).toMatchObject(told.map(() => ({ state: 'active', isBusy: true, isMigrating: true })));
  await sql`select pg_cancel_backend(${holder?.pid ?? 0})`;
  expect(await work).toContain('canceling statement');
  await other`select pg_advisory_unlock(${migrationLock})`;
  other.release();
  await waiting;
});

test('a migration may take as long as it does, whatever limits the database sets', async () => {
  const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const name = new URL(own.url).pathname.slice(1);
  for (const limit of limits) await sql.unsafe(`alter database "${name}" set ${limit} = '1min'`);
  const names = limits.map((limit) => `'${limit}'`).join(', ');
  await add(
    'later_limits',
    `create table limits as select setting from pg_settings where name in (${names});`,
  );
  await migrateDatabase(own.url, { folder });
  const set = await sql<{ setting: string }[]>`select setting from limits`;
  expect(set.map(({ setting }) => setting)).toEqual(['0', '0']);
});

test('of several migrations those that came through stay when a later one fails', async () => {
  await add('later_table', 'create table later_table (id int);');
  await add('later_fault', 'create table later_fault (id int);', 'select 1 / 0;');
  await expect(migrateDatabase(own.url, { folder })).rejects.toThrow('division by zero');
  const [made] =
    await sql`select to_regclass('later_table') is not null as first, to_regclass('later_fault') is not null as second`;
  expect(made).toEqual({ first: true, second: false });
});
