/**
 * `bun run bench --only load [--scale 100000]`: what readers get in the first minute after a bulk load, beside what they get once
 * everything is warm. Loads a database anew, which takes minutes.
 */
import postgres from 'postgres';
import { startEmbedded } from '#db/embedded.ts';
import { numberOption } from './arguments.ts';
import { dataDir, fillAnew } from './data.ts';
import { measure, start, stop } from './processes.ts';

const port = 4424;
const windows = 10;
const secondsOfWindow = 6;

/** Prints first renders, every request another article, for a minute right after the load and for another minute. */
export async function benchBulkLoad(): Promise<void> {
  const scale = numberOption('scale', 100_000);
  const cluster = await startEmbedded(dataDir);
  const url = cluster.url('bench_load');
  const owner = postgres(cluster.url('postgres'), { max: 1, onnotice: () => {} });
  try {
    await fillAnew(owner, url, scale);
    console.log(`first renders in the minute after it: ${await firstRenders(url)}`);
    console.log(`by another process, once all is warm:  ${await firstRenders(url)}`);
    await owner`drop database bench_load with (force)`;
  } finally {
    await owner.end();
    await cluster.stop();
  }
}

/** Renders per second and the 99th percentile of each window, by a process that has just started: both times its code is new as well. */
async function firstRenders(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const languages = ['ko', 'en', 'ms', 'vi'];
  const rows = await sql<{ id: number }[]>`
    select id from articles where withdrawn_at is null order by random() limit 60000`;
  await sql.end();
  const paths = rows.map(({ id }, n) => `/${languages[n % languages.length]}/article/${id}`);
  const plan = { port, connections: 32, seconds: secondsOfWindow, headers: { 'accept-encoding': 'br' } };
  const told: string[] = [];
  const server = await start('./serve.ts', String(port), url);
  try {
    for (let window = 0, asked = 0; window < windows; window += 1) {
      const load = await measure({ ...plan, paths: paths.slice(asked) });
      asked += load.requests;
      told.push(`${load.perSecond}/s ${load.p99.toFixed(0)} ms`);
    }
  } finally {
    await stop(server);
  }
  return told.join(', ');
}
