import { type Lang, languages, type Translated } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { listStars } from '#db/queries/stars/list.ts';
import {
  findPhotos,
  findStarProfile,
  findTimeline,
  listPopularStars,
  listStarColours,
  type PhotoRow,
  starExists,
  type TimelineRow,
} from '#db/queries/stars/stars.ts';
import {
  type PhotoCategory,
  photoCategories,
  type StarCategory,
  type TimelineType,
} from '#db/schema/stars.ts';
import { type ArticlePart, readArticles } from '../articles/articles.ts';
import { missingStar } from '../directory/missing-star.ts';
import { readSearch } from '../input.ts';
import { picturePath, starImagePath, storedAspect } from '../media/paths.ts';
import { sizeOf } from '../media/variants.ts';
import { withImageUrl } from './badge.ts';
import { gatherPeriods } from './membership-periods.ts';
import type {
  FullStarProfile,
  Photo,
  StarBadge,
  StarCard,
  StarPhotos,
  StarTimeline,
  TimelineEvent,
} from './model.ts';
import { readStarSearch } from './search.ts';

/** Ground of a hero nobody drew yet: the dark of the brand's own picture. */
const darkGround = '#1a1e28';

interface StarQuery {
  language: Lang;
  limit: number;
  offset: number;
  search?: string | undefined;
  category?: StarCategory | undefined;
  /** Only these. */
  ids?: readonly number[] | undefined;
}

/** A page of stars, those with most articles first (§7 `GET /api/stars`), and how many match. One statement. */
export function readStars({ search, ...filter }: StarQuery): Promise<{ stars: StarCard[]; total: number }> {
  const text = readSearch(search);
  return listStars({ ...filter, ...(text ? readStarSearch(text) : {}) });
}

/** The stars with most articles, named in `language`. */
export function readPopularStars(language: Lang, limit: number): Promise<StarBadge[]> {
  return listPopularStars(language, limit);
}

/** The colours of the stars with most articles, each once. */
export const readStarColours = (limit: number): Promise<string[]> => listStarColours(limit);

/** @throws NotFound when there is no such star, Moved when it was merged. One statement. */
export async function assertStar(id: number): Promise<void> {
  if (!(await starExists(id))) throw await missingStar(id);
}

/**
 * Everything that is told of a star except its articles (§2 Star profile, §7); undefined when there is no such star. One statement.
 * Dates are as precise as they are known.
 * @param visitor account that asks, for `isFollowing`
 */
export async function readStarProfile(
  id: number,
  language: Lang,
  visitor?: number,
): Promise<FullStarProfile | undefined> {
  const row = await findStarProfile(id, language, visitor);
  if (!row) return undefined;
  const { biographies } = row;
  return {
    id,
    slug: row.slug,
    name: row.name,
    category: row.category,
    avatarKey: row.avatarKey,
    imageUrl: starImagePath(row),
    fandomColor: row.fandomColor,
    followerCount: row.followerCount,
    isFollowing: row.isFollowing,
    profile: {
      agency: row.agency,
      debutDate: row.debutDate,
      realName: row.realName,
      birthDate: row.birthDate,
      activity: row.activity,
      endDate: row.endDate,
      nationality: row.nationality,
      height: row.height,
      bloodType: row.bloodType,
      mbti: row.mbti,
      fandomName: row.fandomName,
      fandomColor: row.isColorDrawn ? null : row.fandomColor,
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
    members: gatherPeriods(row.members.map((member) => ({ ...member, starId: member.star?.id ?? null }))),
    groups: row.groups.map(withImageUrl),
    names: row.names ?? {},
    aliases: row.aliases,
    heroKey: row.heroKey,
    heroPlaceholder: row.heroPlaceholder ?? darkGround,
    heroAlt: row.heroAlt,
    heroCredit: row.heroCredit,
    avatarCredit: row.avatarCredit,
    sources: row.sources,
    articleCount: row.articleCount,
    biography: firstBiography(biographies ?? {}, language),
  };
}

/** The newest articles of a star (§9: 10), as much of each as the part says; none when there is no such star. */
export const readStarArticles = <Row, Shape>(
  part: ArticlePart<Row, Shape>,
  id: number,
  language: Lang,
  limit: number = limits.starArticles,
): Promise<Shape[]> => readArticles(part, { language, limit, offset: 0, starIds: [id] });

/**
 * A star's timeline, newest first, optionally of one type (§7). One statement.
 * @throws NotFound, Moved
 */
export async function readStarTimeline(
  id: number,
  language: Lang,
  type?: TimelineType,
): Promise<StarTimeline> {
  const rows = await findTimeline(id, language, type);
  if (!rows) throw await missingStar(id);
  return { starId: id, events: rows.map(toTimelineEvent) };
}

/**
 * A star's photos by category, optionally of one, categories without photos left out (§7). One statement.
 * @throws NotFound, Moved
 */
export async function readStarPhotos(
  id: number,
  language: Lang,
  category?: PhotoCategory,
): Promise<StarPhotos> {
  const rows = await findPhotos(id, language, category);
  if (!rows) throw await missingStar(id);
  const photos = rows.map(toPhoto);
  const categories = photoCategories
    .map((each) => ({ category: each, photos: photos.filter((photo) => photo.category === each) }))
    .filter((group) => group.photos.length > 0);
  return { starId: id, categories, totalPhotos: photos.length };
}

/** §9 biography fallback, after the page's own language and before the others in the order of menus (decision L1). */
const biographyOrder: readonly Lang[] = ['en', 'ko'];

function firstBiography(biographies: Partial<Translated>, language: Lang): FullStarProfile['biography'] {
  for (const each of [language, ...biographyOrder, ...languages]) {
    const text = biographies[each];
    if (text) return { language: each, text };
  }
  return undefined;
}

/** A stored entry as the contract has it. */
function toTimelineEvent({ pictureKey, ...rest }: TimelineRow): TimelineEvent {
  return { ...rest, imageUrl: pictureKey && picturePath(pictureKey, '3:2', 480) };
}

/** A stored photo as the contract has it, its files on our origin (decision M3). */
function toPhoto(row: PhotoRow): Photo {
  const aspect = storedAspect(row.aspect);
  return {
    ...row,
    aspect,
    photoUrl: picturePath(row.pictureKey, aspect, sizeOf(aspect).width),
    thumbnailUrl: picturePath(row.pictureKey, aspect, 480),
  };
}
