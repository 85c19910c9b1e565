import { api, internalOrigin } from '#api/app.ts';
import { type Clock, cacheRuleOf } from '#api/plugins/reads.ts';
import { chooseEncoding } from '../http/encodings.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { edgeControl } from './edge-control.ts';
import { observeRead } from './observe-render.ts';
import { compress } from './page-bytes.ts';
import { PageCache } from './page-cache.ts';
import type { RenderedResponse } from './page-entry.ts';

/** Public reads of the API in the page cache's manner: ready bytes, ETag, one query per key, outdated by the same tags. */
export class ReadCache extends PageCache {
  constructor(limitBytes: number) {
    super((request, key) => observeRead(request, pathOf(key), () => renderRead(key)), limitBytes);
  }

  /** The same with the clocks of an answer set as it is sent: they are not in what is kept, nor in its ETag. */
  override respond(request: Request, key: string): Response | Promise<Response> {
    const { clock } = cacheRuleOf(pathOf(key));
    return clock ? this.#respondInTime(request, key, clock) : super.respond(request, key);
  }

  async #respondInTime(request: Request, key: string, clock: Clock): Promise<Response> {
    const cached = await super.respond(request, key, 'identity');
    if (cached.status !== 200) return cached;
    const encoding = chooseEncoding(request);
    const headers = new Headers(cached.headers);
    headers.delete('age');
    if (encoding !== 'identity') headers.set('content-encoding', encoding);
    const json = clock.set(await cached.text(), Date.now());
    return new Response(await compress(new TextEncoder().encode(json), encoding), { headers });
  }
}

const pathOf = (pathAndQuery: string): string => pathAndQuery.split('?', 1)[0] ?? pathAndQuery;

/**
 * What is the same for everybody is made from its key, without anybody's address or headers, and whole for a HEAD or a conditional call
 * too.
 */
async function renderRead(key: string): Promise<RenderedResponse> {
  const { maxAge, swr, clock } = cacheRuleOf(pathOf(key));
  const startedAt = Date.now();
  const response = await api.handle(new Request(internalOrigin + key));
  const bytes = await response.bytes();
  const {
    etag: _,
    'content-length': __,
    'cache-tag': tags,
    ...otherHeaders
  } = Object.fromEntries(response.headers);
  const { status } = response;
  const headers = { ...securityHeaders(), ...otherHeaders };
  if (status !== 200 || !tags) return { status, body: bytes, headers, life: undefined };
  const life = { maxAge, swr, tags: tags.split(',') };
  // One with a clock is only right when it is sent, and may know who asks: it stays here.
  if (!clock) {
    const edgeHeaders = { 'cdn-cache-control': edgeControl(life), 'cache-tag': tags };
    return { status, body: bytes, headers: { ...headers, ...edgeHeaders }, life };
  }
  const json = clock.stop(new TextDecoder().decode(bytes));
  // Counted from the start of the call: what changed while it ran makes the answer stale at once.
  life.maxAge = Math.min(maxAge, (clock.changesAt(json, startedAt) - Date.now()) / 1000);
  return { status, body: new TextEncoder().encode(json), headers, life };
}
