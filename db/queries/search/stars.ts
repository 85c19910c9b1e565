import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { unprepared } from '../../client.ts';
import { memoize } from '../../memoize.ts';
import { articles } from '../../schema/articles.ts';
import { channels } from '../../schema/community.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { execute, jsonArray, jsonObject, nullable, prerender, selectValue, typedAs } from '../../sql.ts';
import { contains } from '../pattern.ts';
import { badgeFields, isShown, type StarRow, s, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import { maxHits, type SearchWord } from './query.ts';

const a = alias(articles, 'a');
const c = alias(channels, 'c');
const anyName = alias(starTranslations, 'any_name');

const keyOfStar = prerender(sql`${s.searchKey}`);

export interface StarHit extends StarRow {
  /** By what it is told from another star of its name. */
  distinction: string | null;
  articleCount: number;
  /** Places of the words that the star does not have; empty when the star is what was searched for. */
  missing: number[];
  /** The star's channel, when somebody opened it before (decision C1). */
  channel: { memberCount: number; lastActivityAt: Date | null } | null;
}

/** One word in a star: in its names and aliases, or as the initials of its Korean name. */
const namesStar = ({ spellings, initials }: SearchWord) => sql`(
  ${sql.join(
    spellings.map((spelling) => sql`${keyOfStar} like ${contains(spelling)}`),
    sql` or `,
  )}
  ${initials === undefined ? sql`` : sql`or ${s.initials} like ${`%${initials}%`}`})`;

/** The words as one, for names that are written with other spaces. */
function namesStarJoined(text: string): SQL {
  const joined = text.replaceAll(' ', '');
  return [...joined].length > 3 ? sql`replace(${keyOfStar}, ' ', '') like ${contains(joined)}` : sql`false`;
}

/** True for a star `s` that has every word in its names, also when the spaces differ. Signs that are no words are in no name. */
export const starHasWords = (text: string, words: readonly SearchWord[]): SQL =>
  words.length === 0
    ? sql`false`
    : sql`(${namesStarJoined(text)} or (${sql.join(words.map(namesStar), sql` and `)}))`;

const starName = prerender(sql`lower(${s.name})`);
const starNames = prerender(
  sql`select lower(${anyName.name}) from ${starTranslations} ${anyName} where ${anyName.starId} = ${s.id}`,
);

/** How well the names of a star `s` fit the whole search: 0 a name, 1 a word of a name, 2 the start of a word, 3 the rest. */
export const starRank = (text: string): SQL => sql`case
  when lower(${text}) = ${starName} or lower(${text}) in (${starNames}) then 0
  when strpos(' ' || ${keyOfStar} || ' ', ' ' || byeol_fold(${text}) || ' ') > 0 then 1
  when strpos(' ' || ${keyOfStar}, ' ' || byeol_fold(${text})) > 0 then 2 else 3 end`;

const channelOfHit = jsonObject({ memberCount: c.memberCount, lastActivityAt: c.lastActivityAt });
const starHit = (language: Lang) =>
  jsonObject({
    ...badgeFields(),
    distinction: distinctionIn(language, s, badgeFields().name),
    articleCount: s.articleCount,
    /** A bit for each word that the star does not have. */
    missing: sql<number>`missing`,
    channel: typedAs(
      nullable(channelOfHit),
      sql`case when ${c.id} is null then null else ${channelOfHit} end`,
    ),
  });

const starHitFields = memoize((language: Lang) => ({
  newestArticle: prerender(sql<number>`(select coalesce(max(${a.id}), 0) from ${articles} ${a})`),
  stars: prerender(
    selectValue(
      jsonArray(starHit(language), { orderBy: sql`place` }),
      sql`from best ${s} left join ${channels} ${c} on ${c.starId} = ${s.id}
        left join ${starTranslations} ${st} on ${wordsIn(language)}`,
    ),
  ),
}));
const starPlace = prerender(sql`${s.articleCount} desc, ${s.id}`);

/**
 * Stars that have all words in their names (also when the spaces differ), best first, then those that have some. At most
 * `maxHits` + 1 rows. With them the newest article's id, from which `findArticles` measures. One statement.
 * @param text the whole search, for the order: a name, a word of a name, the start of a word, the rest
 */
export async function findStars(
  language: Lang,
  text: string,
  words: readonly SearchWord[],
): Promise<{ stars: StarHit[]; newestArticle: number }> {
  const hasJoined = namesStarJoined(text);
  const bits = words.map(
    (word, place) => sql`case when ${namesStar(word)} then 0 else ${1 << place}::int end`,
  );
  const [row] = await execute(
    starHitFields(language),
    (columns) => sql`
      with marked as (
        select ${s}.*, case when ${hasJoined} then 0 else ${sql.join(bits, sql` + `)} end as missing from ${stars} ${s}
        where (${sql.join([...words.map(namesStar), hasJoined], sql` or `)}) and ${isShown()}),
      best as (
        select ${s}.*, row_number() over (
          order by (missing = 0) desc, case when missing = 0 then ${starRank(text)} else 3 end, ${starPlace}) as place
        from marked ${s} order by place limit ${maxHits + 1})
      select ${columns}`,
    unprepared(),
  );
  const { stars: starHits = [], newestArticle = 0 } = row ?? {};
  return {
    stars: starHits.map(({ missing, ...star }) => ({
      ...star,
      missing: words.flatMap((_, place) => (missing & (1 << place) ? [place] : [])),
    })),
    newestArticle,
  };
}
