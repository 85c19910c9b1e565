import type { CacheProviderFactory } from 'astro';
import { invalidate } from '#api/invalidation.ts';

/** Lets `Astro.cache.set` speak in headers (`CDN-Cache-Control`, `Cache-Tag`), which our entry or a CDN consumes. */
const provider: CacheProviderFactory = () => ({
  name: 'byeol',
  invalidate: async ({ tags }) => {
    if (tags) await invalidate(typeof tags === 'string' ? [tags] : tags);
  },
});

export default provider;
