import { type DocumentDecoration, Elysia } from 'elysia';
import type { TagPattern } from '../tags.ts';
import { etagOf, matchesEtag } from './etags.ts';
import { routeEntry } from './methods.ts';
import { hasCredentials } from './session.ts';

/** What runs by itself in an answer's JSON. Moments are milliseconds. */
export interface Clock {
  /** The JSON as it stands at a moment. */
  set(json: string, now: number): string;
  /** The JSON as it stands at no moment: what memory keeps and an ETag names. */
  stop(json: string): string;
  /** The first moment after `now` at which the stopped JSON is another, though nobody writes. */
  changesAt(json: string, now: number): number;
}

interface Read {
  /** Seconds a browser may keep it without asking; 0: it asks each time and gets 304 when nothing changed. */
  maxAge?: number;
  /** The answer knows who asks: with credentials it is private, and never comes from memory. */
  personal?: boolean;
  /** Seconds for which it may still be answered from memory once it is out of date, while it is made anew. */
  swr?: number;
  /**
   * Tags of `invalidate` that make the answer out of date; `star:` gets the id of the path. Without any it is made anew for
   * every call, as it must be where calls are limited.
   */
  tags?: readonly TagPattern[];
  /** A parameter with which every call is made anew. */
  freshWith?: string;
  /** For an answer in which something runs by itself. */
  clock?: Clock;
}

/** Seconds for which shared caches hold what no write has outdated: those of pages. */
const sharedLife = { maxAge: 60, swr: 600 } as const;

/**
 * Public reads (quality §Safe 14): `read: {}` on a route makes its JSON public with a weak ETag and answers 304.
 * Everything else is `private, no-store` by `api/app.ts`.
 */
export const reads = new Elysia({ name: 'reads' }).macro({
  read: ({ maxAge = 0, personal = false, tags = [], freshWith, swr = sharedLife.swr, clock }: Read) => ({
    detail: describeRule(tags, { freshWith, personal, swr, clock }),
    mapResponse({ responseValue, request, params, query, set }) {
      if (responseValue instanceof Response || responseValue instanceof Error) return;
      if (typeof set.status === 'number' && set.status !== 200) return;
      if (personal && hasCredentials(request)) return;
      const json = JSON.stringify(responseValue);
      const body = Buffer.from(json);
      const etag = etagOf(clock ? Buffer.from(clock.stop(json)) : body);
      const headers = new Headers({
        'cache-control': maxAge > 0 ? `public, max-age=${maxAge}` : 'public, max-age=0, must-revalidate',
        etag,
      });
      if (personal) headers.set('vary', 'Authorization, Cookie');
      if (tags.length > 0 && !isEmptySelection(query, responseValue))
        headers.set('cache-tag', tags.map((tag) => withId(tag, params)).join(','));
      for (const [name, value] of Object.entries(set.headers)) {
        if (!headers.has(name) && value !== undefined) headers.set(name, String(value));
      }
      if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers });
      headers.set('content-type', 'application/json; charset=utf-8');
      return new Response(body, { headers });
    },
  }),
});

interface CacheRule {
  freshWith: string | undefined;
  personal: boolean;
  swr: number;
  clock: Clock | undefined;
}
type DescribedRule = DocumentDecoration & { 'x-shared'?: CacheRule };

/** Only the description of a route stays readable once the route is built; `registerReads` finds the rule there. */
const describeRule = (tags: readonly TagPattern[], rule: CacheRule): DescribedRule =>
  tags.length > 0 ? { 'x-shared': rule } : {};

const isCacheRule = (value: unknown): value is CacheRule =>
  typeof value === 'object' && value !== null && 'personal' in value && 'swr' in value;

/**
 * There is a page beyond a list's end for every number, and a list of nothing for every star that there is not: each would drive out an
 * answer that is asked for.
 */
function isEmptySelection(
  { offset, page, starIds, categoryIds }: Readonly<Record<string, unknown>>,
  answer: unknown,
): boolean {
  const isChosen =
    Number(offset) > 0 || Number(page) > 1 || starIds !== undefined || categoryIds !== undefined;
  if (!isChosen || typeof answer !== 'object' || answer === null) return false;
  const list = 'events' in answer ? answer.events : answer;
  return Array.isArray(list) && list.length === 0;
}

function withId(tag: TagPattern, params: unknown): string {
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : undefined;
  return tag.endsWith(':') ? `${tag}${id}` : tag;
}

interface Route {
  method: string;
  path: string;
  hooks: { detail?: object; query?: unknown };
}

type SharedRoute = CacheRule & { parameters: ReadonlySet<string> };

/** By what the router keeps of a route. */
let sharedRoutes: ReadonlyMap<object | number, SharedRoute> = new Map();

function sharedRouteOf(path: string): SharedRoute | undefined {
  const entry = routeEntry('GET', path);
  return entry === undefined ? undefined : sharedRoutes.get(entry);
}

/** Learns which of the finished API's routes may be shared; `api/app.ts` calls it once, after `registerRoutes`. */
export function registerReads(routes: readonly Route[]): void {
  const entries = routes.flatMap(({ method, path, hooks: { detail = {}, query } }) => {
    if (method !== 'GET' || !('x-shared' in detail)) return [];
    const rule: unknown = detail['x-shared'];
    if (!isCacheRule(rule)) return [];
    const properties =
      typeof query === 'object' && query !== null && 'properties' in query ? query.properties : {};
    // The path itself is one of its addresses: `/stars/:id` is that of a star called `:id`.
    const entry = routeEntry(method, path);
    return entry === undefined
      ? []
      : [[entry, { ...rule, parameters: new Set(Object.keys(properties ?? {})) }] as const];
  });
  sharedRoutes = new Map(entries);
}

/** How memory keeps the answer of an address that `sharedKey` named: for how many seconds, and what runs in it by itself. */
export function cacheRuleOf(path: string): { maxAge: number; swr: number; clock: Clock | undefined } {
  const { swr = sharedLife.swr, clock } = sharedRouteOf(path) ?? {};
  return { maxAge: sharedLife.maxAge, swr, clock };
}

/**
 * The key under which a read may be answered from memory: its path and parameters in fixed order. Undefined when it must be
 * made anew, as with a parameter that its route does not know: whoever shares a key must have asked the same, and for an
 * answer that knows who asks, as nobody.
 */
export function sharedKey(pathAndQuery: string, request: Request): string | undefined {
  const queryStart = pathAndQuery.indexOf('?');
  const path = queryStart < 0 ? pathAndQuery : pathAndQuery.slice(0, queryStart);
  const route = sharedRouteOf(path);
  if (route?.personal && hasCredentials(request)) return undefined;
  if (!route || queryStart < 0) return route && path;
  const query = [...new URLSearchParams(pathAndQuery.slice(queryStart + 1))];
  if (query.some(([name]) => name === route.freshWith || !route.parameters.has(name))) return undefined;
  return `${path}?${new URLSearchParams(query.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
