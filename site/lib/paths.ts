import type { Lang } from '#content/locales.ts';
import { languages } from '#content/locales.ts';
import { config } from '#api/config.ts';

/** Addresses of the site's pages (§2); every link goes through here. */
export const paths = {
  home: (lang: Lang) => `/${lang}`,
  article: (lang: Lang, id: number) => `/${lang}/article/${id}`,
  star: (lang: Lang, id: number) => `/${lang}/star/${id}`,
  community: (lang: Lang) => `/${lang}/community`,
  channel: (lang: Lang, starId: number) => `/${lang}/community/${starId}`,
  events: (lang: Lang) => `/${lang}/events`,
  event: (lang: Lang, id: number) => `/${lang}/events/${id}`,
  category: (lang: Lang, slug: string) => `/${lang}/category/${slug}`,
  search: (lang: Lang, query?: string) => `/${lang}/search${query ? `?q=${encodeURIComponent(query)}` : ''}`,
  page: (lang: Lang, slug: string) => `/${lang}/${slug}`,
  feedPart: (lang: Lang) => `/${lang}/feed`,
  feed: (lang: Lang, format: 'rss.xml' | 'atom.xml' | 'feed.json') => `/${lang}/${format}`,
};

/** One step of the breadcrumb. */
export interface Crumb {
  name: string;
  path: string;
}

const prefix = new RegExp(`^/(?:${languages.join('|')})(?=/|$)`);

/** The same page in another language: the prefix is stripped and rebuilt (§2 Header). */
export function inLanguage(path: string, lang: Lang): string {
  return `/${lang}${path.replace(prefix, '')}`;
}

/** Absolute address; the origin is SITE_URL, never the request's (quality §Safe 12). */
export function absolute(path: string): string {
  return `${config().siteUrl}${path}`;
}
