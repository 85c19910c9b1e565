import { api } from '#api/app.ts';
import { type Clock, cacheRuleOf } from '#api/plugins/reads.ts';
import { chooseEncoding } from '../http/encodings.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { PageCache, press, type Rendered } from './page-cache.ts';

/** Public reads of the API in the page cache's manner: ready bytes, ETag, one query per key, outdated by the same tags. */
export class ReadCache extends PageCache {
  constructor(limitBytes: number) {
    super(renderRead, limitBytes);
  }

  /** The same with the clocks of an answer set as it is sent: they are not in what is kept, nor in its ETag. */
  override respond(request: Request, key: string): Response | Promise<Response> {
    const { clock } = cacheRuleOf(pathOf(key));
    return clock ? this.#respondInTime(request, key, clock) : super.respond(request, key);
  }

  async #respondInTime(request: Request, key: string, clock: Clock): Promise<Response> {
    const plainly = new Request(request.url, { headers: conditionOf(request) });
    const kept = await super.respond(plainly, key);
    if (kept.status !== 200) return kept;
    const encoding = chooseEncoding(request);
    const headers = new Headers(kept.headers);
    if (encoding !== 'identity') headers.set('content-encoding', encoding);
    const json = clock.set(await kept.text(), Date.now());
    return new Response(await press(new TextEncoder().encode(json), encoding), { headers });
  }
}

const pathOf = (pathAndQuery: string): string => pathAndQuery.split('?', 1)[0] ?? pathAndQuery;

function conditionOf({ headers }: Request): Record<string, string> {
  const known = headers.get('if-none-match');
  return known === null ? {} : { 'if-none-match': known };
}

/** What is the same for everybody is made without anybody's headers, and whole for a HEAD or a conditional call too. */
async function renderRead({ url }: Request): Promise<Rendered> {
  const { maxAge, swr, clock } = cacheRuleOf(new URL(url).pathname);
  const begun = Date.now();
  const response = await api.handle(new Request(url));
  const made = await response.bytes();
  const {
    etag: _,
    'content-length': __,
    'cache-tag': tags,
    ...others
  } = Object.fromEntries(response.headers);
  const { status } = response;
  const headers = { ...securityHeaders(), ...others };
  if (status !== 200 || !tags) return { status, body: made, headers, life: undefined };
  const life = { maxAge, swr, tags: tags.split(',') };
  if (!clock) return { status, body: made, headers, life };
  const json = clock.stop(new TextDecoder().decode(made));
  // Seen from the moment at which it was begun: what changed meanwhile is made anew.
  life.maxAge = Math.min(maxAge, (clock.changesAt(json, begun) - Date.now()) / 1000);
  return { status, body: new TextEncoder().encode(json), headers, life };
}
