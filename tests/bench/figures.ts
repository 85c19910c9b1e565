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
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { benchChat } from './chat.ts';
import { seedForBench } from './data.ts';
import { growth } from './growth.ts';
import { type Child, measure, median, memoryOf, start, stop } from './processes.ts';
import { benchStoredPages } from './stored-pages.ts';

const option = (name: string, fallback: number) => {
  const index = Bun.argv.indexOf(`--${name}`);
  return index < 0 ? fallback : Number(Bun.argv[index + 1]);
};
const scale = option('scale', 100_000);
const seconds = option('seconds', 3);
const only = Bun.argv.includes('--only') ? Bun.argv[Bun.argv.indexOf('--only') + 1] : undefined;
const ports = { ours: 4411, second: 4412, bare: 4413, small: 4414, large: 4415 };
const origin = `http://127.0.0.1:${ports.ours}`;

const say = (name: string, value: string, aim: string) =>
  console.log(`${name.padEnd(44)} ${value.padStart(26)}   ${aim}`);

const dataDir = '.data/bench';
const cluster = await startEmbedded(dataDir);
const databaseUrl = await seeded(scale);
const smallUrl = await seeded(1_000);

const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
// What a run before this one stored would not be rendered.
await sql`truncate stored_pages, page_reads`;
const articleIds = (
  await sql<
    { id: number }[]
  >`select id from articles where withdrawn_at is null order by random() limit 60000`
).map(({ id }) => id);
const [star] = await sql<{ id: number }[]>`select id from stars order by article_count desc limit 1`;
const ours = await start('./serve.ts', String(ports.ours), databaseUrl, 'PAGE_STORE_MB=1024');
const running: Child[] = [ours];
/** What bare `Bun.serve` answers per second here, and did on the machine of quality §Speed: what this one is worth. */
let bareHere = 0;
const bareThere = 105_000;

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
  const pages = { feed: '/ko', article: `/ko/article/${articleIds[0]}`, star: `/ko/star/${star?.id}` };
  for (const [name, path] of Object.entries(pages)) await hotPage(name, path);
  await firstRenders();
  await api();
  await stampede();
  await invalidationAcrossProcesses();
  for (const [name, path] of Object.entries(pages)) await bytes(name, path);
  for (const { kind, small, large } of await growth(
    { url: smallUrl, port: ports.small },
    { url: databaseUrl, port: ports.large },
  )) {
    const times = `${(large / small).toFixed(2)} (${small.toFixed(1)} / ${large.toFixed(1)} ms)`;
    say(`growth of ${kind}, 1,000 to ${scale} articles`, times, 'aim ≤ 2');
  }
  say('memory of the server afterwards', `${await memoryOf(ours.pid)} MB`, 'aim ≤ 250 MB');
}

/** The address of a database of that scale, filled on first use. */
async function seeded(articles: number): Promise<string> {
  const url = cluster.url(`bench_${articles}`);
  await createDatabase(url);
  await migrateDatabase(url, { dataDir });
  openDatabase(url);
  await seedForBench(articles);
  await closeDatabase();
  return url;
}

/** A page in the cache against bare `Bun.serve` with the same bytes and headers, in turn, three times. */
async function hotPage(name: string, path: string): Promise<void> {
  const headers = { 'accept-encoding': 'br' };
  const plan = { paths: [path], connections: 32, seconds, headers };
  // Often enough that the page has its tightest bytes, which bare then copies.
  for (let times = 0; times < 5; times += 1)
    await (await fetch(`${origin}${path}`, { headers })).arrayBuffer();
  await Bun.sleep(500);
  const bare = await start('./bare.ts', String(ports.bare), 'bun', `${origin}${path}`);
  running.push(bare);
  const ratios: number[] = [];
  let best = { ours: 0, bare: 0 };
  for (let round = 0; round < 3; round += 1) {
    const ourLoad = await measure({ ...plan, port: ports.ours });
    const bareLoad = await measure({ ...plan, port: ports.bare });
    ratios.push(ourLoad.perSecond / bareLoad.perSecond);
    best = { ours: ourLoad.perSecond, bare: bareLoad.perSecond };
    bareHere = Math.max(bareHere, bareLoad.perSecond);
  }
  await stop(bare);
  say(
    `hot ${name}`,
    `${median(ratios).toFixed(2)} (${best.ours} / ${best.bare} per s)`,
    'aim ≥ 0.85 of bare Bun.serve',
  );
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
  const share = (perSecond: number, bare: number) => ((perSecond / bare) * 1_000).toFixed(1);
  say(
    'first render of articles',
    `${result.perSecond} per s`,
    `aim ≥ 1300: ${share(1_300, bareThere)} ‰ of bare there, ${share(result.perSecond, bareHere)} ‰ here`,
  );
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
 * Reads of the API: uncached latency of one article and of pages of twenty whole ones, and revalidation by ETag; the pages
 * are held against a bare Elysia route with the same JSON.
 */
async function api(): Promise<void> {
  const path = '/api/articles?limit=20&language=en';
  const plan = { port: ports.ours, connections: 32, seconds };
  const oneArticle = await measure({
    ...plan,
    paths: articleIds.map((id) => `/api/articles/${id}?language=en`),
  });
  say(
    'API, one article uncached, p99',
    `${oneArticle.p99.toFixed(1)} ms (${oneArticle.perSecond} per s)`,
    'aim ≤ 25 ms',
  );
  const pages = await measure({
    ...plan,
    paths: Array.from({ length: 500 }, (_, page) => `${path}&offset=${page * 20}`),
  });
  const bare = await start('./bare.ts', String(ports.bare), 'elysia', `${origin}${path}`);
  running.push(bare);
  const ourLoad = await measure({ ...plan, paths: [path] });
  const bareLoad = await measure({ ...plan, port: ports.bare, paths: ['/api/articles'] });
  await stop(bare);
  const kilobytes = Math.round(pages.answerBytes / 1000);
  say(
    `API, twenty whole articles (${kilobytes} kB), p99`,
    `${pages.p99.toFixed(1)} ms (${pages.perSecond} per s)`,
    `aim ≤ 25 ms; bare Elysia, same JSON: ${bareLoad.p99.toFixed(1)} ms`,
  );
  say('API read, repeated', (ourLoad.perSecond / bareLoad.perSecond).toFixed(2), 'aim ≥ 0.5 of bare Elysia');
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
