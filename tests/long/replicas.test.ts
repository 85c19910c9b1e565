import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { renderMarkdown } from '#api/articles/markdown.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { withoutPassword } from '#db/database-errors.ts';
import { findPrimary } from '#db/primary.ts';
import { seedDemo } from '#db/seed/demo.ts';
import { askIdentity } from '#db/server-identity.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { bearer, sending } from '#tests/kit/call.ts';
import { logLines } from '#tests/kit/log-lines.ts';
import { makeChannel, makeFan } from '#tests/kit/make.ts';
import { scrape } from '#tests/kit/metrics.ts';
import { makeOwnCluster, type OwnCluster } from '#tests/kit/own-cluster.ts';
import { publicPages } from '#tests/kit/public-pages.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { type LoadedFan, SiteLoad } from '#tests/kit/site-load.ts';
import { until } from '#tests/kit/until.ts';
import { startWorker } from '#tests/kit/worker.ts';

setDefaultTimeout(300_000);

/** A primary, its streaming replica, and a site that knows both. */
let primary: OwnCluster;
let replica: OwnCluster;
let site: TestServer;
let editor: string;
let fans: LoadedFan[];
let star: number;

beforeAll(async () => {
  await ensureBuilt();
  primary = await makeOwnCluster();
  openDatabase(primary.url);
  try {
    await seedDemo({ now: new Date(), renderMarkdown, progress: () => {} });
    ({ token: editor } = await makeFan({ role: 'editor' }));
    fans = await Promise.all(Array.from({ length: 6 }, () => makeFan()));
    star = await makeChannel({ members: fans.map(({ id }) => id) });
  } finally {
    await closeDatabase();
  }
  replica = await primary.replicate();
  site = await startTestServer({
    databaseUrl: bothHosts(),
    settings: { DATABASE_REPLICA_URLS: [replica.url, otherDatabase(), primary.url].join(',') },
  });
  await until(answers, 60_000);
}, 360_000);

afterAll(async () => {
  await site?.stop();
  await replica?.remove();
  await primary?.remove();
}, 300_000);

const bothHosts = () => primary.url.replace(/@(.*?)\//, `@$1,${new URL(replica.url).host}/`);

/** Beside that of the site, in the same cluster. */
const otherDatabase = () => Object.assign(new URL(replica.url), { pathname: '/postgres' }).href;

async function run(cluster: OwnCluster, ...statements: string[]): Promise<void> {
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

const shown = (url: string) => new URL(url).host + new URL(url).pathname;
/** Undefined: there is no such figure. */
const used = async (url: string) =>
  (await scrape(site.url)).value('byeol_replica_used', { replica: shown(url) });
const isUsed = async () => (await used(replica.url)) === 1;
/** What the log has told of a server, each line. */
const told = (url: string) =>
  logLines(site.output()).flatMap((line) => (line.replica === shown(url) ? [line.msg] : []));
const isTold = (url: string, what: string) => until(() => told(url).some((line) => line.includes(what)));
const statusOf = async (path: string) => (await fetch(site.url + path, { redirect: 'manual' })).status;

/** Pages and calls that were made, by who answered. */
async function madeBy() {
  const seen = await scrape(site.url);
  const count = (by: string) => seen.value('byeol_shared_reads_total', { by }) ?? 0;
  return {
    replica: count('replica'),
    primary: count('primary'),
    afterFailure: count('primary_after_failure'),
    afterWrite: count('primary_after_write'),
    statements: seen.value('byeol_query_seconds_count', { pool: 'replica', outcome: 'ok' }) ?? 0,
  };
}

/** Articles that there are not: their pages are kept by nobody, and made anew for each. */
let visited = 1_000;
function unvisited(): string[] {
  visited += 8;
  return Array.from({ length: 8 }, (_, n) => `/ko/article/${visited + n}`);
}

/** Whether pages that any write may change are made by the replica: it is known to have all of them. */
async function answers(): Promise<boolean> {
  const before = await madeBy();
  await Promise.all(unvisited().map(statusOf));
  return (await madeBy()).replica > before.replica;
}

async function correct(): Promise<string> {
  const title = `Corrected ${crypto.randomUUID()}`;
  const { headers, ...init } = sending({
    rewrites: { en: { title, summary: ['A sentence of the summary.'], content: 'What was written.' } },
    note: { ko: '고쳤어요.', en: 'Corrected.', ms: 'Dibetulkan.', vi: 'Đã sửa.' },
  });
  const call = { ...init, method: 'PUT', headers: { ...headers, ...bearer(editor) } };
  const answer = await fetch(`${site.url}/api/admin/articles/48`, call);
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  return title;
}

const shows = async (title: string) => {
  const texts = await Promise.all(
    ['/en/article/48', '/api/articles/48?lang=en'].map(async (path) => (await fetch(site.url + path)).text()),
  );
  return texts.map((text) => text.includes(title));
};

test('what is no replica of this database is told once and not read from, and the primary has no figure that stays at 0', async () => {
  await isTold(primary.url, 'is the primary');
  await isTold(otherDatabase(), 'is a replica of another database');
  await until(isUsed);
  expect(await Promise.all([replica.url, otherDatabase(), primary.url].map(used))).toEqual([1, 0, undefined]);
});

test('whoever may connect learns which cluster a server is of, unless that right was taken away', async () => {
  await run(primary, "create role plain login password 'plain'");
  const url = Object.assign(new URL(primary.url), { username: 'plain', password: 'plain' }).href;
  const ask = async () => {
    const sql = postgres(url, { max: 1 });
    const identity = await askIdentity(sql);
    await sql.end();
    return identity.database;
  };
  expect(await ask()).toMatch(/^\d{15,}\/\d+$/);
  await run(primary, 'revoke execute on function pg_control_system() from public');
  expect(await ask()).toBeUndefined();
  await run(primary, 'grant execute on function pg_control_system() to public');
});

test('every public page and call is answered by the replica, to the last statement', async () => {
  const calls = (round: number) => [
    `/api/articles?limit=${9 + round}`,
    `/api/articles/${48 - round}`,
    `/api/stars?limit=${9 + round}`,
    `/api/stars/${1 + round}`,
    `/api/events?limit=${9 + round}`,
    `/api/events/${1 + round}`,
  ];
  /** Whether the replica made all of these, which nobody has asked for yet, or nearly all. */
  const areMadeByReplica = async (paths: readonly string[]) => {
    await until(isUsed);
    const before = await madeBy();
    for (const path of paths) {
      expect([path, [200, 404].includes(await statusOf(path))]).toEqual([path, true]);
    }
    const after = await madeBy();
    return (
      after.afterFailure === before.afterFailure &&
      after.replica - before.replica > 0.9 * paths.length &&
      after.statements - before.statements > paths.length / 2
    );
  };
  const pages = (lang: string) => publicPages.map((page) => `/${lang}${page}`);
  // A page that the primary makes is made by it in each language; a machine that stalls, and leaves the replica behind, does so in one.
  let isAllOfReplica = false;
  for (const [round, lang] of ['vi', 'ms', 'en'].entries())
    isAllOfReplica ||= await areMadeByReplica([...pages(lang), ...calls(round)]);
  expect(isAllOfReplica).toBe(true);
});

test('a correction shows at once though the replica has not replayed it, and stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    await run(replica, 'select pg_wal_replay_pause()');
    const title = await correct();
    await until(async () => (await shows(title)).every(Boolean), 10_000);
    await run(replica, 'select pg_wal_replay_resume()');
    await until(answers);
    expect(await shows(title)).toEqual([true, true]);
  }
  await until(answers);
});

test('a replica more than two seconds behind is left out, and comes back by itself', async () => {
  await until(isUsed);
  await run(replica, 'select pg_wal_replay_pause()');
  const pausedAt = performance.now();
  await run(primary, 'create table written (); drop table written');
  await until(async () => !(await isUsed()));
  expect(performance.now() - pausedAt).toBeGreaterThan(1_500);
  const before = await madeBy();
  await Promise.all(unvisited().map(statusOf));
  const after = await madeBy();
  expect([after.replica - before.replica, after.primary - before.primary]).toEqual([0, 8]);
  await run(replica, 'select pg_wal_replay_resume()');
  await until(isUsed);
});

test.each([
  ['hangs', () => replica.freeze(), () => replica.thaw()],
  ['is killed', () => replica.kill(), () => replica.start()],
] as const)('a replica that %s costs no request, and comes back by itself', async (_, end, begin) => {
  let isOver = false;
  const seen = new Map<number, number>();
  const before = await madeBy();
  const asking = Promise.all(
    Array.from({ length: 6 }, async () => {
      while (!isOver) {
        for (const path of unvisited()) {
          const status = await statusOf(path);
          seen.set(status, (seen.get(status) ?? 0) + 1);
        }
      }
    }),
  );
  try {
    await until(async () => (await madeBy()).replica > before.replica + 20, 60_000);
    await end();
    try {
      await until(async () => !(await isUsed()));
      const lost = await madeBy();
      await until(async () => (await madeBy()).primary > lost.primary + 20, 60_000);
    } finally {
      await begin();
    }
    await until(isUsed, 60_000);
  } finally {
    isOver = true;
    await asking;
  }
  expect([...seen.keys()]).toEqual([404]);
});

test('a replica is promoted while fans talk and read: the site goes on by itself, and has every acknowledged message', async () => {
  // Without this what the primary had alone would be gone with it.
  await run(primary, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()');
  const load = new SiteLoad({
    url: site.url,
    paths: ['/ko', '/api/stars', '/en/events'],
    askers: { fresh: 2, kept: 2 },
    pauses: { question: 40, message: 550 },
    star,
    fans,
    readers: 2,
  });
  await until(() => load.acknowledged.length > 20, 60_000);
  expect(await findPrimary(bothHosts())).toBe(primary.url);
  await primary.kill();
  await expect(findPrimary(bothHosts())).rejects.toThrow(
    `None of ${withoutPassword(primary.url)}, ${withoutPassword(replica.url)} takes writes: promote one of them`,
  );
  await run(replica, "alter system set synchronous_standby_names = ''", 'select pg_promote(false)');
  const promotedAt = load.acknowledged.length;
  await until(() => load.acknowledged.length > promotedAt + 20, 60_000);
  await until(async () => (await statusOf('/readyz')) === 200);
  expect(await findPrimary(bothHosts())).toBe(replica.url);
  const readTexts = await load.end();
  const sql = postgres(replica.url, { max: 1 });
  const stored = await sql<{ content: string }[]>`
    select m.content from messages m join channels c on c.id = m.channel_id where c.star_id = ${star} order by m.id`;
  await sql.end();
  const texts = stored.map(({ content }) => content);
  expect(texts.toSorted()).toEqual(load.acknowledged.toSorted());
  for (const reader of readTexts) expect(reader).toEqual(texts);
  // Jobs go on there, too.
  const password = 'not a common one';
  const account = {
    email: 'new@fans.example',
    username: 'newcomer',
    displayName: 'New',
    password,
    confirmPassword: password,
    language: 'en',
  };
  const answer = await fetch(`${site.url}/api/auth/register`, sending(account));
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  await until(() => logLines(site.output()).some(({ msg }) => msg === 'a letter is in the outbox'), 60_000);
  // A worker that begins now asks the host that takes writes, though the other one is named first and is dead.
  const worker = await startWorker(bothHosts());
  expect(worker.output()).not.toContain('does not answer');
  await worker.end('SIGTERM');
});

test('the promoted one is no unused replica, and the old primary is none either, dead or back as it was', async () => {
  await isTold(replica.url, 'is the primary');
  await isTold(primary.url, 'does not answer');
  expect(await Promise.all([replica.url, primary.url].map(used))).toEqual([undefined, 0]);
  await primary.start();
  await isTold(primary.url, 'takes writes and is not the primary');
  expect(await Promise.all([replica.url, primary.url].map(used))).toEqual([undefined, 0]);
  expect(told(primary.url)).toHaveLength(3);
  // Its server was promoted, too.
  expect(told(otherDatabase()).map((line) => line.includes('another database'))).toEqual([true, false]);
});
