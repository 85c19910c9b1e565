import { asc, desc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { FactSource } from '#content/fact-source.ts';
import type { Lang, Translated } from '#content/locales.ts';
import type { PartialDate } from '#content/partial-date.ts';
import { database, type Transaction } from '../../client.ts';
import { type ExternalSource, starExternalIds, starFacts, starRedirects } from '../../schema/directory.ts';
import { pictures } from '../../schema/media.ts';
import {
  type Activity,
  achievements,
  achievementTranslations,
  type PhotoCategory,
  photos,
  photoTranslations,
  type SocialPlatform,
  type StarCategory,
  socialLinks,
  starAliases,
  starMembers,
  starProfiles,
  stars,
  starTranslations,
  type TimelineType,
  timelineEvents,
  timelineTranslations,
} from '../../schema/stars.ts';
import { isOneOf } from '../../sql.ts';

/** What reads a star's rows: the database, or a transaction that has locked them. */
export type Reader = Pick<Transaction, 'select'>;

type WordsOf<Words> = Partial<Record<Lang, Words>>;
interface PictureOf {
  key: string;
}

/** A star's document as it is stored: what is not known is left out (`api/directory/model.ts` describes it for everybody). */
export interface StoredDocument {
  slug: string;
  externalIds?: Partial<Record<ExternalSource, string>>;
  category: StarCategory;
  /** Left out: nobody told it. */
  fandomColor?: string;
  words: WordsOf<StoredWords>;
  aliases?: string[];
  birthDate?: PartialDate;
  debutDate?: PartialDate;
  endDate?: PartialDate;
  activity: Activity;
  parent?: string;
  height?: number;
  bloodType?: string;
  mbti?: string;
  monthlyListeners?: number;
  totalAlbumSales?: number;
  hero?: PictureOf;
  avatar?: PictureOf;
  members?: StoredMember[];
  photos?: StoredPhoto[];
  timeline?: StoredTimelineEvent[];
  achievements?: StoredAchievement[];
  socialLinks?: StoredSocialLink[];
  sources?: Record<string, FactSource>;
}

/** What a star is called and said to be in one language. */
export interface StoredWords {
  name: string;
  agency?: string;
  realName?: string;
  nationality?: string;
  fandomName?: string;
  biography?: string;
}

/** A member of a group; `star` is the slug of its own profile. */
export interface StoredMember {
  star?: string;
  names: Partial<Translated>;
  roles?: Partial<Translated>;
  since?: PartialDate;
  until?: PartialDate;
  isFormer: boolean;
  source?: FactSource;
}

/** A photo of a star. */
export interface StoredPhoto {
  picture: PictureOf;
  category: PhotoCategory;
  photographer?: string;
  takenAt?: PartialDate;
  isOfficial: boolean;
  words: WordsOf<{ title: string; description?: string }>;
}

/** Something that happened to a star. */
export interface StoredTimelineEvent {
  date: PartialDate;
  type: TimelineType;
  importance: number;
  isHighlight: boolean;
  picture?: PictureOf;
  relatedUrl?: string;
  words: WordsOf<{ title: string; description?: string }>;
  source?: FactSource;
}

/** An award that a star won or was nominated for. */
export interface StoredAchievement {
  awardDate: PartialDate;
  result: 'won' | 'nominated';
  words: WordsOf<{
    achievement: string;
    awardName: string;
    awardCategory?: string;
    organisation?: string;
    workTitle?: string;
  }>;
  source?: FactSource;
}

/** An account of a star on a platform; `countedOn` is the day on which its followers were counted. */
export interface StoredSocialLink {
  platform: SocialPlatform;
  profileUrl: string;
  displayName: string;
  platformUserId?: string;
  isVerified: boolean;
  isOfficial: boolean;
  followerCount?: number;
  countedOn?: string;
  source?: FactSource;
}

/** The lists of a star's document, whose entries have ids of their own. */
export const starLists = ['members', 'photos', 'timeline', 'achievements', 'socialLinks'] as const;
export type StarList = (typeof starLists)[number];

/** A star as its editor has it. */
export interface StarWithDocument {
  id: number;
  /** Of its own fields: another one once somebody has changed one of them. Lists have a version per entry. */
  version: string;
  hiddenAt: Date | null;
  /** `#rrggbb` that stands for it: its fan colour, else the one that was drawn. */
  accent: string;
  document: StoredDocument;
  /** All that it is called in other directories, as `kpopnet:…`: one that others were merged into has several of one directory. */
  externalNames: string[];
  /** Ids of the entries of each list, in the document's order. */
  itemIds: Record<StarList, number[]>;
  /** The profiles of the members, in the document's order. */
  memberIds: (number | null)[];
}

/** Which version of a thing was read, by what it says. */
export const contentVersion = (content: unknown): string => Bun.hash(JSON.stringify(content)).toString(36);

type Known<Row> = { [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key] } & {
  [Key in keyof Row as null extends Row[Key] ? Key : never]?: NonNullable<Row[Key]>;
};

/** A row without what is not known. */
function known<Row extends object>(row: Row): Known<Row> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  ) as Known<Row>;
}

/** A list, or undefined where it has no entry. */
const unlessEmpty = <Item>(items: readonly Item[]): Item[] | undefined =>
  items.length > 0 ? [...items] : undefined;

/** The key of the picture that is drawn for a star which has no photograph of its own. */
export const drawnHeroKey = (slug: string): string => `star-${slug}-hero`;

const parent = alias(stars, 'parent');
const memberStar = alias(stars, 'member_star');
const ownFields = {
  id: stars.id,
  slug: stars.slug,
  category: stars.category,
  accent: stars.fandomColor,
  isColorDrawn: stars.isColorDrawn,
  heroKey: stars.heroKey,
  avatarKey: stars.avatarKey,
  hiddenAt: stars.hiddenAt,
  birthDate: starProfiles.birthDate,
  debutDate: starProfiles.debutDate,
  endDate: starProfiles.endDate,
  activity: starProfiles.activity,
  parent: parent.slug,
  height: starProfiles.height,
  bloodType: starProfiles.bloodType,
  mbti: starProfiles.mbti,
  monthlyListeners: starProfiles.monthlyListeners,
  totalAlbumSales: starProfiles.totalAlbumSales,
};
const wordColumns = {
  name: starTranslations.name,
  agency: starTranslations.agency,
  realName: starTranslations.realName,
  nationality: starTranslations.nationality,
  fandomName: starTranslations.fandomName,
  biography: starTranslations.biography,
};

/**
 * The documents of stars, in the order of their ids: of these, or of all. A fixed number of statements for however many.
 * @param reader a transaction that has locked them; else the database
 */
export async function findStarDocuments(
  ids?: readonly number[],
  reader: Reader = database(),
): Promise<StarWithDocument[]> {
  const of = (column: Parameters<typeof isOneOf>[0]) => (ids ? isOneOf(column, ids) : undefined);
  const [
    rows,
    words,
    aliases,
    externalIds,
    members,
    photoRows,
    photoWords,
    timeline,
    timelineWords,
    awards,
    awardWords,
    links,
    facts,
  ] = await Promise.all([
    reader
      .select(ownFields)
      .from(stars)
      .leftJoin(starProfiles, eq(starProfiles.starId, stars.id))
      .leftJoin(parent, eq(parent.id, starProfiles.parentId))
      .where(of(stars.id))
      .orderBy(asc(stars.id)),
    reader
      .select({ owner: starTranslations.starId, language: starTranslations.language, words: wordColumns })
      .from(starTranslations)
      .where(of(starTranslations.starId))
      .orderBy(asc(starTranslations.language)),
    reader
      .select({ owner: starAliases.starId, alias: starAliases.alias })
      .from(starAliases)
      .where(of(starAliases.starId)),
    reader
      .select({
        owner: starExternalIds.starId,
        source: starExternalIds.source,
        externalId: starExternalIds.externalId,
      })
      .from(starExternalIds)
      .where(of(starExternalIds.starId))
      // The last of a directory stands in the document: the star's own, where it has one.
      .orderBy(sql`${starExternalIds.mergedFrom} desc nulls last`, desc(starExternalIds.externalId)),
    reader
      .select({
        id: starMembers.id,
        owner: starMembers.groupId,
        memberId: starMembers.memberId,
        item: {
          star: memberStar.slug,
          names: starMembers.names,
          roles: starMembers.roles,
          since: starMembers.since,
          until: starMembers.until,
          isFormer: starMembers.isFormer,
          source: starMembers.source,
        },
      })
      .from(starMembers)
      .leftJoin(memberStar, eq(memberStar.id, starMembers.memberId))
      .where(of(starMembers.groupId))
      .orderBy(asc(starMembers.position), asc(starMembers.id)),
    reader
      .select({
        id: photos.id,
        owner: photos.starId,
        picture: photos.pictureKey,
        item: {
          category: photos.category,
          photographer: photos.photographer,
          takenAt: photos.takenAt,
          isOfficial: photos.isOfficialPhoto,
        },
      })
      .from(photos)
      .where(of(photos.starId))
      .orderBy(asc(photos.position), asc(photos.id)),
    reader
      .select({
        owner: photoTranslations.photoId,
        language: photoTranslations.language,
        words: { title: photoTranslations.title, description: photoTranslations.description },
      })
      .from(photoTranslations)
      .innerJoin(photos, eq(photos.id, photoTranslations.photoId))
      .where(of(photos.starId)),
    reader
      .select({
        id: timelineEvents.id,
        owner: timelineEvents.starId,
        picture: timelineEvents.pictureKey,
        item: {
          date: timelineEvents.date,
          type: timelineEvents.type,
          importance: timelineEvents.importance,
          isHighlight: timelineEvents.isHighlight,
          relatedUrl: timelineEvents.relatedUrl,
          source: timelineEvents.source,
        },
      })
      .from(timelineEvents)
      .where(of(timelineEvents.starId))
      .orderBy(desc(timelineEvents.date), asc(timelineEvents.id)),
    reader
      .select({
        owner: timelineTranslations.timelineEventId,
        language: timelineTranslations.language,
        words: { title: timelineTranslations.title, description: timelineTranslations.description },
      })
      .from(timelineTranslations)
      .innerJoin(timelineEvents, eq(timelineEvents.id, timelineTranslations.timelineEventId))
      .where(of(timelineEvents.starId)),
    reader
      .select({
        id: achievements.id,
        owner: achievements.starId,
        item: {
          awardDate: achievements.awardDate,
          result: achievements.result,
          source: achievements.source,
        },
      })
      .from(achievements)
      .where(of(achievements.starId))
      .orderBy(desc(achievements.awardDate), asc(achievements.id)),
    reader
      .select({
        owner: achievementTranslations.achievementId,
        language: achievementTranslations.language,
        words: {
          achievement: achievementTranslations.achievement,
          awardName: achievementTranslations.awardName,
          awardCategory: achievementTranslations.awardCategory,
          organisation: achievementTranslations.organisation,
          workTitle: achievementTranslations.workTitle,
        },
      })
      .from(achievementTranslations)
      .innerJoin(achievements, eq(achievements.id, achievementTranslations.achievementId))
      .where(of(achievements.starId)),
    reader
      .select({
        id: socialLinks.id,
        owner: socialLinks.starId,
        item: {
          platform: socialLinks.platform,
          profileUrl: socialLinks.profileUrl,
          displayName: socialLinks.displayName,
          platformUserId: socialLinks.platformUserId,
          isVerified: socialLinks.isVerified,
          isOfficial: socialLinks.isOfficial,
          followerCount: socialLinks.followerCount,
          countedOn: sql<
            string | null
          >`case when ${socialLinks.followerCount} is not null then to_char(${socialLinks.checkedAt} at time zone 'UTC', 'YYYY-MM-DD') end`,
          source: socialLinks.source,
        },
      })
      .from(socialLinks)
      .where(of(socialLinks.starId))
      .orderBy(
        desc(socialLinks.isOfficial),
        sql`${socialLinks.followerCount} desc nulls last`,
        asc(socialLinks.id),
      ),
    reader
      .select({ owner: starFacts.starId, field: starFacts.field, source: starFacts.source })
      .from(starFacts)
      .where(of(starFacts.starId))
      .orderBy(asc(starFacts.field)),
  ]);

  const wordsOfStar = wordsByOwner(words);
  const aliasesOf = Map.groupBy(aliases, ({ owner }) => owner);
  const externalIdsOf = Map.groupBy(externalIds, ({ owner }) => owner);
  const membersOf = Map.groupBy(members, ({ owner }) => owner);
  const photosOf = Map.groupBy(photoRows, ({ owner }) => owner);
  const wordsOfPhoto = wordsByOwner(photoWords);
  const timelineOf = Map.groupBy(timeline, ({ owner }) => owner);
  const wordsOfTimeline = wordsByOwner(timelineWords);
  const awardsOf = Map.groupBy(awards, ({ owner }) => owner);
  const wordsOfAward = wordsByOwner(awardWords);
  const linksOf = Map.groupBy(links, ({ owner }) => owner);
  const factsOf = Map.groupBy(facts, ({ owner }) => owner);

  return rows.map((row) => {
    const { id, slug, category, accent, isColorDrawn, heroKey, avatarKey, hiddenAt, activity, ...facts } =
      row;
    const own = (owned: Map<number, { id: number }[]>) => owned.get(id)?.map((row) => row.id) ?? [];
    const factSources = (factsOf.get(id) ?? []).flatMap(({ field, source }) =>
      source ? [[field, source] as const] : [],
    );
    const starFields = {
      slug,
      category,
      fandomColor: isColorDrawn ? undefined : accent,
      words: wordsOfStar(id),
      aliases: unlessEmpty(aliasesOf.get(id)?.map((row) => row.alias) ?? [])?.sort(),
      activity: activity ?? ('active' as const),
      ...known(facts),
      hero: heroKey !== null && heroKey !== drawnHeroKey(slug) ? { key: heroKey } : undefined,
      avatar: avatarKey === null ? undefined : { key: avatarKey },
      sources: factSources.length > 0 ? Object.fromEntries(factSources) : undefined,
    };
    const externals = externalIdsOf.get(id) ?? [];
    const ids = unlessEmpty(externals.map(({ source, externalId }) => [source, externalId] as const));
    const document: StoredDocument = {
      ...starFields,
      externalIds: ids && Object.fromEntries(ids),
      members: unlessEmpty(membersOf.get(id)?.map(({ item }) => known(item)) ?? []),
      photos: unlessEmpty(
        photosOf.get(id)?.map((photo) => ({
          picture: { key: photo.picture },
          ...known(photo.item),
          words: wordsOfPhoto(photo.id),
        })) ?? [],
      ),
      timeline: unlessEmpty(
        timelineOf.get(id)?.map(({ id: eventId, picture, item }) => ({
          ...known(item),
          ...(picture === null ? {} : { picture: { key: picture } }),
          words: wordsOfTimeline(eventId),
        })) ?? [],
      ),
      achievements: unlessEmpty(
        awardsOf
          .get(id)
          ?.map(({ id: awardId, item }) => ({ ...known(item), words: wordsOfAward(awardId) })) ?? [],
      ),
      socialLinks: unlessEmpty(linksOf.get(id)?.map(({ item }) => known(item)) ?? []),
    };
    return {
      id,
      version: contentVersion(starFields),
      hiddenAt,
      accent,
      document: known(document) as StoredDocument,
      externalNames: externals.map(({ source, externalId }) => `${source}:${externalId}`),
      itemIds: {
        members: own(membersOf),
        photos: own(photosOf),
        timeline: own(timelineOf),
        achievements: own(awardsOf),
        socialLinks: own(linksOf),
      },
      memberIds: membersOf.get(id)?.map(({ memberId }) => memberId) ?? [],
    };
  });
}

/** A star with its document; undefined when there is none. */
export async function findStarDocument(id: number, reader?: Reader): Promise<StarWithDocument | undefined> {
  const [star] = await findStarDocuments([id], reader);
  return star;
}

/** The slug of a star; undefined when there is none. */
export async function findSlug(id: number, reader: Reader): Promise<string | undefined> {
  const [star] = await reader.select({ slug: stars.slug }).from(stars).where(eq(stars.id, id));
  return star?.slug;
}

function wordsByOwner<Words extends object>(
  rows: readonly { owner: number; language: Lang; words: Words }[],
): (owner: number) => WordsOf<Known<Words>> {
  const byOwner = Map.groupBy(rows, ({ owner }) => owner);
  return (owner) =>
    Object.fromEntries(
      (byOwner.get(owner) ?? []).map(({ language, words }) => [language, known(words)]),
    ) as WordsOf<Known<Words>>;
}

/** Which of these pictures can be shown: there, and not withdrawn. */
export async function findShownPictures(keys: readonly string[], reader: Reader): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await reader
    .select({ key: pictures.key })
    .from(pictures)
    .where(
      sql`${pictures.key} = any(array(select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))) and ${pictures.withdrawnAt} is null`,
    );
  return new Set(rows.map(({ key }) => key));
}

/** A star, the group that it is a part of, the one above that, and so on; each once, also where they stand in a circle. */
export async function findParents(
  reader: Reader,
  id: number,
): Promise<{ id: number; category: StarCategory }[]> {
  const found: { id: number; category: StarCategory }[] = [];
  for (let next: number | null = id; next !== null && found.every((each) => each.id !== next); ) {
    const [row] = await reader
      .select({ id: stars.id, category: stars.category, parentId: starProfiles.parentId })
      .from(stars)
      .leftJoin(starProfiles, eq(starProfiles.starId, stars.id))
      .where(eq(stars.id, next));
    if (!row) break;
    found.push({ id: row.id, category: row.category });
    next = row.parentId;
  }
  return found;
}

/** Stars by what a document calls them: their slug, `wikidata:Q…`, or the slug of one that was merged into them, unless another has that by now. */
export async function findReferredStars(
  references: readonly string[],
  reader: Reader,
): Promise<Map<string, { id: number; slug: string }>> {
  if (references.length === 0) return new Map();
  const given = sql`any(array(select jsonb_array_elements_text(${JSON.stringify(references)}::jsonb)))`;
  const name = sql<string>`${starExternalIds.source} || ':' || ${starExternalIds.externalId}`;
  const formerSlug = sql<string>`${starRedirects.former} ->> 'slug'`;
  const [bySlug, byExternalId, byFormerSlug] = await Promise.all([
    reader.select({ id: stars.id, slug: stars.slug }).from(stars).where(sql`${stars.slug} = ${given}`),
    reader
      .select({ reference: name, id: stars.id, slug: stars.slug })
      .from(starExternalIds)
      .innerJoin(stars, eq(stars.id, starExternalIds.starId))
      .where(sql`${name} = ${given}`),
    reader
      .select({ reference: formerSlug, id: stars.id, slug: stars.slug })
      .from(starRedirects)
      .innerJoin(stars, eq(stars.id, starRedirects.intoId))
      .where(sql`${formerSlug} = ${given}`)
      .orderBy(asc(starRedirects.fromId)),
  ]);
  return new Map([
    ...byFormerSlug.map(({ reference, id, slug }) => [reference, { id, slug }] as const),
    ...byExternalId.map(({ reference, id, slug }) => [reference, { id, slug }] as const),
    ...bySlug.map(({ id, slug }) => [slug, { id, slug }] as const),
  ]);
}
