import { config } from '#api/config.ts';
import { preferredLanguage } from '#api/language/language.ts';
import { countFor } from '#api/plugins/rate-limits.ts';
import { isLang } from '#content/locales.ts';
import { edgeControl } from '../cache/edge-control.ts';
import type { RenderedResponse } from '../cache/page-entry.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { carriesLangInQuery, hasLanguagePrefix, type MatchedRoute } from '../routes/match-route.ts';
import { canonicalText } from '../routes/parameters.ts';
import { languageOf } from '../routes/request-language.ts';
import type { CriticalCss } from './critical-css.ts';
import { policyOf } from './page-policy.ts';

/**
 * The cache key of a request: its path and the parameters that its route declares in fixed order, and what else the page may
 * depend on. That is the reader's language where the path names none: error pages are in it (decision L7), below
 * `/admin` in that of the address (L4). Others, the
 * redirect's timestamp among them (L3), make no new page, and no page is rendered with them. Neither does a value that the page does
 * not know, or that it has without it: one page has one key, or whoever makes values up fills the cache with copies.
 * @param query what stands behind the `?`
 */
export function pageKey(
  path: string,
  query: string,
  route: MatchedRoute | undefined,
  acceptLanguage: string | null,
): string {
  const address = query !== '' && route && route.query.size > 0 ? path + declaredQuery(query, route) : path;
  if (hasLanguagePrefix(path)) return address;
  const requestedLang = !route && carriesLangInQuery(path) ? new URLSearchParams(query).get('lang') : null;
  return `${address} ${isLang(requestedLang) ? requestedLang : preferredLanguage(acceptLanguage)}`;
}

/** Written in the only way there is, as most are: nothing coded, nothing to be coded. */
const plainQuery = /^[\w.=&-]{0,200}$/;
const plainValue = /^[\w.-]*$/;

/** Of a query what its route's page reads, in the route's order, with its `?`; the first of what is there twice and is no list. */
function declaredQuery(query: string, route: MatchedRoute): string {
  // Any other takes ten times as long to be read.
  const pairs = plainQuery.test(query) ? query.split('&').map(pairOf) : [...new URLSearchParams(query)];
  const keptPairs: string[] = [];
  for (const [name, parameter] of route.query) {
    const [first, ...others] = pairs.filter(([other]) => other === name).map(([, value]) => value);
    if (first === undefined) continue;
    const text = canonicalText(parameter, parameter.isList ? [first, ...others].join(',') : first);
    if (text !== null) keptPairs.push(`${name}=${plainValue.test(text) ? text : encoded(text)}`);
  }
  return keptPairs.length > 0 ? `?${keptPairs.join('&')}` : '';
}

function pairOf(pair: string): [name: string, value: string] {
  const mark = pair.indexOf('=');
  return mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
}

const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/**
 * Renders a page for everybody who waits for it (quality §Safe 14): it knows what its key says and nothing else of a request,
 * least of all who asks. A page reads its life from the headers that `Astro.cache.set` made.
 * @param render Astro
 * @param key of `pageKey`
 */
export async function renderPublic(
  render: (request: Request) => Promise<Response>,
  request: Request,
  key: string,
  critical: CriticalCss,
): Promise<RenderedResponse> {
  const [address = '', readerLang] = key.split(' ');
  const [path = ''] = address.split('?', 1);
  const { siteUrl } = config();
  // As it was written: read as an address, another path would name another language.
  const requestedUrl = isAddress(path)
    ? new URL(address, siteUrl)
    : { pathname: path, searchParams: new URLSearchParams() };
  const lang = languageOf(requestedUrl, readerLang ?? null);
  const url = requestedUrl instanceof URL ? requestedUrl : new URL(`/${lang}/404`, siteUrl);
  const pageRequest = new Request(url, { headers: { 'accept-language': lang } });
  countFor(pageRequest, request);
  const response = await render(pageRequest);
  const { status } = response;
  const isPage = status < 300 || status >= 400;
  const life = status === 200 ? readLife(response.headers) : undefined;
  // What a cache of ours should not keep, others may.
  const ownControl = status === 200 ? response.headers.get('cache-control') : null;
  const pagePolicy = policyOf(response);
  const { html, policy } =
    isPage && pagePolicy ? critical.inline(await response.text(), pagePolicy) : { policy: pagePolicy };
  const headers: Record<string, string> = {
    ...securityHeaders(policy),
    'cache-control': life ? 'public, max-age=0, must-revalidate' : (ownControl ?? 'private, no-store'),
  };
  const names = lastingStatuses.has(status) ? [...keptHeaders, ...sharedCacheHeaders] : keptHeaders;
  for (const name of names) {
    const value = response.headers.get(name);
    if (value && (isPage || name !== 'content-type')) headers[name] = value;
  }
  if (life) headers['cdn-cache-control'] = edgeControl(life);
  if (!isPage) return { status, body: new Uint8Array(), headers, life };
  const body = html === undefined ? await response.bytes() : new TextEncoder().encode(html);
  return { status, body, headers, life };
}

const keptHeaders = ['content-type', 'location', 'link', 'x-robots-tag', 'retry-after'];
const sharedCacheHeaders = ['cdn-cache-control', 'cache-tag'];
/** What a CDN may keep: a page that failed had said how long it lives before it did, and its error would be kept so long. */
const lastingStatuses: ReadonlySet<number> = new Set([200, 301, 308, 404, 410]);

const pathCharacter = String.raw`(?:[\w.~-]|%20|%[89A-F][0-9A-F])`;
const pathSegment = String.raw`(?!\.{1,2}(?:/|$))${pathCharacter}+`;
const plainPath = new RegExp(`^/(?:${pathSegment}(?:/${pathSegment})*/?)?$`, 'i');

/**
 * Whether a path is written as ours are: words between single slashes, in which nothing is coded that need not be. Astro reads
 * others too, decoded and put right, and has addresses of its own under `/_`. It would show a page under an address that our own rules did not recognise.
 */
export const isAddress = (path: string): boolean =>
  plainPath.test(path) && isDecodable(path) && !path.startsWith('/_') && path !== '/500';

/** Bytes that are no UTF-8 are no text. */
function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function readLife(headers: Headers): RenderedResponse['life'] {
  const control = headers.get('cdn-cache-control');
  const maxAge = Number(control?.match(/max-age=(\d+)/)?.[1] ?? 0);
  if (!control || maxAge === 0) return undefined;
  const swr = Number(control.match(/stale-while-revalidate=(\d+)/)?.[1] ?? 0);
  const tags =
    headers
      .get('cache-tag')
      ?.split(',')
      .map((tag) => tag.trim()) ?? [];
  return { maxAge, swr, tags };
}
