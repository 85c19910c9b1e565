import { isLang } from '#content/locales.ts';
import { listedPaths, type Route, type RouteName, routeNames, routes, textsOf } from '../../routes.ts';

/** A row of `site/routes.ts` as an address was found in it. */
export interface MatchedRoute {
  /** Undefined for what leads on: a redirect screen, which is an address without its language. */
  name: RouteName | undefined;
  for: Route['for'];
  /** The parameters that count, in fixed order; true where every occurrence does. */
  query: ReadonlyMap<string, boolean>;
  /** Its language stands in its query (decision L4). */
  asksLanguage: boolean;
  /** It may be a search, which is counted by address (decision S7). */
  mayBeSearch: boolean;
}

/** Addresses by what follows the language, or all of it where there is none. */
class Index {
  readonly #whole = new Map<string, MatchedRoute>();
  readonly #byHead = new Map<string, { pattern: RegExp; found: MatchedRoute }[]>();

  add(path: string, found: MatchedRoute): void {
    const texts = textsOf(path);
    if (texts.length === 1) {
      this.#whole.set(path, found);
      return;
    }
    const pattern = new RegExp(`^${texts.map(RegExp.escape).join('([^/]+)')}$`);
    const rivals = this.#byHead.get(headOf(path)) ?? [];
    rivals.push({ pattern, found });
    // What says more of the address comes first: `/events/:id.ics` before `/events/:id`.
    rivals.sort((a, b) => b.pattern.source.length - a.pattern.source.length);
    this.#byHead.set(headOf(path), rivals);
  }

  find(path: string): MatchedRoute | undefined {
    const whole = this.#whole.get(path);
    if (whole) return whole;
    for (const { pattern, found } of this.#byHead.get(headOf(path)) ?? [])
      if (pattern.test(path)) return found;
    return undefined;
  }
}

/** `/article` of `/article/7`: by it an address is compared with few others. */
function headOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? '' : path.slice(0, end);
}

/** Addresses of one person with a slash at their end: they lead on to those without it, and know nobody on the way. */
const withSlash = new Map<MatchedRoute, MatchedRoute>();

const prefix = '/:lang';
const behindLanguage = new Index();
const bare = new Index();

/** The same address without its language; where that would begin with anything, one for each value. */
function unprefixedPaths(path: string): string[] {
  const rest = path.slice(prefix.length);
  return rest.startsWith('/:') ? listedPaths(rest) : [rest];
}

const queryOf = (route: Route, names = Object.keys(route.query)) =>
  new Map(names.map((name) => [name, route.query[name]?.isList ?? false]));

/** The addresses of redirect screens, `/` and those of `pages/` with parts as `site/routes.ts` writes them. */
export const redirectPaths: readonly string[] = Object.values<Route>(routes).flatMap(({ path, redirect }) =>
  redirect ? unprefixedPaths(path).map((each) => each || '/') : [],
);

/** `admin` of `/admin/stars/new`: the first words of what carries its language in its query. */
const asking = new Set<string | undefined>();

for (const name of routeNames) {
  const route: Route = routes[name];
  const { path, redirect } = route;
  const query = queryOf(route);
  const asksLanguage = 'lang' in route.query;
  const found: MatchedRoute = { name, for: route.for, query, asksLanguage, mayBeSearch: 'q' in route.query };
  if (asksLanguage) asking.add(path.split('/', 2)[1]);
  if (!path.startsWith(prefix)) bare.add(path, found);
  else behindLanguage.add(path.slice(prefix.length), found);
  if (found.for === 'person') withSlash.set(found, { ...found, name: undefined, for: 'everyone' });
  if (!redirect) continue;
  const screen: MatchedRoute = {
    ...found,
    name: undefined,
    query: queryOf(route, [...redirect]),
    mayBeSearch: false,
  };
  for (const each of unprefixedPaths(path)) bare.add(each, screen);
}

/** True for `/admin` and what lies below, whether there is such a page or not: its language stands in its query (L4). */
export const isBelowAsking = (path: string): boolean => asking.has(path.split('/', 2)[1]);

/** True for `/ko` and what lies below: the address names its language. */
export const namesLanguage = (path: string): boolean =>
  isLang(path.slice(1, 3)) && (path.length === 3 || path[3] === '/');

/**
 * The row of an address, which every request of a page asks for: by its first words, so that it takes a fraction of a
 * microsecond. A slash at the end does not matter: Astro leads to the address without it.
 */
export function matchRoute(path: string): MatchedRoute | undefined {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  if (namesLanguage(path)) return behindLanguage.find(path.slice(3, end));
  const found = bare.find(end === 1 ? '' : path.slice(0, end));
  return found && end < path.length ? (withSlash.get(found) ?? found) : found;
}
