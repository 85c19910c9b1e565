import { config } from '#api/config.ts';
import { preferredLanguage } from '#api/language/language.ts';
import { countFor } from '#api/plugins/limits.ts';
import { isLang } from '#content/locales.ts';
import type { CriticalCss } from './critical-css.ts';
import type { Rendered } from './page-cache.ts';
import { policyOf, withoutIslands } from './page-policy.ts';
import { languageOfRequest } from './request-language.ts';
import { securityHeaders } from './security-headers.ts';

/** Query parameters that public pages read. Others, the redirect's timestamp among them (L3), do not make a new page. */
const pageParameters = new Set([
  'page',
  'tab',
  'q',
  'category',
  'type',
  'sort',
  'stars',
  'offset',
  'range',
  'month',
  'date',
  'categories',
  'tz',
  'show',
]);

/**
 * The cache key of a request: its path and the known parameters in fixed order, and what else the page may depend on. That is
 * the reader's language where the path names none: error pages are in it (decision L7).
 */
export function pageKey(pathAndQuery: string, acceptLanguage: string | null): string {
  const [path, query] = split(pathAndQuery);
  const known =
    query === '' ? [] : [...new URLSearchParams(query)].filter(([name]) => pageParameters.has(name));
  known.sort(([a], [b]) => (a < b ? -1 : 1));
  const address = known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`;
  return namesLanguage(path) ? address : `${address} ${preferredLanguage(acceptLanguage)}`;
}

/**
 * Renders a page for everybody who waits for it (quality §Safe 14): of the request it knows nothing but the address and what
 * `pageKey` makes of the language, least of all who asks. A page reads its life from the headers that `Astro.cache.set` made.
 * @param render Astro
 * @param pathAndQuery as it was asked for
 */
export async function renderPublic(
  render: (request: Request) => Promise<Response>,
  request: Request,
  pathAndQuery: string,
  critical: CriticalCss,
): Promise<Rendered> {
  const [path] = split(pathAndQuery);
  const lang = languageOfRequest(path, request.headers.get('accept-language'));
  const url = new URL(isAddress(path) ? pathAndQuery : `/${lang}/404`, config().siteUrl);
  const inner = new Request(url, { headers: { 'accept-language': lang } });
  countFor(inner, request);
  const response = await render(inner);
  const { status } = response;
  const isPage = status < 300 || status >= 400;
  const life = status === 200 ? readLife(response.headers) : undefined;
  // What a cache of ours should not keep, others may.
  const ownControl = status === 200 ? response.headers.get('cache-control') : null;
  const written = policyOf(response);
  const { html, policy } =
    isPage && written ? critical.inline(await response.text(), withoutIslands(written)) : { policy: written };
  const headers: Record<string, string> = {
    ...securityHeaders(policy),
    'cache-control': life ? 'public, max-age=0, must-revalidate' : (ownControl ?? 'private, no-store'),
  };
  for (const name of kept) {
    const value = response.headers.get(name);
    if (value && (isPage || name !== 'content-type')) headers[name] = value;
  }
  if (!isPage) return { status, body: new Uint8Array(), headers, life };
  const body = html === undefined ? await response.bytes() : new TextEncoder().encode(html);
  return { status, body, headers, life };
}

const kept = [
  'content-type',
  'location',
  'link',
  'cdn-cache-control',
  'cache-tag',
  'x-robots-tag',
  'retry-after',
];

const sign = String.raw`(?:[\w.~-]|%20|%[89A-F][0-9A-F])`;
const word = String.raw`(?!\.{1,2}(?:/|$))${sign}+`;
const address = new RegExp(`^/(?:${word}(?:/${word})*/?)?$`, 'i');

/**
 * Whether a path is written as ours are: words between single slashes, in which nothing is coded that need not be. Astro reads
 * others too, decoded and put right, and has addresses of its own under `/_`. It would show a page under an address that our own rules did not recognise.
 */
const isAddress = (path: string): boolean => address.test(path) && !path.startsWith('/_') && path !== '/500';

const namesLanguage = (path: string): boolean => isLang(path.slice(1, 3)) && (path[3] ?? '/') === '/';

function split(pathAndQuery: string): [path: string, query: string] {
  const mark = pathAndQuery.indexOf('?');
  return mark < 0 ? [pathAndQuery, ''] : [pathAndQuery.slice(0, mark), pathAndQuery.slice(mark + 1)];
}

function readLife(headers: Headers): Rendered['life'] {
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
