import { isLang } from '#content/locales.ts';
import { listedPaths, type Route, type RouteName, routeNames, routes, textsOf } from '../../routes.ts';
import type { Parameter } from './parameters.ts';

/** A row of `site/routes.ts` as an address was found in it. */
export interface MatchedRoute {
  /** Undefined for what leads on: a redirect screen, which is an address without its language. */
  name: RouteName | undefined;
  for: Route['for'];
  /** The parameters that count, in fixed order. */
  query: ReadonlyMap<string, Parameter<unknown>>;
  /** Its language stands in its query (decision L4). */
  hasLangQuery: boolean;
  /** It may be a search, which is counted by address (decision S7). */
  mayBeSearch: boolean;
}

/** Addresses by what follows the language, or all of it where there is none. */
class RouteIndex {
  readonly #exact = new Map<string, MatchedRoute>();
  readonly #byFirstSegment = new Map<string, { pattern: RegExp; route: MatchedRoute }[]>();

  add(path: string, route: MatchedRoute): void {
    const texts = textsOf(path);
    if (texts.length === 1) {
      this.#exact.set(path, route);
      return;
    }
    const pattern = new RegExp(`^${texts.map(RegExp.escape).join('([^/]+)')}$`);
    const candidates = this.#byFirstSegment.get(firstSegment(path)) ?? [];
    candidates.push({ pattern, route });
    // What says more of the address comes first: `/events/:id.ics` before `/events/:id`.
    candidates.sort((a, b) => b.pattern.source.length - a.pattern.source.length);
    this.#byFirstSegment.set(firstSegment(path), candidates);
  }

  find(path: string): MatchedRoute | undefined {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    for (const { pattern, route } of this.#byFirstSegment.get(firstSegment(path)) ?? [])
      if (pattern.test(path)) return route;
    return undefined;
  }
}

/** `/article` of `/article/7`: by it an address is compared with few others. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? '' : path.slice(0, end);
}

/** Addresses of one person with a slash at their end: they lead on to those without it, and know nobody on the way. */
const slashRedirects = new Map<MatchedRoute, MatchedRoute>();

const prefix = '/:lang';
const prefixed = new RouteIndex();
const unprefixed = new RouteIndex();

/** The same address without its language; where that would begin with anything, one for each value. */
function unprefixedPaths(path: string): string[] {
  const unprefixedPath = path.slice(prefix.length);
  return unprefixedPath.startsWith('/:') ? listedPaths(unprefixedPath) : [unprefixedPath];
}

/** The addresses of redirect screens, `/` and those of `pages/` with parts as `site/routes.ts` writes them. */
export const redirectPaths: readonly string[] = Object.values<Route>(routes).flatMap(({ path, redirect }) =>
  redirect ? unprefixedPaths(path).map((each) => each || '/') : [],
);

/** `admin` of `/admin/stars/new`: the first words of what carries its language in its query. */
const langQueryRoots = new Set<string | undefined>();

for (const name of routeNames) {
  const route: Route = routes[name];
  const { path, redirect } = route;
  const query = new Map(Object.entries(route.query));
  const hasLangQuery = query.has('lang');
  const matched: MatchedRoute = {
    name,
    for: route.for,
    query,
    hasLangQuery,
    mayBeSearch: query.has('q'),
  };
  if (hasLangQuery) langQueryRoots.add(path.split('/', 2)[1]);
  if (!path.startsWith(prefix)) unprefixed.add(path, matched);
  else prefixed.add(path.slice(prefix.length), matched);
  if (matched.for === 'person') slashRedirects.set(matched, { ...matched, name: undefined, for: 'everyone' });
  if (!redirect) continue;
  const screen: MatchedRoute = {
    ...matched,
    name: undefined,
    query: new Map([...query].filter(([parameter]) => redirect.includes(parameter))),
    mayBeSearch: false,
  };
  for (const each of unprefixedPaths(path)) unprefixed.add(each, screen);
}

/** True for `/admin` and what lies below, whether there is such a page or not: its language stands in its query (L4). */
export const carriesLangInQuery = (path: string): boolean => langQueryRoots.has(path.split('/', 2)[1]);

/** True for `/ko` and what lies below: the address names its language. */
export const hasLanguagePrefix = (path: string): boolean =>
  isLang(path.slice(1, 3)) && (path.length === 3 || path[3] === '/');

/**
 * The row of an address, which every request of a page asks for: by its first words, so that it takes a fraction of a
 * microsecond. A slash at the end does not matter: Astro leads to the address without it.
 */
export function matchRoute(path: string): MatchedRoute | undefined {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  if (hasLanguagePrefix(path)) return prefixed.find(path.slice(3, end));
  const match = unprefixed.find(end === 1 ? '' : path.slice(0, end));
  return match && end < path.length ? (slashRedirects.get(match) ?? match) : match;
}

/** `/:lang/article/:id`: what a row is called where nobody's address is to be named. */
export const patternOf = (route: MatchedRoute | undefined): string =>
  route?.name ? routes[route.name].path : route ? 'redirect' : 'unknown';

/** The same for the path of an address. */
export const patternOfPage = (path: string): string => patternOf(matchRoute(path));
