/**
 * `bun run bench --only comeback [--processes 1,2,4] [--seconds 180] [--scale 100000]`: a star comes back. A hundred times the usual readers
 * are on one article, its star and its channel; they read, log in, follow and talk, the story is corrected in the middle, and a process
 * is killed. The crowd is two processes of their own on the same machine: what they take of it is told beside the figures.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { startEmbedded } from '#db/embedded.ts';
import { until } from '#tests/kit/until.ts';
import { benchPassword, emailOf, prepareAccounts } from './accounts.ts';
import { judge, type Played, type Scene } from './comeback-figures.ts';
import type { CrowdKind, CrowdPlan, CrowdRequest, CrowdResult } from './crowd.ts';
import type { StreamsPlan, StreamsResult } from './crowd-streams.ts';
import { benchDatabase, dataDir } from './data.ts';
import { begin, memoryOf, processorOf } from './processes.ts';
import { startSite } from './site.ts';

const port = 4423;
const metricsPort = 4430;
const accounts = 1_000;
/** The usual evening of such a star, times a hundred: 20 in the channel, 10 requests a second, a message every two and a half seconds. */
const streams = 100 * 20;
const perSecond = { article: 500, star: 200, channel: 100, feed: 100, others: 50, messages: 50 };
/** ms until times of answers count: processes have served before a star comes back, these have not. */
const warmUp = 10_000;
const writesPerSecond = { message: 40, follow: 10, login: 2 };

const text = (name: string, fallback: string) => {
  const at = Bun.argv.indexOf(`--${name}`);
  return (at < 0 ? undefined : Bun.argv[at + 1]) ?? fallback;
};

/** Prints the figures of the play with so many processes each time. */
export async function benchComeback(): Promise<void> {
  const seconds = Number(text('seconds', '180'));
  const scale = Number(text('scale', '100000'));
  const cluster = await startEmbedded(dataDir);
  const folder = await mkdtemp(join(tmpdir(), 'byeol-bench-'));
  try {
    const databaseUrl = await benchDatabase(cluster, scale);
    const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
    try {
      const scene = await prepare(sql);
      for (const count of text('processes', '1,2,4').split(',').map(Number)) {
        console.log(
          `\n${count} process${count === 1 ? '' : 'es'}, ${seconds} s, ${scale} articles, ${streams} streams`,
        );
        judge(await play(sql, scene, { count, seconds, databaseUrl, folder }), scene);
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

function kindsOf({ star, article, tokens, others }: Scene): CrowdKind[] {
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
  return [
    { kind: 'article', perSecond: perSecond.article, requests: inAll(`/article/${article}`) },
    { kind: 'star', perSecond: perSecond.star, requests: inAll(`/star/${star}`) },
    { kind: 'channel page', perSecond: perSecond.channel, requests: inAll(`/community/${star}`) },
    { kind: 'feed', perSecond: perSecond.feed, requests: inAll('') },
    {
      kind: 'other articles',
      perSecond: perSecond.others,
      requests: reading(others.map((id, n) => `/${languages[n % languages.length]}/article/${id}`)),
    },
    { kind: 'page of messages', perSecond: perSecond.messages, requests: reading([`${channel}?limit=50`]) },
    {
      kind: 'message',
      perSecond: writesPerSecond.message,
      requests: writing(channel, JSON.stringify({ content, clientId: '$key' })),
      again: true,
    },
    {
      kind: 'follow',
      perSecond: writesPerSecond.follow,
      requests: writing(`/api/stars/${star}/follow`, JSON.stringify({ following: true })),
    },
    { kind: 'log-in', perSecond: writesPerSecond.login, requests: logins },
  ];
}

interface Settings {
  count: number;
  seconds: number;
  databaseUrl: string;
  folder: string;
}

async function play(
  sql: postgres.Sql,
  scene: Scene,
  { count, seconds, databaseUrl, folder }: Settings,
): Promise<Played> {
  const site = await startSite(port, count, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    TRUSTED_PROXIES: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'warn',
  });
  try {
    const path = `/api/community/channels/${scene.star}/stream`;
    const readers = await begin<StreamsPlan, StreamsResult>('./crowd-streams.ts', {
      port,
      path,
      streams,
      probes: 20,
    });
    const statementsBefore = await countStatements(sql);
    const cachesBefore = await countPages(count);
    const startedAt = Date.now();
    const crowd = await begin<CrowdPlan, CrowdResult>('./crowd.ts', {
      port,
      connections: 500,
      kinds: kindsOf(scene),
    });
    const act = (part: number) => Bun.sleep(Math.max(0, startedAt + seconds * 1_000 * part - Date.now()));

    await act(0.35);
    const correctedAt = await correct(scene);
    await act(0.6);
    // A replica is lost here, once the site reads from any: it has none, so nothing is, and the figures say so.
    await act(0.65);
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
      kill: { from: killedAt, to: servesAgainAt },
      busy: busy.map((each) => each / lastedUntilKill),
      memory: [memory, await Promise.all(site.serving().map(memoryOf))],
      statements: (await countStatements(sql)) - statementsBefore,
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

type Pages = Record<string, number>[];

/** The figures of each process that answers, as text. */
const scrape = (count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort + n}/metrics`).catch(() => undefined);
      return (await answer?.text()) ?? '';
    }),
  );

async function countStreams(count: number): Promise<number> {
  const texts = await scrape(count);
  return texts.reduce((sum, text) => sum + Number(/^byeol_streams_open (\d+)/m.exec(text)?.[1] ?? 0), 0);
}

/** Answers of each process's page cache by how it came to them. */
async function countPages(count: number): Promise<Pages> {
  return (await scrape(count)).map((text) => {
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
