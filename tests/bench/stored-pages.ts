import postgres from 'postgres';
import type { LoadPlan, LoadResult } from './load.ts';
import { type Child, measure, median, processorOf, start, stop } from './processes.ts';

interface Bench {
  databaseUrl: string;
  /** A process that has the page in memory. */
  ours: { port: number; child: Child };
  /** Where another is started. */
  port: number;
  seconds: number;
  /** First renders under the same load. */
  rendered: LoadResult;
  say(name: string, value: string, aim: string): void;
}

const rounds = 3;

/** A load, with the microseconds of a core that the process took for each answer. */
async function measured(child: Child, plan: LoadPlan): Promise<LoadResult & { cost: number }> {
  const before = await processorOf(child.pid);
  const result = await measure(plan);
  const used = (await processorOf(child.pid)) - before;
  return { ...result, cost: (used * 1_000) / result.requests };
}

/**
 * Pages that another process rendered, from the store, against one page in memory: by answers in a second, in which the database takes
 * part, and by what the process itself works for each. The process that asks has memory for so few pages that it asks for each anew.
 */
export async function benchStoredPages(bench: Bench): Promise<void> {
  const { databaseUrl, ours, port, seconds, rendered, say } = bench;
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  // Pages that are to be made anew meanwhile would be in the figure.
  const rows = await sql<{ key: string }[]>`
    update stored_pages set fresh_until = now() + interval '1 hour' where key like '/en/article/%' returning key`;
  await sql.end();
  const paths = rows.map(({ key }) => key);
  const plan = { connections: 32, seconds, headers: { 'accept-encoding': 'br' } };
  const second = await start(
    './serve.ts',
    String(port),
    databaseUrl,
    'PAGE_STORE_MB=1024',
    'PAGE_CACHE_MB=1',
  );
  try {
    const first = await measured(second, { ...plan, port, paths, once: true });
    const pairs: Record<'hot' | 'stored', Awaited<ReturnType<typeof measured>>>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const hot = await measured(ours.child, { ...plan, port: ours.port, paths: paths.slice(0, 1) });
      pairs.push({ hot, stored: await measured(second, { ...plan, port, paths }) });
    }
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const renders = /^byeol_page_renders_total (\d+)/m.exec(text)?.[1] ?? 'unknown';
    const of = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value));
    const perSecond = of(({ stored }) => stored.perSecond);
    const times = of(({ hot, stored }) => hot.perSecond / stored.perSecond).toFixed(1);
    const work = of(({ hot, stored }) => stored.cost / hot.cost).toFixed(1);
    say('a page that another process rendered', `${times} hot ones (${perSecond} per s)`, 'aim ≤ 4');
    say('  work of the process itself', `${work} (${of(({ stored }) => stored.cost).toFixed(0)} µs)`, '');
    say('  p99', `${of(({ stored }) => stored.p99).toFixed(1)} ms`, 'aim ≤ 60');
    say("  the process's first ones", `${first.perSecond} per s, p99 ${first.p99.toFixed(1)} ms`, '');
    say('  first renders in that time', (rendered.perSecond / perSecond).toFixed(2), '');
    say(`  renders of ${paths.length} pages`, renders, 'aim 0');
  } finally {
    await stop(second);
  }
}
