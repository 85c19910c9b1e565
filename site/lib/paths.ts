import { config } from '#api/config.ts';
import type { Lang } from '#content/locales.ts';
import { languages } from '#content/locales.ts';

/** Addresses of the site's pages (§2); every link goes through here. */
export const paths = {
  home: (lang: Lang) => `/${lang}`,
  article: (lang: Lang, id: number) => `/${lang}/article/${id}`,
  star: (lang: Lang, id: number) => `/${lang}/star/${id}`,
  community: (lang: Lang) => `/${lang}/community`,
  channel: (lang: Lang, starId: number) => `/${lang}/community/${starId}`,
  events: (lang: Lang) => `/${lang}/events`,
  eventsFile: (lang: Lang) => `/${lang}/events.ics`,
  starEventsFile: (lang: Lang, id: number) => `/${lang}/star/${id}/events.ics`,
  eventsPart: (lang: Lang) => `/${lang}/events/part`,
  eventMonth: (lang: Lang) => `/${lang}/events/month.json`,
  event: (lang: Lang, id: number) => `/${lang}/events/${id}`,
  category: (lang: Lang, slug: string) => `/${lang}/category/${slug}`,
  search: (lang: Lang, query?: string) => `/${lang}/search${query ? `?q=${encodeURIComponent(query)}` : ''}`,
  page: (lang: Lang, slug: string) => `/${lang}/${slug}`,
  /** The language goes along: these pages have no prefix (decision L4). `next` is where the visitor wants to be. */
  login: (lang: Lang, next?: string) =>
    `/login?lang=${lang}${next ? `&next=${encodeURIComponent(next)}` : ''}`,
  register: (lang: Lang, next?: string) => `${paths.login(lang, next)}&tab=register`,
  forgot: (lang: Lang) => `/login/forgot?lang=${lang}`,
  profile: (lang: Lang) => `/profile?lang=${lang}`,
  feedPart: (lang: Lang) => `/${lang}/feed`,
  feed: (lang: Lang, format: 'rss.xml' | 'atom.xml' | 'feed.json') => `/${lang}/${format}`,
};

/** One step of the breadcrumb. */
export interface Crumb {
  name: string;
  path: string;
}

const prefix = new RegExp(`^/(?:${languages.join('|')})(?=[/?]|$)`);

/** Pages without a prefix: their language is the preference, or the `lang` of their address (decision L4). */
export const isUnprefixed = (path: string): boolean => /^\/(?:login|profile|admin)(?=[/?]|$)/.test(path);

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
