import type { Lang } from '#content/locales.ts';
import { findStarProfile, listStars, starExists } from '#db/queries/stars/stars.ts';
import {
  type PhotoCategory,
  photoCategories,
  type StarCategory,
  type TimelineType,
} from '#db/schema/stars.ts';
import { contractPart, readArticles } from '../articles/articles.ts';
import type { Article } from '../articles/model.ts';
import { NotFound } from '../errors.ts';
import { readSearch } from '../input.ts';
import { starMarkPath } from '../media/paths.ts';
import type { StarBadge, StarListItem, StarPhotos, StarProfile, StarSummary, StarTimeline } from './model.ts';
import { readStarSearch } from './search.ts';
import { readStarPhotos, readStarTimeline, toPhoto, toTimelineEvent } from './stars.ts';

/** Stars as the API answers them (§3, §7). Pages use the shapes of `stars.ts`. */

const toSummary = ({ slug, ...star }: StarBadge): StarSummary => ({ ...star, imageUrl: starMarkPath(slug) });

export interface StarQuery {
  language: Lang;
  page: number;
  limit: number;
  search?: string | undefined;
  category?: StarCategory | undefined;
  withCount: boolean;
  /** Only these. */
  ids?: readonly number[] | undefined;
}

/** A page of stars, those with most articles first, and how many match (§7 `GET /api/stars`). One statement. */
export async function answerStars(query: StarQuery): Promise<{ stars: StarListItem[]; total: number }> {
  const { language, page, limit, category, withCount, ids } = query;
  const text = readSearch(query.search);
  const offset = (page - 1) * limit;
  const found = await listStars({
    language,
    limit,
    offset,
    category,
    ids,
    ...(text ? readStarSearch(text) : {}),
  });
  const stars = found.stars.map(({ articleCount, ...star }) =>
    withCount ? { ...toSummary(star), articleCount } : toSummary(star),
  );
  return { stars, total: found.total };
}

/**
 * A star's profile (§7). One statement.
 * @param visitor account that asks, for `isFollowing`
 * @throws NotFound
 */
export async function answerProfile(id: number, language: Lang, visitor?: number): Promise<StarProfile> {
  const row = await findStarProfile(id, language, visitor);
  if (!row) throw new NotFound('Star');
  const { biographies } = row;
  return {
    ...toSummary({
      id,
      slug: row.slug,
      name: row.name,
      category: row.category,
      fandomColor: row.fandomColor,
    }),
    followerCount: row.followerCount,
    isFollowing: row.isFollowing,
    profile: {
      agency: row.agency,
      debutDate: row.debutDate,
      realName: row.realName,
      birthDate: row.birthDate,
      nationality: row.nationality,
      height: row.height,
      bloodType: row.bloodType,
      mbti: row.mbti,
      fandomName: row.fandomName,
      fandomColor: row.fandomColor,
      biographyEn: biographies?.en ?? null,
      biographyKo: biographies?.ko ?? null,
      biographyMs: biographies?.ms ?? null,
      biographyVi: biographies?.vi ?? null,
      monthlyListeners: row.monthlyListeners,
      totalAlbumSales: row.totalAlbumSales,
    },
    socialMedia: row.social,
    milestones: row.timeline
      .map(toTimelineEvent)
      .map(({ date, ...rest }) => ({ ...rest, milestoneDate: date })),
    photos: row.photos.map(toPhoto),
    achievements: row.achievements,
    members: row.members.map(({ name, role, star }) => ({ name, role, starId: star?.id ?? null })),
    groups: row.groups.map(toSummary),
  };
}

/**
 * A star's photos by category, categories without photos left out (§7). One statement.
 * @throws NotFound
 */
export async function answerPhotos(
  id: number,
  language: Lang,
  category?: PhotoCategory,
): Promise<StarPhotos> {
  const photos = await readStarPhotos(id, language, category);
  if (!photos) throw new NotFound('Star');
  const categories = photoCategories
    .map((each) => ({ category: each, photos: photos.filter((photo) => photo.category === each) }))
    .filter((group) => group.photos.length > 0);
  return { starId: id, categories, totalPhotos: photos.length };
}

/**
 * A star's timeline, newest first (§7). One statement.
 * @throws NotFound
 */
export async function answerTimeline(id: number, language: Lang, type?: TimelineType): Promise<StarTimeline> {
  const events = await readStarTimeline(id, language, type);
  if (!events) throw new NotFound('Star');
  return { starId: id, events };
}

/**
 * A star's newest articles (§7). Two statements at most: an empty list asks whether the star exists.
 * @throws NotFound
 */
export async function answerStarArticles(
  id: number,
  language: Lang,
  limit: number,
): Promise<{ articles: Article[] }> {
  const articles = await readArticles(contractPart, { language, limit, offset: 0, starIds: [id] });
  if (articles.length === 0 && !(await starExists(id))) throw new NotFound('Star');
  return { articles };
}
