import type { ArticlePage } from '#api/articles/model.ts';
import { sentencesOf } from '#api/articles/summary.ts';
import type { StarPage } from '#api/stars/model.ts';
import { intlTag, type Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';
import type { StarCategory } from '#db/schema/stars.ts';
import { sourceLanguage } from '../../i18n/source-language.ts';
import { words } from '../../i18n/words.ts';
import { absolute, type Crumb, paths } from '../routes/paths.ts';
import { truncate } from './head.ts';

/** Publisher of everything, as schema.org names it. */
const publisher = () => ({
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
    inLanguage: intlTag(lang),
    publisher: publisher(),
    potentialAction: {
      '@type': 'SearchAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: `${absolute(paths.search(lang))}?q={search_term_string}`,
      },
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

const aboutTypes = {
  'K-Pop Group': 'MusicGroup',
  'Solo Artist': 'Person',
  Actor: 'Person',
  Actress: 'Person',
  Idol: 'Person',
} as const satisfies Record<StarCategory, string>;

/**
 * NewsArticle of a story, in the language it is shown in. That a machine wrote it stands in `backstory` and
 * `digitalSourceType` (decision P4).
 */
export function articleData(article: ArticlePage): object {
  const { language, pictureKey } = article;
  const address = absolute(paths.article(language, article.id));
  const rewritten = article.aiAssisted && article.rewrittenAt !== null;
  const originalLanguage = sourceLanguage(article.originalTitle);
  return {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    mainEntityOfPage: { '@type': 'WebPage', '@id': address },
    url: address,
    headline: truncate(article.title, 110),
    description: sentencesOf(article.summary).join(' '),
    image: ['1x1-1200', '3x2-1200', '1200x630-1200'].map((file) =>
      absolute(`/media/${pictureKey ?? 'brand'}/${file}.jpg`),
    ),
    datePublished: article.publishedAt,
    dateModified: article.updatedAt,
    inLanguage: intlTag(language),
    articleSection: article.entertainmentCategory,
    isAccessibleForFree: true,
    author: publisher(),
    publisher: publisher(),
    publishingPrinciples: absolute(paths.page(language, 'editorial')),
    ...(rewritten && {
      backstory: backstory(article),
      digitalSourceType: 'https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource',
    }),
    ...(article.reviewer && rewritten && { editor: { '@type': 'Person', name: article.reviewer } }),
    isBasedOn: {
      '@type': 'NewsArticle',
      headline: truncate(article.originalTitle, 110),
      url: article.originalUrl,
      inLanguage: originalLanguage && intlTag(originalLanguage),
      datePublished: article.originalPublishedAt,
      author: { '@type': 'Organization', name: article.outlet },
    },
    about: article.articleStars.map(({ star }) => ({
      '@type': aboutTypes[star.category],
      name: star.name,
      url: absolute(paths.star(language, star.id)),
    })),
  };
}

/** How the story came to be, in one or two sentences of its language. */
function backstory({ language, outlet, model, reviewer }: ArticlePage): string {
  const t = words(language);
  const origin = t('article:backstory', { outlet, model: model ?? '' });
  return reviewer ? `${origin} ${t('article:backstoryReviewed', { name: reviewer })}` : origin;
}

const schemaEntity = (
  lang: Lang,
  type: 'Person' | 'MusicGroup',
  { id, name }: { id: number; name: string },
) => ({
  '@type': type,
  name,
  url: absolute(paths.star(lang, id)),
});

/** Person or MusicGroup of a star's profile: only what is known, official accounts as `sameAs`. */
export function starData(lang: Lang, star: StarPage): object {
  const isGroup = star.category === 'K-Pop Group';
  const otherNames = [...new Set([...Object.values(star.names), ...star.aliases])].filter(
    (name) => name !== star.name,
  );
  const groups = star.groups.filter(({ isFormer }) => !isFormer);
  const accounts = star.socialMedia.filter(({ isOfficial, platform }) => isOfficial && platform !== 'vlive');
  return {
    '@context': 'https://schema.org',
    '@type': aboutTypes[star.category],
    name: star.name,
    alternateName: otherNames.length > 0 ? otherNames : undefined,
    url: absolute(paths.star(lang, star.id)),
    image: absolute(star.heroKey ? `/media/${star.heroKey}/1200x630-1200.jpg` : star.imageUrl),
    description: star.biography ? truncate(star.biography.text, 300) : undefined,
    sameAs: accounts.length > 0 ? accounts.map(({ profileUrl }) => profileUrl) : undefined,
    ...(isGroup
      ? {
          foundingDate: star.profile.debutDate ?? undefined,
          member: star.members
            .filter(({ isFormer }) => !isFormer)
            .map(({ name, star: member }) =>
              member ? schemaEntity(lang, 'Person', member) : { '@type': 'Person', name },
            ),
        }
      : {
          birthDate: star.profile.birthDate ?? undefined,
          nationality: star.profile.nationality
            ? { '@type': 'Country', name: star.profile.nationality }
            : undefined,
          memberOf:
            groups.length > 0 ? groups.map((group) => schemaEntity(lang, 'MusicGroup', group)) : undefined,
        }),
  };
}
