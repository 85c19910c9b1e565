/**
 * `bun run bench [--scale 100000] [--seconds 3] [--only chat|pages|phone|processes|names|stars]`: the figures of quality §Speed, as ratios taken in one
 * run and as counts, of what is built; fills a database of its own in `.data/bench` once per scale.
 */
import { brotliCompressSync } from 'node:zlib';
import postgres from 'postgres';
import { getConfig, setConfig } from '#api/config.ts';
import { invalidate } from '#api/invalidation.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { startEmbedded } from '#db/embedded.ts';
import { numberOption, textOption } from './arguments.ts';
import { benchChat } from './chat.ts';
import { benchDatabase, dataDir } from './data.ts';
import { growth, sayGrowth } from './growth.ts';
import { type Child, measure, median, memoryOf, start, stop } from './processes.ts';
import { benchStoredPages } from './stored-pages.ts';

const scale = numberOption('scale', 100_000);
const seconds = numberOption('seconds', 3);
const only = textOption('only', undefined);
const ports = { ours: 4411, second: 4412, bare: 4413, small: 4414, large: 4415 };
const origin = `http://127.0.0.1:${ports.ours}`;

const say = (name: string, value: string, aim: string) =>
  console.log(`${name.padEnd(44)} ${value.padStart(26)}   ${aim}`);

const cluster = await startEmbedded(dataDir);
const databaseUrl = await benchDatabase(cluster, scale);
const smallUrl = await benchDatabase(cluster, 1_000);

const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
// What a run before this one stored would not be rendered.
await sql`truncate stored_pages, page_reads`;
const articleIds = (
  await sql<
    { id: number }[]
  >`select id from articles where withdrawn_at is null order by random() limit 60000`
).map(({ id }) => id);
const [star] = await sql<{ id: number }[]>`select id from stars order by article_count desc limit 1`;
const [event] = await sql<{ id: number }[]>`select id from events where verification = 'approved' limit 1`;
const ours = await start('./serve.ts', String(ports.ours), databaseUrl, 'PAGE_STORE_MB=1024');
const running: Child[] = [ours];
/** So many that the cache holds them all. */
const hotArticles = 300;

try {
  console.log(`scale ${scale}, ${seconds} s a run, 32 connections, Bun ${Bun.version}\n`);
  if (only !== 'chat') await reading();
  if (only !== 'pages') {
    await benchChat({ ours: ports.ours, bare: ports.bare, pid: ours.pid, databaseUrl, seconds, say });
  }
} finally {
  for (const child of running) await stop(child);
  await sql.end();
  await cluster.stop();
}

/** Everything about pages and reads of the API, and what the server holds after it. */
async function reading(): Promise<void> {
  const pages = {
    feed: '/ko',
    article: `/ko/article/${articleIds[0]}`,
    star: `/ko/star/${star?.id}`,
    event: `/ko/events/${event?.id}`,
    channel: `/ko/community/${star?.id}`,
  };
  for (const [name, path] of Object.entries(pages)) await hotPages(`hot ${name}`, [path], 0.85);
  const inTurn = articleIds.slice(-hotArticles).map((id) => `/ko/article/${id}`);
  await hotPages(`hot articles, ${hotArticles} in turn`, inTurn, 0.9);
  await firstRenders();
  await api();
  await stampede();
  await invalidationAcrossProcesses();
  for (const [name, path] of Object.entries(pages)) await bytes(name, path);
  const sizes = [
    { url: smallUrl, port: ports.small },
    { url: databaseUrl, port: ports.large },
  ] as const;
  sayGrowth(1_000, scale, await growth(...sizes));
  say('memory of the server afterwards', `${await memoryOf(ours.pid)} MB`, 'aim ≤ 250 MB');
}

/** Pages in the cache, in turn, against bare `Bun.serve` with the bytes and headers of the same pages; three times, one after the other. */
async function hotPages(name: string, paths: string[], aim: number): Promise<void> {
  const headers = { 'accept-encoding': 'br' };
  const plan = { connections: 32, seconds, headers };
  await settle(paths, headers);
  const addresses = paths.map((path) => `${origin}${path}`);
  const bare = await start('./bare.ts', String(ports.bare), 'bun', ...addresses);
  running.push(bare);
  const ratios: number[] = [];
  const tails: number[] = [];
  let last = { ours: 0, bare: 0 };
  for (let round = 0; round < 3; round += 1) {
    const ourLoad = await measure({ ...plan, paths, port: ports.ours });
    const bareLoad = await measure({ ...plan, paths, port: ports.bare });
    const failures = ourLoad.failures + bareLoad.failures;
    if (failures > 0) say('  failures', String(failures), 'aim 0');
    ratios.push(ourLoad.perSecond / bareLoad.perSecond);
    tails.push(ourLoad.p99 / bareLoad.p99);
    last = { ours: ourLoad.perSecond, bare: bareLoad.perSecond };
  }
  await stop(bare);
  say(
    name,
    `${median(ratios).toFixed(2)} (${last.ours} / ${last.bare} per s)`,
    `aim ≥ ${aim} of bare Bun.serve; p99 ${median(tails).toFixed(1)} × bare's, aim ≤ 3`,
  );
}

/**
 * Asks until pages have their tightest bytes, which they get one after the other, and which bare then copies. On a busy machine one
 * takes most of a second: what is still compressed while answers are counted would be in the figure.
 */
async function settle(paths: string[], headers: Record<string, string>): Promise<void> {
  const settledAfter = 10;
  for (let before = -1, unchanged = 0, rounds = 0; unchanged < settledAfter && rounds < 1_000; rounds += 1) {
    let bytes = 0;
    for (const path of paths)
      bytes += (await (await fetch(`${origin}${path}`, { headers, decompress: false })).bytes()).length;
    unchanged = bytes === before ? unchanged + 1 : 0;
    before = bytes;
    await Bun.sleep(200);
  }
}

/** Every request another article, none of them rendered before, by code that has run before: a second load after a first. */
async function firstRenders(): Promise<void> {
  const paths = articleIds.slice(1).map((id) => `/en/article/${id}`);
  const plan = { port: ports.ours, connections: 32, headers: { 'accept-encoding': 'br' } };
  const cold = await measure({ ...plan, paths, seconds: seconds * 2 });
  const [commitsBefore] = await sql<
    { n: number }[]
  >`select xact_commit::int as n from pg_stat_database where datname = current_database()`;
  const result = await measure({
    ...plan,
    paths: paths.slice(cold.requests + plan.connections),
    seconds: seconds * 2,
  });
  await Bun.sleep(1200);
  const [commitsAfter] = await sql<
    { n: number }[]
  >`select xact_commit::int as n from pg_stat_database where datname = current_database()`;
  const queries = ((commitsAfter?.n ?? 0) - (commitsBefore?.n ?? 0)) / result.requests;
  say('first render of articles', `${result.perSecond} per s`, 'aim ≥ 2.7 × Next.js: --only next');
  say('  p99', `${result.p99.toFixed(1)} ms`, 'aim ≤ 60');
  say("  the process's first seconds", `${cold.perSecond} per s, p99 ${cold.p99.toFixed(1)} ms`, '');
  say('  statements per page', queries.toFixed(1), 'aim ≤ 4');
  if (result.failures > 0) say('  failures', String(result.failures), 'aim 0');
  await benchStoredPages({
    databaseUrl,
    ours: { port: ports.ours, child: ours },
    port: ports.second,
    seconds,
    rendered: result,
    say,
  });
}

/**
 * Reads of the API: one article and pages of twenty whole ones, each asked once, so that none comes from a cache, by code that has run
 * before; and one that is asked again and again. Each is held against a bare Elysia route with the same JSON.
 */
async function api(): Promise<void> {
  const plan = { port: ports.ours, connections: 32, seconds };
  const one = articleIds.map((id) => `/api/articles/${id}?language=en`);
  const twenty = Array.from(
    { length: scale / 20 },
    (_, page) => `/api/articles?limit=20&language=en&offset=${page * 20}`,
  );
  for (const [name, paths, aim] of [
    ['one article', one, 'aim ≤ 25 ms'],
    ['twenty whole articles', twenty, 'aim ≤ 1.5 of bare'],
  ] as const) {
    const [first = ''] = paths;
    const cold = await measure({ ...plan, paths });
    const uncached = await measure({ ...plan, paths: paths.slice(cold.requests + plan.connections) });
    const bare = await start('./bare.ts', String(ports.bare), 'elysia', `${origin}${first}`);
    running.push(bare);
    const bareLoad = await measure({ ...plan, port: ports.bare, paths: [new URL(first, origin).pathname] });
    const again = await measure({ ...plan, paths: [first] });
    await stop(bare);
    say(
      `API, ${name} (${Math.round(uncached.answerBytes / 1000)} kB), p99`,
      `${uncached.p99.toFixed(1)} ms (bare ${bareLoad.p99.toFixed(1)}): ${(uncached.p99 / bareLoad.p99).toFixed(2)}`,
      aim,
    );
    say('  per second', `${uncached.perSecond} (bare ${bareLoad.perSecond})`, '');
    say('  repeated', (again.perSecond / bareLoad.perSecond).toFixed(2), 'aim ≥ 0.5 of bare Elysia');
  }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1) ?? Number.NaN,
  );
}

/** 500 readers ask at once for a page that nobody rendered: one render. */
async function stampede(): Promise<void> {
  const rendersBefore = await metric('byeol_page_renders_total');
  await Promise.all(
    Array.from({ length: 500 }, () =>
      fetch(`${origin}/ms/article/${articleIds[0]}`).then((r) => r.arrayBuffer()),
    ),
  );
  say(
    'renders under a stampede of 500',
    String((await metric('byeol_page_renders_total')) - rendersBefore),
    'aim 1',
  );
}

/** A write seen by a second process: time until its page is rendered anew. */
async function invalidationAcrossProcesses(): Promise<void> {
  running.push(await start('./serve.ts', String(ports.second), databaseUrl, 'PAGE_STORE_MB=1024'));
  const second = `http://127.0.0.1:${ports.second}/ko/article/${articleIds[0]}`;
  const first = (await fetch(second)).headers.get('etag');
  await sql`update article_rewrites set title = title || '.' where article_id = ${articleIds[0] ?? 0} and language = 'ko'`;
  setConfig(getConfig({}));
  openDatabase(databaseUrl, 1);
  // Its connections are open from here on.
  await invalidate(['manifest']);
  const startedAt = performance.now();
  await invalidate([`article:${articleIds[0] ?? 0}`]);
  let waited = 0;
  while ((await fetch(second)).headers.get('etag') === first && waited < 5000)
    waited = performance.now() - startedAt;
  say(
    'a write shows in another process after',
    `${(performance.now() - startedAt).toFixed(0)} ms`,
    'aim ≤ 1000 ms',
  );
  await closeDatabase();
}

/** What travels before a person interacts, brotli: HTML, style sheets, scripts that the page itself asks for. */
async function bytes(name: string, path: string): Promise<void> {
  const html = await (await fetch(`${origin}${path}`, { headers: { 'accept-encoding': 'br' } })).text();
  const sizeOf = async (address: string) =>
    brotliCompressSync(await (await fetch(`${origin}${address}`)).bytes()).byteLength;
  const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => href);
  const scripts = new Set(
    [...html.matchAll(/<script type="module"[^>]* src="([^"]+)"/g)].map(([, src = '']) => src),
  );
  for (const script of scripts) {
    const source = await (await fetch(`${origin}${script}`)).text();
    for (const [, file = ''] of source.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      scripts.add(`/_astro/${file}`);
  }
  const kilo = (value: number) => (value / 1024).toFixed(1);
  const total = async (addresses: Iterable<string>) =>
    (await Promise.all([...addresses].map(sizeOf))).reduce((a, b) => a + b, 0);
  say(
    `bytes of ${name}`,
    `${kilo(brotliCompressSync(html).byteLength)} + ${kilo(await total(styles))} + ${kilo(await total(scripts))} kB`,
    'aim HTML 16, CSS 12, JavaScript 5 kB',
  );
}
