/**
 * `bun run bench --only comeback [--processes 1,2,4] [--seconds 180] [--scale 100000] [--times 100]`: a star comes back. A hundred times the
 * usual readers are on one article, its star and its channel; they read, log in, follow and talk, the story is corrected in the middle, the
 * replica that answers them is killed, and then a process. The crowd is two processes of their own on the same machine: what they take of it is told beside the figures.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { startEmbedded } from '#db/embedded.ts';
import { type OwnCluster, replicate } from '#tests/kit/own-cluster.ts';
import { until } from '#tests/kit/until.ts';
import { benchPassword, emailOf, prepareAccounts } from './accounts.ts';
import { numberOption, textOption } from './arguments.ts';
import { judge, type Played, type Scene } from './comeback-figures.ts';
import type { CrowdKind, CrowdPlan, CrowdRequest, CrowdResult } from './crowd.ts';
import type { StreamsPlan, StreamsResult } from './crowd-streams.ts';
import { benchDatabase, dataDir } from './data.ts';
import { begin, memoryOf, processorOf } from './processes.ts';
import { startSite } from './site.ts';
import { scrapeAll, sumOf } from './site-metrics.ts';

const port = 4423;
const metricsPort = 4430;
const accounts = 1_000;
/** The usual evening of such a star, which comes many times over: 20 in the channel, 10 requests a second, two messages in five seconds. */
const usualStreams = 20;
const usual = {
  article: 5,
  star: 2,
  channel: 1,
  feed: 1,
  others: 0.5,
  messages: 0.5,
  message: 0.4,
  follow: 0.1,
  login: 0.02,
};
/** ms until times of answers count: processes have served before a star comes back, these have not. */
const warmUp = 10_000;

/** Prints the figures of the play with so many processes each time. */
export async function benchComeback(): Promise<void> {
  const seconds = numberOption('seconds', 180);
  const scale = numberOption('scale', 100_000);
  const times = numberOption('times', 100);
  // A cluster of its own: a replica is a copy of all that its cluster has.
  const home = join(dataDir, 'comeback');
  const cluster = await startEmbedded(home);
  const folder = await mkdtemp(join(tmpdir(), 'byeol-bench-'));
  try {
    const databaseUrl = await benchDatabase(cluster, scale);
    const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
    try {
      const scene = await prepare(sql);
      for (const count of textOption('processes', '1,2,4').split(',').map(Number)) {
        console.log(
          `\n${count} process${count === 1 ? '' : 'es'}, ${seconds} s, ${scale} articles, ${times} times the usual: ${times * usualStreams} streams`,
        );
        judge(await play(sql, scene, { count, seconds, times, databaseUrl, home, folder }), scene);
      }
    } finally {
      await sql.end();
    }
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The star that most is written about, its newest article, its channel with everybody as a member, and an editor. */
async function prepare(sql: postgres.Sql): Promise<Scene> {
  const tokens = await prepareAccounts(sql, accounts);
  await sql`update users set role = 'editor' where username_key = 'bench_0'`;
  const [story] = await sql<{ star: number; article: number }[]>`
    select s.id as star, a.id as article from (select id from stars order by article_count desc limit 1) s
    join article_stars l on l.star_id = s.id join articles a on a.id = l.article_id
    where a.withdrawn_at is null order by a.published_at desc limit 1`;
  if (!story) throw new Error('the database of the bench has no articles');
  await sql`insert into channels (star_id) values (${story.star}) on conflict do nothing`;
  await sql`insert into channel_members (channel_id, user_id)
    select c.id, u.id from channels c, users u where c.star_id = ${story.star} and u.username_key like 'bench\_%'
    on conflict do nothing`;
  const others = await sql<{ id: number }[]>`
    select id from articles where withdrawn_at is null order by random() limit 20000`;
  return { ...story, tokens, others: others.map(({ id }) => id) };
}

/** Korean readers are half of all. */
const languages = ['ko', 'en', 'ko', 'ms', 'ko', 'vi'];

function kindsOf({ star, article, tokens, others }: Scene, times: number): CrowdKind[] {
  const kind = (name: string, rate: number, requests: CrowdRequest[]): CrowdKind => ({
    kind: name,
    perSecond: rate * times,
    requests,
  });
  const address = (n: number) => `10.77.${Math.floor(n / 250) % 250}.${n % 250}`;
  const reading = (paths: string[]): CrowdRequest[] =>
    paths.map((path, n) => ({ method: 'GET', path, address: address(n) }));
  const inAll = (path: string) => reading(languages.map((language) => `/${language}${path}`));
  const writing = (path: string, body: string): CrowdRequest[] =>
    tokens.map((token, n) => ({ method: 'POST', path, body, token, address: address(n) }));
  const channel = `/api/community/channels/${star}/messages`;
  const content = 't$now 컴백 축하해요! 오늘 무대 정말 좋았어요';
  const logins = tokens.map(
    (_, n): CrowdRequest => ({
      method: 'POST',
      path: '/api/auth/login',
      body: JSON.stringify({ email: emailOf(n), password: benchPassword }),
      address: address(n),
    }),
  );
  const otherArticles = others.map((id, n) => `/${languages[n % languages.length]}/article/${id}`);
  return [
    kind('article', usual.article, inAll(`/article/${article}`)),
    kind('star', usual.star, inAll(`/star/${star}`)),
    kind('channel page', usual.channel, inAll(`/community/${star}`)),
    kind('feed', usual.feed, inAll('')),
    kind('other articles', usual.others, reading(otherArticles)),
    kind('page of messages', usual.messages, reading([`${channel}?limit=50`])),
    {
      ...kind('message', usual.message, writing(channel, JSON.stringify({ content, clientId: '$key' }))),
      again: true,
    },
    kind('follow', usual.follow, writing(`/api/stars/${star}/follow`, JSON.stringify({ following: true }))),
    kind('log-in', usual.login, logins),
  ];
}

interface Settings {
  count: number;
  seconds: number;
  /** How many times the usual evening. */
  times: number;
  databaseUrl: string;
  /** Of its cluster. */
  home: string;
  /** DATA_DIR of the site. */
  folder: string;
}

/** A play with a replica of its own, which does not outlive it. */
async function play(sql: postgres.Sql, scene: Scene, settings: Settings): Promise<Played> {
  const replica = await replicate(join(resolve(settings.home), 'postgres'), settings.databaseUrl);
  try {
    return await playWith(replica, sql, scene, settings);
  } finally {
    await replica.remove();
  }
}

async function playWith(
  replica: OwnCluster,
  sql: postgres.Sql,
  scene: Scene,
  { count, seconds, times, databaseUrl, folder }: Settings,
): Promise<Played> {
  const streams = times * usualStreams;
  const site = await startSite(port, count, {
    DATABASE_URL: databaseUrl,
    DATABASE_REPLICA_URLS: replica.url,
    DATA_DIR: folder,
    TRUSTED_PROXIES: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'warn',
  });
  try {
    await until(
      async () => (await sumOf(metricsPort, count, /^byeol_replica_used\{.*\} (\d+)/gm)) === count,
      30_000,
    );
    const path = `/api/community/channels/${scene.star}/stream`;
    const readers = await begin<StreamsPlan, StreamsResult>('./crowd-streams.ts', {
      port,
      path,
      streams,
      probes: 20,
    });
    const statementsBefore = (await countStatements(sql)) + (await countStatementsAt(replica.url));
    const cachesBefore = await countPages(count);
    const startedAt = Date.now();
    const crowd = await begin<CrowdPlan, CrowdResult>('./crowd.ts', {
      port,
      connections: 500,
      kinds: kindsOf(scene, times),
    });
    const act = (part: number) => Bun.sleep(Math.max(0, startedAt + seconds * 1_000 * part - Date.now()));

    await act(0.35);
    const correctedAt = await correct(scene);
    await act(0.5);
    const statementsOfReplica = await countStatementsAt(replica.url);
    const madeByReplica = await sumOf(metricsPort, count, madeBy('replica'));
    const replicaLostAt = Date.now();
    await replica.kill();
    await act(0.65);
    const madeInstead = await sumOf(metricsPort, count, madeBy('primary_after_failure'));
    const beforeKill = await countPages(count);
    const memory = await Promise.all(site.serving().map(memoryOf));
    const busy = await Promise.all(site.serving().map(processorOf));
    const lastedUntilKill = Date.now() - startedAt;
    const killedAt = Date.now();
    await site.killOne();
    const servesAgainAt = Date.now();
    await act(1);

    const processor = await Promise.all([crowd.pid, readers.pid].map(processorOf));
    const asked = await crowd.finish();
    const lasted = Date.now() - startedAt;
    // Who was cut off comes back, and what was said last is on its way.
    await until(async () => (await countStreams(count)) >= streams, 60_000).catch(() => {});
    await Bun.sleep(3_000);
    const seen = await readers.finish();
    const afterKill = await countPages(count);
    return {
      count,
      asked,
      countedFrom: startedAt + warmUp,
      seen,
      correctedAt,
      replica: { lostAt: replicaLostAt, made: madeByReplica, madeInstead },
      kill: { from: killedAt, to: servesAgainAt },
      busy: busy.map((each) => each / lastedUntilKill),
      memory: [memory, await Promise.all(site.serving().map(memoryOf))],
      statements: (await countStatements(sql)) + statementsOfReplica - statementsBefore,
      streams,
      caches: [since(cachesBefore, beforeKill), since(beforeKill, afterKill)],
      generators: processor.reduce((sum, each) => sum + each, 0) / lasted,
      stored: await sql<{ id: string; key: string }[]>`
        select m.id, m.client_id as key from messages m join channels c on c.id = m.channel_id
        where c.star_id = ${scene.star} and m.created_at >= ${new Date(startedAt)} order by m.id`,
    };
  } finally {
    await site.stop();
  }
}

/** New words of the Korean story. @returns between which moments they came to be, in ms since 1970 */
async function correct({ article, tokens: [token] }: Scene): Promise<Played['correctedAt']> {
  const address = `http://127.0.0.1:${port}/api/admin/articles/${article}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { version, rewrites } = await (await fetch(address, { headers })).json();
  const { title, summary, content } = rewrites.ko;
  const ko = {
    title: `${title.replace(/ \[.*$/, '')} [${Date.now() % 100_000}]`,
    summary: summary.split('\n'),
    content,
  };
  const from = Date.now();
  const answer = await fetch(address, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ version, rewrites: { ko } }),
  });
  if (!answer.ok) throw new Error(`the story was not corrected: ${answer.status} ${await answer.text()}`);
  return { from, to: Date.now() };
}

async function countStatements(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select xact_commit::float8 as n from pg_stat_database where datname = current_database()`;
  return row?.n ?? 0;
}

/** Of a server that may be gone a moment later. */
async function countStatementsAt(url: string): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await countStatements(sql);
  } finally {
    await sql.end();
  }
}

type Pages = Record<string, number>[];

const countStreams = (count: number): Promise<number> =>
  sumOf(metricsPort, count, /^byeol_streams_open (\d+)/gm);

/** Pages and calls that any replica may make, by who made them. */
const madeBy = (by: string) => new RegExp(`^byeol_shared_reads_total\\{by="${by}"\\} (\\d+)`, 'gm');

/** Answers of each process's page cache by how it came to them. */
async function countPages(count: number): Promise<Pages> {
  return (await scrapeAll(metricsPort, count)).map((text) => {
    const lines = text.matchAll(/^byeol_page_cache_answers_total\{kind="(\w+)"\} (\d+)/gm);
    return Object.fromEntries([...lines].map(([, kind = '', value]) => [kind, Number(value)]));
  });
}

/** What was counted between two moments; a process that began anew in between counts from nothing. */
function since(before: Pages, after: Pages): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [place, counts] of after.entries()) {
    const earlier = before[place] ?? {};
    const isNew = Object.entries(counts).some(([kind, value]) => value < (earlier[kind] ?? 0));
    for (const [kind, value] of Object.entries(counts))
      sums[kind] = (sums[kind] ?? 0) + value - (isNew ? 0 : (earlier[kind] ?? 0));
  }
  return sums;
}
