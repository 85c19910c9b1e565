import { Counter, Gauge } from 'prom-client';
import { metrics } from '#db/metrics.ts';
import type { PageCache } from '../cache/page-cache.ts';

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

let watched: { pages: PageCache; reads: PageCache } | undefined;

/** From now on `/metrics` tells of these caches: of pages, and of public reads of the API. */
export function watchCaches(caches: { pages: PageCache; reads: PageCache }): void {
  watched = caches;
}

defineMetrics('page', 'pages', () => watched?.pages);
defineMetrics('read', 'answers', () => watched?.reads);
