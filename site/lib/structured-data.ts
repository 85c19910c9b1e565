import { type Lang, languageEntry } from '#content/locales.ts';
import { site } from '#content/site.ts';
import { absolute, type Crumb, paths } from './paths.ts';

/** Publisher of everything, as schema.org names it. */
export const publisher = () => ({
  '@type': 'Organization',
  name: site.name,
  url: absolute('/'),
  logo: { '@type': 'ImageObject', url: absolute('/media/brand/1x1-224.png'), width: 224, height: 224 },
});

/** WebSite with its search, for the home page. */
export function websiteData(lang: Lang): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: site.name,
    alternateName: site.nameInKorean,
    url: absolute(paths.home(lang)),
    inLanguage: languageEntry(lang).intl,
    publisher: publisher(),
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${absolute(paths.search(lang))}?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
}

/** BreadcrumbList of the trail that the page shows. */
export function breadcrumbData(crumbs: readonly Crumb[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map((crumb, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: crumb.name,
      item: absolute(crumb.path),
    })),
  };
}
