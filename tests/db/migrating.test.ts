import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Blocker } from '#db/apply-migrations.ts';
import { migrateDatabase, migrationLock } from '#db/migrate.ts';
import { contention } from '#tests/kit/contention.ts';
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

/** Fans who read and register until it is over. @returns the longest that one of them waited, in milliseconds */
function keepBusy() {
  let isOver = false;
  const loop = async (ask: (n: number) => Promise<unknown>) => {
    let longest = 0;
    for (let n = 0; !isOver; n += 1) {
      const began = performance.now();
      await ask(n);
      longest = Math.max(longest, performance.now() - began);
      await Bun.sleep(5);
    }
    return longest;
  };
  const waits = Promise.all([
    loop(() => sql`select username from users order by id desc limit 1`),
    loop((n) => sql`insert into users (username, username_key) values (${`fan${n}`}, ${`fan${n}`})`),
  ]);
  return async () => {
    isOver = true;
    return Math.max(...(await waits));
  };
}

test('a migration gives way to those who read and write while a long transaction keeps it from its lock, and then comes through', async () => {
  await add('later_column', 'alter table users add column motto text;', 'create table mottos (id int);');
  const endLoad = keepBusy();
  const long = await openTransaction();
  const told: Blocker[] = [];
  const tries = () => sql`select from pg_locks where relation = 'users'::regclass and not granted
    and mode = 'AccessExclusiveLock'`;
  const migrating = migrateDatabase(own.url, { folder, onWait: (blocker) => told.push(blocker) });
  for (const count of [1, 0, 1]) await until(async () => (await tries()).length === count);
  await long.end();
  await migrating;
  expect(await endLoad()).toBeLessThan(2_000 * contention());
  expect(await sql`select motto from users limit 1`).toHaveLength(1);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ pid: long.pid, state: 'idle in transaction' });
  expect(told[0]?.query).toContain('from users');
  expect(told[0]?.query).not.toContain('fan@mail.example');
});

test('an index is made while others write, also by two processes at once, and one that was left half done is made anew', async () => {
  const make = 'create index concurrently users_by_motto on users (motto);';
  await add('later_index', 'drop index concurrently if exists users_by_motto;', make);
  const long = await openTransaction();
  const broken = postgres(own.url, { max: 1 });
  await broken`set statement_timeout = 200`;
  await expect(broken.unsafe(make)).rejects.toThrow('statement timeout');
  await broken.end();
  const validity = async () =>
    (await sql`select indisvalid as valid from pg_index where indexrelid = 'users_by_motto'::regclass`)[0];
  expect(await validity()).toEqual({ valid: false });
  const told: Blocker[] = [];
  const migrating = [1, 2].map(() =>
    migrateDatabase(own.url, { folder, onWait: (blocker) => told.push(blocker) }),
  );
  // It waits for who is in the middle of something, and nobody waits for it.
  await until(() => told.length > 0);
  const began = performance.now();
  await sql`insert into users (username, username_key) values ('writer', 'writer')`;
  expect(performance.now() - began).toBeLessThan(500 * contention());
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
  await until(() => told.length > 0, 20_000);
  expect(told).toMatchObject([{ pid: holder?.pid, state: 'idle' }]);
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
  await other`select pg_advisory_lock(${migrationLock})`;
  const real = performance.now.bind(performance);
  const told: Blocker[] = [];
  const work = other`select pg_sleep(8)`.execute();
  const waiting = migrateDatabase(own.url, { folder, onWait: (blocker) => told.push(blocker) });
  await until(() => told.length > 0, 20_000);
  const clock = spyOn(performance, 'now').mockImplementation(() => real() + 11 * 60_000);
  await until(() => told.length > 1, 20_000);
  clock.mockRestore();
  expect(told).toMatchObject(Array(2).fill({ state: 'active', isBusy: true, isMigrating: true }));
  await work;
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
