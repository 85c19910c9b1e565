import { Counter, Gauge } from 'prom-client';
import { metrics } from '#db/metrics.ts';
import type { PageCache } from '../cache/page-cache.ts';
import type { PageStore } from '../cache/page-store.ts';

const registers = [metrics];

/** A cache's own numbers, read when somebody asks. */
function defineMetrics(name: string, entries: string, cacheOf: () => PageCache | undefined): void {
  const counter = (suffix: string, help: string, labelNames: string[], read: (counter: Counter) => void) =>
    new Counter({
      name: `byeol_${name}_${suffix}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        read(this);
      },
    });
  const gauge = (suffix: string, help: string, read: (cache: PageCache) => number) =>
    new Gauge({
      name: `byeol_${name}_${suffix}`,
      help,
      registers,
      collect() {
        const cache = cacheOf();
        if (cache) this.set(read(cache));
      },
    });
  counter('cache_answers_total', 'Answers by how the cache came to them.', ['kind'], (answers) => {
    const { evicted: _, ...kinds } = cacheOf()?.counts ?? { evicted: 0 };
    for (const [kind, count] of Object.entries(kinds)) answers.inc({ kind }, count);
  });
  counter('cache_evictions_total', 'Entries that left because the cache was full.', [], (evictions) => {
    evictions.inc(cacheOf()?.counts.evicted ?? 0);
  });
  counter('renders_total', 'Answers made for the cache.', [], (renders) => {
    renders.inc(cacheOf()?.renders ?? 0);
  });
  gauge('cache_bytes', 'Bytes that the cache holds.', ({ bytes }) => bytes);
  gauge('cache_limit_bytes', 'Bytes that the cache may hold.', ({ limitBytes }) => limitBytes);
  gauge(`cache_${entries}`, 'Entries of the cache.', ({ size }) => size);
}

interface Watched {
  pages: PageCache;
  reads: PageCache;
  store: PageStore | undefined;
}
let watched: Watched | undefined;

/** From now on `/metrics` tells of these caches: of pages, of public reads of the API, and of the pages that processes share. */
export function watchCaches(caches: Watched): void {
  watched = caches;
}

defineMetrics('page', 'pages', () => watched?.pages);
defineMetrics('read', 'answers', () => watched?.reads);

new Counter({
  name: 'byeol_page_store_answers_total',
  help: 'Pages asked of what processes share: found, missing, or not asked because it was slow or away.',
  labelNames: ['kind'],
  registers,
  collect() {
    this.reset();
    const { found = 0, missing = 0, away = 0 } = watched?.store?.counts ?? {};
    for (const [kind, count] of Object.entries({ found, missing, away })) this.inc({ kind }, count);
  },
});
new Counter({
  name: 'byeol_page_store_writes_total',
  help: 'Pages given to what processes share: stored, or dropped because it was slow, away, or behind.',
  labelNames: ['outcome'],
  registers,
  collect() {
    this.reset();
    const { stored = 0, dropped = 0 } = watched?.store?.counts ?? {};
    for (const [outcome, count] of Object.entries({ stored, dropped })) this.inc({ outcome }, count);
  },
});
