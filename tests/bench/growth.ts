import postgres from 'postgres';
import { startEmbedded } from '#db/embedded.ts';
import { numberOption } from './arguments.ts';
import { benchDatabase, dataDir } from './data.ts';
import { type Child, median, processorOf, start, stop } from './processes.ts';

/** What is asked of both sizes; each address is asked once, so that nothing comes from a cache. */
type Kind = 'first render' | 'feed page, deep' | 'search' | 'month';

interface Size {
  origin: string;
  addresses: Record<Kind, string[]>;
  times: Record<Kind, number[]>;
}

const samples = 40;

/**
 * `bun run bench --only growth [--from 1000] [--scale 100000]`: growth alone, between any two sizes; up to a million articles.
 */
export async function benchGrowth(): Promise<void> {
  const [from, to] = [numberOption('from', 1_000), numberOption('scale', 100_000)];
  const cluster = await startEmbedded(dataDir);
  try {
    const [small, large] = [await benchDatabase(cluster, from), await benchDatabase(cluster, to)];
    sayGrowth(from, to, await growth({ url: small, port: 4414 }, { url: large, port: 4415 }));
  } finally {
    await cluster.stop();
  }
}

/** Prints it. */
export function sayGrowth(from: number, to: number, kinds: Awaited<ReturnType<typeof growth>>): void {
  const aim = to > 100_000 ? 3 : 2;
  for (const { kind, small, large } of kinds) {
    const name = `growth of ${kind}, ${from} to ${to} articles`;
    const times = `${(large / small).toFixed(2)} (${small.toFixed(1)} / ${large.toFixed(1)} ms)`;
    console.log(`${name.padEnd(54)} ${times.padStart(26)}   aim ≤ ${aim}`);
  }
}

/**
 * Growth of quality §Speed: the same questions to a small and a large database, in turn, by the median time of an answer.
 * The deep feed pages are those up to number 500 of the large database and up to the last full one of the small.
 */
export async function growth(
  small: { url: string; port: number },
  large: { url: string; port: number },
): Promise<{ kind: Kind; small: number; large: number }[]> {
  const running: Child[] = [];
  try {
    const sizes: Size[] = [];
    for (const { url, port } of [small, large]) {
      const server = await start('./serve.ts', String(port), url);
      running.push(server);
      await calm(server.pid);
      sizes.push({ origin: `http://127.0.0.1:${port}`, addresses: await addressesOf(url), times: none() });
    }
    for (let round = 0; round < samples; round += 1) for (const size of sizes) await askAll(size, round);
    const [smallSize, largeSize] = sizes;
    if (!smallSize || !largeSize) return [];
    return kinds.map((kind) => ({
      kind,
      small: median(smallSize.times[kind]),
      large: median(largeSize.times[kind]),
    }));
  } finally {
    for (const child of running) await stop(child);
  }
}

/** Waits for a second in which a server takes less than a tenth of a core: after its start it reads the colours of the stars ahead. */
async function calm(pid: number): Promise<void> {
  let before = Number.NEGATIVE_INFINITY;
  for (let used = await processorOf(pid); used - before >= 100; used = await processorOf(pid)) {
    before = used;
    await Bun.sleep(1_000);
  }
}

const kinds: readonly Kind[] = ['first render', 'feed page, deep', 'search', 'month'];
const none = (): Record<Kind, number[]> => ({
  'first render': [],
  'feed page, deep': [],
  search: [],
  month: [],
});

async function askAll({ origin, addresses, times }: Size, round: number): Promise<void> {
  for (const kind of kinds) {
    const address = addresses[kind][round];
    if (!address) continue;
    const startedAt = performance.now();
    const answer = await fetch(`${origin}${address}`);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
    // The first answers pay for compiling, not for the size.
    if (round >= 10) times[kind].push(performance.now() - startedAt);
  }
}

async function addressesOf(url: string): Promise<Record<Kind, string[]>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const articles = await sql<{ id: number; word: string }[]>`
    select a.id, split_part(r.title, ' ', 1) as word from articles a
    join article_rewrites r on r.article_id = a.id and r.language = 'ko'
    where a.withdrawn_at is null order by random() limit ${samples}`;
  const [count] = await sql<{ n: number }[]>`select count(*)::int as n from articles`;
  await sql.end();
  // Each sample is another page of twenty, up to the last full one.
  const deep = Math.min(500, Math.floor((count?.n ?? 0) / 20)) - samples;
  const months = Array.from({ length: samples }, (_, at) => new Date(Date.UTC(2026, at - 20, 1)));
  return {
    'first render': articles.map(({ id }) => `/en/article/${id}`),
    'feed page, deep': articles.map((_, at) => `/en?page=${deep + at + 1}`),
    search: articles.map(({ word }, at) => `/ko/search?q=${encodeURIComponent(word)}&offset=${at % 2}`),
    month: months.map((month) => `/en/events?month=${month.toISOString().slice(0, 7)}`),
  };
}
