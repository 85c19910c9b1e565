import { SQL, sql } from 'drizzle-orm';
import type { Lang, Translated } from '#content/locales.ts';
import { database } from '../client.ts';
import type { PhotoCategory, SocialPlatform, StarCategory, TimelineType } from '../schema/stars.ts';
import { executePlanned } from '../statement.ts';
import { contains } from './pattern.ts';
import type { StarRow } from './star-badge.ts';

/** The stars with most articles, for the home rail. */
export async function listPopularStars(language: Lang, limit: number): Promise<StarRow[]> {
  return database().execute<Record<string, unknown> & StarRow>(sql`
    select s.id, s.slug, coalesce(st.name, s.name) as name, s.category, s.fandom_color as "fandomColor"
    from (select * from stars order by article_count desc, id limit ${limit}) s
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    order by s.article_count desc, s.id`);
}

/** The colours of the stars with most articles. */
export async function listStarColours(limit: number): Promise<string[]> {
  const rows = await database().execute<{ fandomColor: string }>(sql`
    select fandom_color as "fandomColor" from stars group by fandom_color
    order by max(article_count) desc limit ${limit}`);
  return rows.map(({ fandomColor }) => fandomColor);
}

export interface StarFilter {
  language: Lang;
  limit: number;
  offset: number;
  category?: StarCategory | undefined;
  /** Spellings of what is searched for; a star that has one of them in a name or alias is found. */
  spellings?: readonly string[];
  /** Initial consonants (초성) to find in the Korean name. */
  initials?: string | undefined;
  /** Only these. */
  ids?: readonly number[] | undefined;
}

export interface StarListRow extends StarRow {
  articleCount: number;
}

/** A page of stars, those with most articles first (§7 `GET /api/stars`), and how many there are. One statement. */
export async function listStars(filter: StarFilter): Promise<{ stars: StarListRow[]; total: number }> {
  const { language, limit, offset, category, spellings = [], initials, ids } = filter;
  const conditions = [
    ids && sql`id in (select value::int from json_array_elements_text(${JSON.stringify(ids)}::json))`,
    category && sql`category = ${category}`,
    initials && sql`initials like ${`%${initials}%`}`,
    spellings.length > 0 &&
      sql`(${sql.join(
        spellings.map((each) => sql`search_key like ${contains(each)}`),
        sql` or `,
      )})`,
  ].filter((condition) => condition instanceof SQL);
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const [row] = await database().execute<{ stars: StarListRow[]; total: number }>(sql`
    with page as (select * from stars ${where} order by article_count desc, id limit ${limit} offset ${offset})
    select (select count(*)::int from stars ${where}) as total,
      (select coalesce(json_agg(json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name),
          'category', s.category, 'fandomColor', s.fandom_color, 'articleCount', s.article_count)
          order by s.article_count desc, s.id), '[]'::json)
        from page s left join star_translations st on st.star_id = s.id and st.language = ${language}) as stars`);
  return row ?? { stars: [], total: 0 };
}

/** True when there is such a star. */
export async function starExists(id: number): Promise<boolean> {
  const rows = await database().execute(sql`select 1 from stars where id = ${id}`);
  return rows.length > 0;
}

export interface SocialRow {
  id: number;
  platform: SocialPlatform;
  profileUrl: string;
  displayName: string;
  platformUserId: string | null;
  isVerified: boolean;
  isOfficial: boolean;
  followerCount: number | null;
}

export interface TimelineRow {
  id: number;
  title: string;
  description: string | null;
  date: string;
  type: TimelineType;
  pictureKey: string | null;
  relatedUrl: string | null;
  isHighlight: boolean;
  importance: number;
}

export interface PhotoRow {
  id: number;
  title: string;
  description: string | null;
  category: PhotoCategory;
  pictureKey: string;
  aspect: string;
  placeholder: string;
  photographer: string | null;
  takenAt: string | null;
  viewCount: number;
  likeCount: number;
  isOfficialPhoto: boolean;
}

export interface AchievementRow {
  id: number;
  achievement: string;
  awardName: string;
  awardDate: string;
  workTitle: string | null;
  result: 'won' | 'nominated';
}

/** A star with all of its profile; dates are `YYYY-MM-DD`. */
export interface StarProfileRow extends StarRow {
  heroKey: string | null;
  heroPlaceholder: string | null;
  followerCount: number;
  articleCount: number;
  isFollowing: boolean;
  agency: string | null;
  realName: string | null;
  nationality: string | null;
  fandomName: string | null;
  debutDate: string | null;
  birthDate: string | null;
  height: number | null;
  bloodType: string | null;
  mbti: string | null;
  monthlyListeners: number | null;
  totalAlbumSales: number | null;
  names: Partial<Translated> | null;
  biographies: Partial<Translated> | null;
  aliases: string[];
  social: SocialRow[];
  timeline: TimelineRow[];
  photos: PhotoRow[];
  achievements: AchievementRow[];
  members: { name: string; role: string | null; star: StarRow | null }[];
  groups: StarRow[];
}

/** Words of a row that has translations: the language's, else English, else any; as `w`. */
const bestWords = (table: SQL, owner: SQL, language: Lang) => sql`
  left join lateral (select * from ${table} words where ${owner}
    order by (words.language = ${language}) desc, (words.language = 'en') desc, words.language limit 1) w on true`;

const socialOf = (star: SQL) => sql`(
  select coalesce(json_agg(json_build_object('id', l.id, 'platform', l.platform, 'profileUrl', l.profile_url,
    'displayName', l.display_name, 'platformUserId', l.platform_user_id, 'isVerified', l.is_verified,
    'isOfficial', l.is_official, 'followerCount', l.follower_count)
    order by l.is_official desc, l.follower_count desc nulls last, l.id), '[]'::json)
  from social_links l where l.star_id = ${star})`;

const timelineOf = (star: SQL, language: Lang, type?: TimelineType) => sql`(
  select coalesce(json_agg(json_build_object('id', e.id, 'title', coalesce(w.title, ''), 'description', w.description,
    'date', e.date, 'type', e.type, 'pictureKey', e.picture_key, 'relatedUrl', e.related_url,
    'isHighlight', e.is_highlight, 'importance', e.importance) order by e.date desc, e.id), '[]'::json)
  from timeline_events e
  ${bestWords(sql`timeline_translations`, sql`words.timeline_event_id = e.id`, language)}
  where e.star_id = ${star} ${type ? sql`and e.type = ${type}` : sql``})`;

const photosOf = (star: SQL, language: Lang, category?: PhotoCategory) => sql`(
  select coalesce(json_agg(json_build_object('id', f.id, 'title', coalesce(w.title, ''), 'description', w.description,
    'category', f.category, 'pictureKey', f.picture_key, 'aspect', p.aspect, 'placeholder', p.placeholder,
    'photographer', f.photographer, 'takenAt', f.taken_at, 'viewCount', f.view_count, 'likeCount', f.like_count,
    'isOfficialPhoto', f.is_official_photo) order by f.position), '[]'::json)
  from photos f join pictures p on p.key = f.picture_key
  ${bestWords(sql`photo_translations`, sql`words.photo_id = f.id`, language)}
  where f.star_id = ${star} ${category ? sql`and f.category = ${category}` : sql``})`;

const achievementsOf = (star: SQL, language: Lang) => sql`(
  select coalesce(json_agg(json_build_object('id', h.id, 'achievement', coalesce(w.achievement, ''),
    'awardName', coalesce(w.award_name, ''), 'awardDate', h.award_date, 'workTitle', w.work_title, 'result', h.result)
    order by h.award_date desc, h.id), '[]'::json)
  from achievements h
  ${bestWords(sql`achievement_translations`, sql`words.achievement_id = h.id`, language)}
  where h.star_id = ${star})`;

/** A star as JSON, named in the language of the joined `names` row. */
const badge = (star: SQL, names: SQL) => sql`json_build_object('id', ${star}.id, 'slug', ${star}.slug,
  'name', coalesce(${names}.name, ${star}.name), 'category', ${star}.category, 'fandomColor', ${star}.fandom_color)`;

const membersOf = (group: SQL, language: Lang) => sql`(
  select coalesce(json_agg(json_build_object('name', coalesce(m.names ->> ${language}, m.names ->> 'ko'),
    'role', coalesce(m.roles ->> ${language}, m.roles ->> 'en'),
    'star', case when ms.id is null then null else ${badge(sql`ms`, sql`mt`)} end) order by m.position), '[]'::json)
  from star_members m left join stars ms on ms.id = m.member_id
  left join star_translations mt on mt.star_id = ms.id and mt.language = ${language}
  where m.group_id = ${group})`;

const groupsOf = (member: SQL, language: Lang) => sql`(
  select coalesce(json_agg(${badge(sql`g`, sql`gt`)} order by g.id), '[]'::json)
  from star_members m join stars g on g.id = m.group_id
  left join star_translations gt on gt.star_id = g.id and gt.language = ${language}
  where m.member_id = ${member})`;

/**
 * A star with everything its profile shows (§7 `GET /api/stars/{id}/profile`), or undefined. One statement.
 * @param visitor account that asks, for `isFollowing`
 */
export async function findStarProfile(
  id: number,
  language: Lang,
  visitor?: number,
): Promise<StarProfileRow | undefined> {
  const self = sql`s.id`;
  const [row] = await executePlanned<StarProfileRow>(sql`
    select s.id, s.slug, coalesce(st.name, s.name) as name, s.category, s.fandom_color as "fandomColor",
      s.hero_key as "heroKey", hero.placeholder as "heroPlaceholder",
      s.follower_count as "followerCount", s.article_count as "articleCount",
      ${visitor === undefined ? sql`false` : sql`exists (select 1 from follows where user_id = ${visitor} and star_id = s.id)`} as "isFollowing",
      coalesce(st.agency, en.agency) as agency, coalesce(st.real_name, en.real_name) as "realName",
      coalesce(st.nationality, en.nationality) as nationality, coalesce(st.fandom_name, en.fandom_name) as "fandomName",
      f.debut_date as "debutDate", f.birth_date as "birthDate", f.height, f.blood_type as "bloodType", f.mbti,
      f.monthly_listeners as "monthlyListeners", f.total_album_sales as "totalAlbumSales",
      (select json_object_agg(language, name) from star_translations where star_id = s.id) as names,
      (select json_object_agg(language, biography) from star_translations
        where star_id = s.id and biography is not null) as biographies,
      (select coalesce(json_agg(alias order by alias), '[]'::json) from star_aliases where star_id = s.id) as aliases,
      ${socialOf(self)} as social, ${timelineOf(self, language)} as timeline, ${photosOf(self, language)} as photos,
      ${achievementsOf(self, language)} as achievements, ${membersOf(self, language)} as members,
      ${groupsOf(self, language)} as groups
    from stars s
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    left join star_translations en on en.star_id = s.id and en.language = 'en'
    left join star_profiles f on f.star_id = s.id
    left join pictures hero on hero.key = s.hero_key
    where s.id = ${id}`);
  return row;
}

/** The timeline of a star, newest first, optionally of one type; undefined when there is no such star. One statement. */
export async function findTimeline(
  id: number,
  language: Lang,
  type?: TimelineType,
): Promise<TimelineRow[] | undefined> {
  const [row] = await executePlanned<{ events: TimelineRow[] }>(
    sql`select ${timelineOf(sql`s.id`, language, type)} as events from stars s where s.id = ${id}`,
  );
  return row?.events;
}

/** The photos of a star in their order, optionally of one category; undefined when there is no such star. One statement. */
export async function findPhotos(
  id: number,
  language: Lang,
  category?: PhotoCategory,
): Promise<PhotoRow[] | undefined> {
  const [row] = await executePlanned<{ photos: PhotoRow[] }>(
    sql`select ${photosOf(sql`s.id`, language, category)} as photos from stars s where s.id = ${id}`,
  );
  return row?.photos;
}
