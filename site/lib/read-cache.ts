import { api } from '#api/app.ts';
import { lifeOf } from '#api/plugins/reads.ts';
import { PageCache, type Rendered } from './page-cache.ts';
import { securityHeaders } from './security-headers.ts';

/** Public reads of the API in the page cache's manner: ready bytes, ETag, one query per key, outdated by the same tags. */
export function readCache(limitBytes: number): PageCache {
  return new PageCache(renderRead, limitBytes);
}

/** What is the same for everybody is made without anybody's headers, and whole for a HEAD or a conditional call too. */
async function renderRead({ url }: Request): Promise<Rendered> {
  const response = await api.handle(new Request(url));
  const body = new Uint8Array(await response.arrayBuffer());
  const {
    etag: _,
    'content-length': __,
    'cache-tag': tags,
    ...headers
  } = Object.fromEntries(response.headers);
  const life =
    response.status === 200 && tags ? { ...lifeOf(new URL(url).pathname), tags: tags.split(',') } : undefined;
  return { status: response.status, body, headers: { ...securityHeaders(), ...headers }, life };
}
