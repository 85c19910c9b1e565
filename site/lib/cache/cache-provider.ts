import type { CacheProviderFactory } from 'astro';
import { invalidate } from '#api/invalidation.ts';
import { isTag } from '#api/tags.ts';

/** Lets `Astro.cache.set` speak in headers (`CDN-Cache-Control`, `Cache-Tag`), which our entry or a CDN consumes. */
const provider: CacheProviderFactory = () => ({
  name: 'byeol',
  invalidate: async ({ tags }) => {
    await invalidate([tags ?? []].flat().filter(isTag));
  },
});

export default provider;
