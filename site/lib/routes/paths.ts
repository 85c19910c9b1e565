import { config } from '#api/config.ts';
import type { Lang } from '#content/locales.ts';
import { languages } from '#content/locales.ts';
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

const prefix = new RegExp(`^/(?:${languages.join('|')})(?=[/?]|$)`);

/** Pages without a prefix: their language is the preference, or the `lang` of their address (decision L4). */
export const isUnprefixed = (path: string): boolean =>
  matchRoute(path.split('?', 1)[0] ?? path)?.hasLangQuery ?? false;

/** The same page in another language: the prefix is stripped and rebuilt (§2 Header). */
export function inLanguage(path: string, lang: Lang): string {
  if (isUnprefixed(path)) {
    const [pathname = '', query] = path.split('?');
    const parameters = new URLSearchParams(query);
    parameters.set('lang', lang);
    return `${pathname}?${parameters}`;
  }
  return `/${lang}${path.replace(prefix, '')}`;
}

/** Absolute address; the origin is SITE_URL, never the request's (quality §Safe 12). */
export function absolute(path: string): string {
  return `${config().siteUrl}${path}`;
}
