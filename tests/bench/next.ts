/**
 * `bun run bench --only next [--scale 100000] [--seconds 3]`: first renders of articles, every request another one, beside a Next.js
 * site that renders the same articles from the same database at each request, in turn on the same machine (quality §Speed). Installs Next.js in
 * `.data/bench/next`, which takes the registry and half a minute the first time.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { startEmbedded } from '#db/embedded.ts';
import { until } from '#tests/kit/until.ts';
import { numberOption } from './arguments.ts';
import { benchDatabase, dataDir } from './data.ts';
import type { LoadPlan, LoadResult } from './load.ts';
import { measure, median, start, stop } from './processes.ts';

const ports = { ours: 4426, another: 4427, next: 4428 };
const rounds = 3;
const folder = join(dataDir, 'next');

/** Prints renders per second and their 99th percentile on both sides, and how many pages come from the store of pages meanwhile. */
export async function benchNext(): Promise<void> {
  const node = Bun.which('node');
  if (!node) {
    console.log('Next.js runs on Node, which is not installed: it is left out.');
    return;
  }
  const version = await buildNext(node);
  const cluster = await startEmbedded(dataDir);
  try {
    const databaseUrl = await benchDatabase(cluster, numberOption('scale', 100_000));
    const ids = await startAnew(databaseUrl);
    console.log(`Next.js ${version}, median of ${rounds} rounds in turn, 32 connections, one process each`);
    await compare(node, databaseUrl, ids);
  } finally {
    await cluster.stop();
  }
}

/** Copies, installs and builds the site of Next.js. @returns its version @throws where the registry does not answer */
async function buildNext(node: string): Promise<string> {
  cpSync(new URL('./next', import.meta.url).pathname, folder, { recursive: true });
  const run = async (...command: string[]) => {
    const child = Bun.spawn(command, {
      cwd: folder,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
      stdout: 'ignore',
      stderr: 'inherit',
    });
    if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed in ${folder}`);
  };
  await run(process.execPath, 'install', '--production');
  await run(node, 'node_modules/next/dist/bin/next', 'build');
  return (await Bun.file(join(folder, 'node_modules/next/package.json')).json()).version;
}

/** Empties the store of pages: what a run before stored would not be rendered. @returns articles that are shown, in any order */
async function startAnew(databaseUrl: string): Promise<number[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await sql`truncate stored_pages, page_reads`;
    const rows = await sql<{ id: number }[]>`
      select id from articles where withdrawn_at is null order by random() limit 60000`;
    return rows.map(({ id }) => id);
  } finally {
    await sql.end();
  }
}

async function startNext(node: string, databaseUrl: string): Promise<Bun.Subprocess> {
  const child = Bun.spawn(
    [node, 'node_modules/next/dist/bin/next', 'start', '-p', String(ports.next), '-H', '127.0.0.1'],
    {
      cwd: folder,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        NEXT_TELEMETRY_DISABLED: '1',
        DATABASE_URL: databaseUrl,
      },
      stdout: 'ignore',
      stderr: 'inherit',
    },
  );
  await until(
    () =>
      fetch(`http://127.0.0.1:${ports.next}/`).then(
        () => true,
        () => false,
      ),
    30_000,
  );
  return child;
}

/** Both sites render articles in turn; then another process of ours answers what the first rendered, from the store. */
async function compare(node: string, databaseUrl: string, ids: readonly number[]): Promise<void> {
  const seconds = numberOption('seconds', 3) * 2;
  const headers = { 'accept-encoding': 'br, gzip' };
  const plan = { connections: 32, seconds, headers };
  const next = await startNext(node, databaseUrl);
  const ours = await start('./serve.ts', String(ports.ours), databaseUrl, 'PAGE_STORE_MB=1024');
  const another = await start(
    './serve.ts',
    String(ports.another),
    databaseUrl,
    'PAGE_STORE_MB=1024',
    'PAGE_CACHE_MB=1',
  );
  const sites = {
    ours: articlesInTurn(
      { ...plan, port: ports.ours },
      ids.map((id) => `/en/article/${id}`),
    ),
    next: articlesInTurn(
      { ...plan, port: ports.next },
      ids.map((id) => `/article/${id}`),
    ),
  };
  try {
    const page = await (await fetch(`http://127.0.0.1:${ports.next}/article/${ids[0]}`)).text();
    if (!page.includes('<article>')) throw new Error('the site of Next.js shows no article');
    const warmedUp = { ours: await sites.ours(), next: await sites.next() };
    const results: Record<'ours' | 'next' | 'stored', LoadResult>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const rendered = await sites.ours();
      const stored = await measure({
        ...plan,
        port: ports.another,
        paths: ids.slice(0, warmedUp.ours.requests).map((id) => `/en/article/${id}`),
      });
      results.push({ ours: rendered, next: await sites.next(), stored });
    }
    sayResults(results);
  } finally {
    for (const child of [ours, another]) await stop(child);
    next.kill('SIGTERM');
    await next.exited;
  }
}

/** A load that goes on with the articles that were not asked for yet. */
function articlesInTurn(plan: Omit<LoadPlan, 'paths'>, paths: readonly string[]): () => Promise<LoadResult> {
  let asked = 0;
  return async () => {
    const result = await measure({ ...plan, paths: paths.slice(asked) });
    asked += result.requests + plan.connections;
    return result;
  };
}

function sayResults(results: readonly Record<'ours' | 'next' | 'stored', LoadResult>[]): void {
  const of = (value: (result: (typeof results)[number]) => number) => median(results.map(value));
  const say = (name: string, site: 'ours' | 'next' | 'stored', aim: string) => {
    const times = of((result) => result[site].perSecond / result.next.perSecond);
    const perSecond = of((result) => result[site].perSecond);
    const p99 = of((result) => result[site].p99);
    const failures = results.reduce((sum, result) => sum + result[site].failures, 0);
    console.log(
      `${name.padEnd(34)} ${perSecond} per s, p99 ${p99.toFixed(0)} ms, failures ${failures}: ${times.toFixed(1)} × Next.js${aim}`,
    );
  };
  say('Next.js', 'next', '');
  say('first render', 'ours', ', aim ≥ 2.7');
  say('a page that another process rendered', 'stored', ', aim ≥ 4');
}
