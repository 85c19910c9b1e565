import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias, type PgTable } from 'drizzle-orm/pg-core';
import type { Lang, Translated } from '#content/locales.ts';
import { database } from '../../client.ts';
import { memoize } from '../../memoize.ts';
import { follows } from '../../schema/accounts.ts';
import { starFacts } from '../../schema/directory.ts';
import { pictures } from '../../schema/media.ts';
import {
  type Activity,
  achievements,
  achievementTranslations,
  type PhotoCategory,
  photos,
  photoTranslations,
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
import {
  coalesce,
  execute,
  type Fields,
  jsonArray,
  jsonObject,
  literal,
  notNull,
  nullable,
  prepare,
  type RowOf,
  selectValue,
} from '../../sql.ts';
import { creditOf, isShownAs } from '../media.ts';
import { badgeFields, isShown, memberName, type StarRow, s, st, wordsIn } from './badge.ts';
import { hasLeft } from './membership.ts';

const popularStars = memoize(({ language, limit }: { language: Lang; limit: number }) =>
  prepare<ReturnType<typeof badgeFields>, Record<never, never>>(
    badgeFields(),
    (columns) => sql`
      select ${columns} from ${stars} ${s} left join ${starTranslations} ${st} on ${wordsIn(language)}
      where ${isShown()} order by ${s.articleCount} desc, ${s.id} limit ${literal(limit)}`,
  ),
);

/** The stars with most articles, for the home rail. @param limit one of few: each has a statement of its own */
export const listPopularStars = (language: Lang, limit: number): Promise<StarRow[]> =>
  popularStars({ language, limit })({});

/** The colours of the stars with most articles. */
export async function listStarColours(limit: number): Promise<string[]> {
  const rows = await database()
    .select({ fandomColor: stars.fandomColor })
    .from(stars)
    .where(isShown(stars))
    .groupBy(stars.fandomColor)
    .orderBy(sql`max(${stars.articleCount}) desc`)
    .limit(limit);
  return rows.map(({ fandomColor }) => fandomColor);
}

/** True when there is such a star for readers. */
export async function starExists(id: number): Promise<boolean> {
  const rows = await database()
    .select({ id: stars.id })
    .from(stars)
    .where(and(eq(stars.id, id), isShown(stars)));
  return rows.length > 0;
}

/** A lateral join of the words of a row: the language's, else English ones, else any. */
const bestWords = (
  words: PgTable & { language: AnyPgColumn },
  name: PgTable,
  isOwn: SQL,
  language: Lang,
): SQL => sql`
  left join lateral (select * from ${words} where ${isOwn}
    order by (${words.language} = ${language}) desc, (${words.language} = 'en') desc, ${words.language}
    limit 1) ${name} on true`;

const l = alias(socialLinks, 'l');
const socialFields = {
  id: l.id,
  platform: l.platform,
  profileUrl: l.profileUrl,
  displayName: l.displayName,
  platformUserId: l.platformUserId,
  isVerified: l.isVerified,
  isOfficial: l.isOfficial,
  followerCount: l.followerCount,
};

const socialOf = (star: AnyPgColumn) =>
  selectValue(
    jsonArray(jsonObject(socialFields), {
      orderBy: sql`${l.isOfficial} desc, ${l.followerCount} desc nulls last, ${l.id}`,
    }),
    sql`from ${socialLinks} ${l} where ${l.starId} = ${star}`,
  );

const te = alias(timelineEvents, 'te');
const tt = alias(timelineTranslations, 'tt');
const timelineFields = (language: Lang) => ({
  id: te.id,
  title: coalesce(tt.title, sql<string>`''`),
  description: nullable(tt.description),
  date: te.date,
  type: te.type,
  pictureKey: nullable(pictures.key),
  imageAlt: sql<string | null>`${pictures.alt} ->> ${language}::text`,
  relatedUrl: te.relatedUrl,
  isHighlight: te.isHighlight,
  importance: te.importance,
  source: te.source,
  credit: creditOf(pictures),
});
export type TimelineRow = RowOf<ReturnType<typeof timelineFields>>;

const timelineOf = (star: AnyPgColumn, language: Lang, type?: TimelineType) =>
  selectValue(
    jsonArray(jsonObject(timelineFields(language)), { orderBy: sql`${te.date} desc, ${te.id}` }),
    sql`from ${timelineEvents} ${te} left join ${pictures} on ${isShownAs(pictures, te.pictureKey)}
      ${bestWords(timelineTranslations, tt, eq(timelineTranslations.timelineEventId, te.id), language)}
      where ${and(eq(te.starId, star), type && eq(te.type, type))}`,
  );

const ph = alias(photos, 'ph');
const pt = alias(photoTranslations, 'pt');
const photoFields = {
  id: ph.id,
  title: coalesce(pt.title, sql<string>`''`),
  description: nullable(pt.description),
  category: ph.category,
  pictureKey: ph.pictureKey,
  aspect: pictures.aspect,
  placeholder: pictures.placeholder,
  photographer: nullable(coalesce(ph.photographer, pictures.credit)),
  licence: pictures.licence,
  creditUrl: pictures.creditUrl,
  takenAt: ph.takenAt,
  viewCount: ph.viewCount,
  likeCount: ph.likeCount,
  isOfficialPhoto: ph.isOfficialPhoto,
};
export type PhotoRow = RowOf<typeof photoFields>;

const photosOf = (star: AnyPgColumn, language: Lang, category?: PhotoCategory) =>
  selectValue(
    jsonArray(jsonObject(photoFields), { orderBy: sql`${ph.position}` }),
    sql`from ${photos} ${ph} join ${pictures} on ${isShownAs(pictures, ph.pictureKey)}
      ${bestWords(photoTranslations, pt, eq(photoTranslations.photoId, ph.id), language)}
      where ${and(eq(ph.starId, star), category && eq(ph.category, category))}`,
  );

const ac = alias(achievements, 'ac');
const act = alias(achievementTranslations, 'act');
const achievementFields = {
  id: ac.id,
  achievement: coalesce(act.achievement, sql<string>`''`),
  awardName: coalesce(act.awardName, sql<string>`''`),
  awardDate: ac.awardDate,
  workTitle: nullable(act.workTitle),
  result: ac.result,
  source: ac.source,
};

const achievementsOf = (star: AnyPgColumn, language: Lang) =>
  selectValue(
    jsonArray(jsonObject(achievementFields), { orderBy: sql`${ac.awardDate} desc, ${ac.id}` }),
    sql`from ${achievements} ${ac}
      ${bestWords(achievementTranslations, act, eq(achievementTranslations.achievementId, ac.id), language)}
      where ${ac.starId} = ${star}`,
  );

const sm = alias(starMembers, 'sm');
/** The star at the other end of a membership. */
const other = alias(stars, 'other');
const otherWords = alias(starTranslations, 'other_words');
const otherBadge = jsonObject(badgeFields(other, otherWords));
const joinOther = (language: Lang) =>
  sql`left join ${starTranslations} ${otherWords} on ${wordsIn(language, other, otherWords)}`;

const membersOf = (group: AnyPgColumn, language: Lang) =>
  selectValue(
    jsonArray(
      jsonObject({
        name: sql<string>`coalesce(${sm.names} ->> ${language}::text, ${otherWords.name}, ${memberName(sm.names, language)})`,
        role: sql<string | null>`coalesce(${sm.roles} ->> ${language}::text, ${sm.roles} ->> 'en')`,
        since: sm.since,
        until: sm.until,
        isFormer: hasLeft(sm),
        source: sm.source,
        star: nullable(sql<StarRow>`case when ${other.id} is not null then ${otherBadge} end`),
      }),
      { orderBy: sql`${hasLeft(sm)}, ${sm.position}` },
    ),
    sql`from ${starMembers} ${sm} left join ${stars} ${other} on ${other.id} = ${sm.memberId}
      ${joinOther(language)} where ${sm.groupId} = ${group} and ${isShown(other)}`,
  );

/** The groups that a star is or was a member of, each once, and the one that it is a part of. */
const groupsOf = (member: AnyPgColumn, parent: AnyPgColumn, language: Lang) => {
  const isFormer = sql<boolean>`belonging.is_former`;
  return selectValue(
    jsonArray(jsonObject({ ...badgeFields(other, otherWords), isFormer }), {
      orderBy: sql`${isFormer}, ${other.id}`,
    }),
    sql`from (select id, bool_and(is_former) as is_former
        from (select ${sm.groupId} as id, ${hasLeft(sm)} as is_former from ${starMembers} ${sm} where ${sm.memberId} = ${member}
          union all select ${parent}, false) as memberships
        group by id) as belonging
      join ${stars} ${other} on ${other.id} = belonging.id and ${isShown(other)} ${joinOther(language)}`,
  );
};

/** A text of a star in every language that has it; null when none has. */
const inAllLanguages = (words: typeof starTranslations.name | typeof starTranslations.biography) =>
  sql<Partial<Translated> | null>`(select json_object_agg(${starTranslations.language}, ${words})
    from ${starTranslations} where ${starTranslations.starId} = ${s.id} and ${words} is not null)`;

/** A name in Korean, for where neither the language nor English has it: better than none. */
const inKorean = (name: AnyPgColumn) =>
  sql<string | null>`(select ${name} from ${starTranslations}
    where ${starTranslations.starId} = ${s.id} and ${starTranslations.language} = 'ko')`;

const en = alias(starTranslations, 'en');
const f = alias(starProfiles, 'f');
const hero = alias(pictures, 'hero');
const avatar = alias(pictures, 'avatar_picture');
const fact = alias(starFacts, 'fact');
/** The art of a star, in the place of a hero that was withdrawn. */
const drawn = alias(pictures, 'drawn');

const profileFields = (language: Lang) => ({
  ...badgeFields(),
  heroKey: nullable(coalesce(hero.key, drawn.key)),
  heroPlaceholder: nullable(coalesce(hero.placeholder, drawn.placeholder)),
  heroAlt: sql<string | null>`${hero.alt} ->> ${language}::text`,
  heroCredit: creditOf(hero),
  avatarCredit: nullable(
    selectValue(
      creditOf(avatar),
      sql`from ${pictures} ${avatar} where ${isShownAs(avatar, s.avatarKey)} and ${avatar.key} is distinct from ${hero.key}`,
    ),
  ),
  sources: selectValue(
    jsonArray(jsonObject({ field: fact.field, source: notNull(fact.source) }), {
      orderBy: sql`${fact.field}`,
    }),
    sql`from ${starFacts} ${fact} where ${fact.starId} = ${s.id} and ${fact.source} is not null`,
  ),
  isColorDrawn: s.isColorDrawn,
  followerCount: s.followerCount,
  articleCount: s.articleCount,
  isFollowing: sql<boolean>`exists (select from ${follows}
    where ${follows.userId} = ${sql.placeholder('visitor')} and ${follows.starId} = ${s.id})`,
  agency: coalesce(coalesce(st.agency, en.agency), inKorean(starTranslations.agency)),
  realName: coalesce(coalesce(st.realName, en.realName), inKorean(starTranslations.realName)),
  nationality: coalesce(st.nationality, en.nationality),
  fandomName: coalesce(coalesce(st.fandomName, en.fandomName), inKorean(starTranslations.fandomName)),
  debutDate: nullable(f.debutDate),
  birthDate: nullable(f.birthDate),
  activity: coalesce(f.activity, sql<Activity>`'active'`),
  endDate: nullable(f.endDate),
  height: nullable(f.height),
  bloodType: nullable(f.bloodType),
  mbti: nullable(f.mbti),
  monthlyListeners: nullable(f.monthlyListeners),
  totalAlbumSales: nullable(f.totalAlbumSales),
  names: inAllLanguages(starTranslations.name),
  biographies: inAllLanguages(starTranslations.biography),
  aliases: selectValue(
    jsonArray(starAliases.alias, { orderBy: sql`${starAliases.alias}` }),
    sql`from ${starAliases} where ${starAliases.starId} = ${s.id}`,
  ),
  social: socialOf(s.id),
  timeline: timelineOf(s.id, language),
  photos: photosOf(s.id, language),
  achievements: achievementsOf(s.id, language),
  members: membersOf(s.id, language),
  groups: groupsOf(s.id, f.parentId, language),
});

const profileIn = memoize((language: Lang) =>
  prepare<ReturnType<typeof profileFields>, { id: number; visitor: number | null }>(
    profileFields(language),
    (columns) => sql`
      select ${columns} from ${stars} ${s}
      left join ${starTranslations} ${st} on ${wordsIn(language)}
      left join ${starTranslations} ${en} on ${wordsIn('en', s, en)}
      left join ${starProfiles} ${f} on ${f.starId} = ${s.id}
      left join ${pictures} ${hero} on ${isShownAs(hero, s.heroKey)}
      left join ${pictures} ${drawn} on ${hero.key} is null and ${drawn.key} = 'star-' || ${s.slug} || '-hero'
      where ${s.id} = ${sql.placeholder('id')} and ${isShown()}`,
  ),
);

/** A star with all of its profile; dates are as precise as they are known. */
type StarProfileRow = RowOf<ReturnType<typeof profileFields>>;

/**
 * A star with everything its profile shows (§7 `GET /api/stars/{id}/profile`), or undefined. One statement.
 * @param visitor account that asks, for `isFollowing`
 */
export async function findStarProfile(
  id: number,
  language: Lang,
  visitor?: number,
): Promise<StarProfileRow | undefined> {
  const [row] = await profileIn(language)({ id, visitor: visitor ?? null });
  return row;
}

/** The timeline of a star, newest first, optionally of one type; undefined when there is no such star. One statement. */
export async function findTimeline(
  id: number,
  language: Lang,
  type?: TimelineType,
): Promise<TimelineRow[] | undefined> {
  return (await findOfStar(id, { events: timelineOf(s.id, language, type) }))?.events;
}

/** The photos of a star in their order, optionally of one category; undefined when there is no such star. One statement. */
export async function findPhotos(
  id: number,
  language: Lang,
  category?: PhotoCategory,
): Promise<PhotoRow[] | undefined> {
  return (await findOfStar(id, { photos: photosOf(s.id, language, category) }))?.photos;
}

async function findOfStar<Selected extends Fields>(
  id: number,
  fields: Selected,
): Promise<RowOf<Selected> | undefined> {
  const [row] = await execute(
    fields,
    (columns) => sql`select ${columns} from ${stars} ${s} where ${s.id} = ${id} and ${isShown()}`,
  );
  return row;
}
