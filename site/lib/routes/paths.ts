import { localizePath } from 'astro-i18next';
import { config } from '#api/config.ts';
import type { Lang } from '#content/locales.ts';
import {
  type PathValues,
  type Route,
  type RouteName,
  type Routes,
  routeNames,
  routes,
  textsOf,
} from '../../routes.ts';
import { matchRoute } from './match-route.ts';

type QueryValue = string | number | undefined;
type LinkQuery<Name extends RouteName> = Partial<Record<keyof Routes[Name]['query'], QueryValue>>;
type Link<Name extends RouteName> = (...values: [...PathValues<Name>, query?: LinkQuery<Name>]) => string;

/** A parameter of an address; the commas of a list stay readable. */
function writeParameter(name: string, value: string, isList = false): string {
  const encoded = new URLSearchParams([[name, value]]).toString();
  return isList ? encoded.replaceAll('%2C', ',') : encoded;
}

/** Writes addresses of a route: the parts of its path in their order, then what its query says; what is empty is left out. */
function linkTo({ path, query }: Route) {
  const [start = '', ...texts] = textsOf(path);
  const names = Object.keys(query);
  return (...values: readonly (QueryValue | Readonly<Record<string, QueryValue>>)[]): string => {
    let address = start;
    texts.forEach((text, index) => {
      address += `${values[index]}${text}`;
    });
    const queryValues = values[texts.length];
    if (typeof queryValues !== 'object') return address;
    const pairs = names
      .filter((name) => queryValues[name])
      .map((name) => writeParameter(name, String(queryValues[name]), query[name]?.isList));
    return pairs.length > 0 ? `${address}?${pairs.join('&')}` : address;
  };
}

/** Addresses of the site's pages (§2), made from `site/routes.ts`; every link goes through here. */
export const paths = Object.fromEntries(routeNames.map((name) => [name, linkTo(routes[name])])) as {
  [Name in RouteName]: Link<Name>;
};

/** One step of the breadcrumb. */
export interface Crumb {
  name: string;
  path: string;
}

/** Pages without a prefix: their language is the preference, or the `lang` of their address (decision L4). */
export const isUnprefixed = (path: string): boolean =>
  matchRoute(path.split('?', 1)[0] ?? path)?.hasLangQuery ?? false;

/** The same page in another language: the prefix is stripped and rebuilt, by astro-i18next (§2 Header, decision W6). */
export function inLanguage(path: string, lang: Lang): string {
  const mark = path.indexOf('?');
  const pathname = mark < 0 ? path : path.slice(0, mark);
  const query = mark < 0 ? '' : path.slice(mark);
  // Without the site's root it would ask Astro's settings for it, which only a build fills in.
  if (!isUnprefixed(path)) return `${localizePath(pathname, lang, '/')}${query}`;
  const parameters = new URLSearchParams(query);
  parameters.set('lang', lang);
  // Where it leads afterwards is chosen with it.
  const next = parameters.get('next');
  if (next?.startsWith('/')) parameters.set('next', inLanguage(next, lang));
  return `${pathname}?${parameters}`;
}

/** Absolute address; the origin is SITE_URL, never the request's (quality §Safe 12). */
export function absolute(path: string): string {
  return `${config().siteUrl}${path}`;
}
