import { type Lang, languages, type Translated } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import {
  findPhotos,
  findStarProfile,
  findTimeline,
  listPopularStars,
  listStarColours,
  type PhotoRow,
  type TimelineRow,
} from '#db/queries/stars/stars.ts';
import type { PhotoCategory, TimelineType } from '#db/schema/stars.ts';
import { cardPart, readArticles } from '../articles/articles.ts';
import type { ArticleCard } from '../articles/model.ts';
import { picturePath, starMarkPath, storedAspect } from '../media/paths.ts';
import { sizeOf } from '../media/variants.ts';
import type { Photo, StarBadge, StarPage, TimelineEvent } from './model.ts';

/** Ground of a hero nobody drew yet: the dark of the brand's own picture. */
const darkGround = '#1a1e28';

/** The stars with most articles, named in `language`. */
export function readPopularStars(language: Lang, limit: number): Promise<StarBadge[]> {
  return listPopularStars(language, limit);
}

/** The colours of the stars with most articles, each once. */
export const readStarColours = (limit: number): Promise<string[]> => listStarColours(limit);

/**
 * Everything the page of a star shows except its articles (§2 Star profile); undefined when there is no such star.
 * One statement. Dates are `YYYY-MM-DD`.
 */
export async function readStarProfile(id: number, language: Lang): Promise<StarPage | undefined> {
  const row = await findStarProfile(id, language);
  if (!row) return undefined;
  const { isFollowing: _, heroPlaceholder, names, biographies, timeline, photos, ...rest } = row;
  return {
    ...rest,
    imageUrl: starMarkPath(row.slug),
    heroPlaceholder: heroPlaceholder ?? darkGround,
    names: names ?? {},
    biographies: biographies ?? {},
    biography: firstBiography(biographies ?? {}, language),
    timeline: timeline.map(toTimelineEvent),
    photos: photos.map(toPhoto),
  };
}

/** The newest articles of a star (§9: 10), as cards. One statement; empty when there is no such star. */
export function readStarArticles(
  id: number,
  language: Lang,
  limit: number = limits.starArticles,
): Promise<ArticleCard[]> {
  return readArticles(cardPart, { language, limit, offset: 0, starIds: [id] });
}

/** The timeline of a star, newest first, optionally of one type; undefined when there is no such star. */
export async function readStarTimeline(
  id: number,
  language: Lang,
  type?: TimelineType,
): Promise<TimelineEvent[] | undefined> {
  const rows = await findTimeline(id, language, type);
  return rows?.map(toTimelineEvent);
}

/** The photos of a star in their order, optionally of one category; undefined when there is no such star. */
export async function readStarPhotos(
  id: number,
  language: Lang,
  category?: PhotoCategory,
): Promise<Photo[] | undefined> {
  const rows = await findPhotos(id, language, category);
  return rows?.map(toPhoto);
}

/** §9 biography fallback, after the page's own language and before the others in the order of menus (decision L1). */
const biographyOrder: readonly Lang[] = ['en', 'ko'];

function firstBiography(biographies: Partial<Translated>, language: Lang): StarPage['biography'] {
  for (const each of [language, ...biographyOrder, ...languages]) {
    const text = biographies[each];
    if (text) return { language: each, text };
  }
  return undefined;
}

/** A stored entry as the contract has it. */
export function toTimelineEvent({ pictureKey, ...rest }: TimelineRow): TimelineEvent {
  return { ...rest, imageUrl: pictureKey && picturePath(pictureKey, '3:2', 480) };
}

/** A stored photo as the contract has it, its files on our origin (decision M3). */
export function toPhoto(row: PhotoRow): Photo {
  const aspect = storedAspect(row.aspect);
  return {
    ...row,
    aspect,
    photoUrl: picturePath(row.pictureKey, aspect, sizeOf(aspect).width),
    thumbnailUrl: picturePath(row.pictureKey, aspect, 480),
  };
}
