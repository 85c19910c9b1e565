import type { APIContext } from 'astro';

/** Lets a page be kept, fresh and stale together, for no longer than what it shows stays true. `left` in seconds. */
export function keepAtMost(cache: APIContext['cache'], left: number): void {
  const { maxAge, swr = 0 } = cache.options;
  if (maxAge === undefined || left >= maxAge + swr) return;
  const most = Math.max(1, Math.floor(left));
  cache.set({ maxAge: Math.min(maxAge, most), swr: Math.max(0, Math.min(swr, most - maxAge)) });
}
