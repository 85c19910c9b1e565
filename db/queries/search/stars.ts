import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { articles } from '../../schema/articles.ts';
import { channels } from '../../schema/community.ts';
import { starSearch } from '../../schema/star-search.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { jsonArray, jsonObject, literal, nullable, prepare, selectValue, typedAs } from '../../sql.ts';
import { contains, hasTrigram } from '../pattern.ts';
import { badgeFields, isShown, type StarRow, s, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import { maxHits, type SearchWord, starsInPart } from './query.ts';
import { rankedStars } from './ranked-stars.ts';
import { isNamed, k, type NameIndex, type NameValues, readNames, wordsOfNames } from './star-names.ts';

const a = alias(articles, 'a');
const c = alias(channels, 'c');

export interface StarHit extends StarRow {
  /** By what it is told from another star of its name. */
  distinction: string | null;
  articleCount: number;
  /** Places of the words that the star does not have; empty when the star is what was searched for. */
  missing: number[];
  /** The star's channel, when somebody opened it before (decision C1). */
  channel: { memberCount: number; lastActivityAt: Date | null } | null;
}

/** Spellings and the places of their words. */
type PartValues = NameValues & Record<'spellings' | 'long' | 'short', string>;

const textsOf = (name: keyof PartValues): SQL =>
  sql`json_array_elements_text(${sql.placeholder(name)}::text::json) as given(spelling)`;
const spellings = sql`json_to_recordset(${sql.placeholder('spellings')}::text::json) as given(spelling text, place int)`;
const keyHasSpelling = sql`${k.searchKey} like ${contains(sql`given.spelling`)}`;
const hasSpelling = sql`${s.searchKey} like ${contains(sql`given.spelling`)}`;
const hasAny = sql`${s.searchKey} like any ((select array_agg(${contains(sql`given.spelling`)}) from ${spellings})::text[])`;

/** How many of the words a star has in its names. */
const wordsPresent = sql`(select count(distinct given.place) from ${spellings} where ${hasSpelling})`;
/** Stars that have some of the words: those that have most of them first, then those most written about. */
const partOrder = sql`words_present desc, popularity desc, star`;

/** Of the stars most written about, those are looked at first that have some of the words. */
const walkedInPart = literal(500);

/** Common table expressions: `in_part` has ids of the first stars that have some of the words, but not all. */
function starsWithSome(): SQL {
  const few = literal(starsInPart);
  const ofStar = sql`${s.id} as star, ${s.articleCount} as popularity, ${wordsPresent} as words_present`;
  const withKey = sql`from ${starSearch} ${k} join ${stars} ${s} on ${s.id} = ${k.starId}`;
  const best = sql`order by ${partOrder} limit ${few}`;
  const isRest = sql`${isNamed(s)} is not true and ${isShown()}`;
  const isWanted = sql`(select count(*) from ranked) <= ${literal(maxHits)}`;
  return sql`
    walked_in_part as materialized (
      select ${ofStar} from (select * from ${stars} ${s} where ${isShown()}
        order by ${s.articleCount} desc, ${s.id} limit ${walkedInPart}) ${s}
      where ${isWanted} and ${hasAny} and ${isRest} ${best}),
    in_part as materialized (
      select * from (
        select * from walked_in_part union select each.* from ${textsOf('long')}
        cross join lateral (select * from (select ${ofStar} ${withKey} where ${keyHasSpelling} and ${isRest} offset 0) as candidates
          where ${isWanted} and (select count(*) from walked_in_part) < ${few} ${best}) as each
        union select each.* from ${textsOf('short')}
        cross join lateral (select * from (select ${ofStar} ${withKey}
          where ${k.nameGrams} @> byeol_grams(byeol_fold(given.spelling)) and ${keyHasSpelling} and ${isRest} offset 0) as candidates
          where ${isWanted} and (select count(*) from walked_in_part) < ${few} ${best}) as each) as found
      ${best})`;
}

const channelOfHit = jsonObject({ memberCount: c.memberCount, lastActivityAt: c.lastActivityAt });
const starHit = (language: Lang, ofPart: boolean) =>
  jsonObject({
    ...badgeFields(),
    distinction: distinctionIn(language, s, badgeFields().name),
    articleCount: s.articleCount,
    /** Places of the words that it has; null when it has all. */
    present: ofPart
      ? sql<number[] | null>`array(select distinct given.place from ${spellings} where ${hasSpelling})`
      : sql<number[] | null>`null`,
    channel: typedAs(
      nullable(channelOfHit),
      sql`case when ${c.id} is null then null else ${channelOfHit} end`,
    ),
  });

const hitsOf = (language: Lang, from: string, order: SQL) =>
  selectValue(
    jsonArray(starHit(language, from === 'in_part'), { orderBy: order }),
    sql`from ${sql.identifier(from)} join ${stars} ${s} on ${s.id} = star left join ${channels} ${c} on ${c.starId} = ${s.id}
      left join ${starTranslations} ${st} on ${wordsIn(language)}`,
  );

const starHits = memoize(
  ({ language, index, isMany }: { language: Lang; index: NameIndex; isMany: boolean }) => {
    const whole = hitsOf(language, 'ranked', sql`place`);
    return prepare(
      {
        newestArticle: sql<number>`(select coalesce(max(${a.id}), 0) from ${articles} ${a})`,
        whole,
        inPart: isMany ? hitsOf(language, 'in_part', partOrder) : typedAs(whole, sql`'[]'::json`),
      },
      (columns) => sql`
        with ${rankedStars({ index, limit: maxHits + 1 })}${isMany ? sql`, ${starsWithSome()}` : sql``}
        select ${columns}`,
    );
  },
);

/**
 * Stars that have all words in their names (also when the spaces differ), best first, at most `maxHits` + 1; then, where there are not
 * so many, those that have most of them, at most `starsInPart`. With them the newest article's id, from which `findArticles`
 * measures. One statement.
 * @param text the whole search, for the order: a name, a word of a name, the start of a word, the rest
 */
export async function findStars(
  language: Lang,
  text: string,
  words: readonly SearchWord[],
): Promise<{ stars: StarHit[]; newestArticle: number }> {
  const { index, values } = readNames(words, text);
  const places = wordsOfNames(words).flatMap((word, place) =>
    word.spellings.map((spelling) => ({ spelling, place })),
  );
  const [long, short] = [true, false].map((isLong) =>
    JSON.stringify(places.map(({ spelling }) => spelling).filter((each) => hasTrigram(each) === isLong)),
  );
  const read = starHits({ language, index, isMany: words.length > 1 });
  const [row] = await read({
    ...values,
    spellings: JSON.stringify(places),
    long: long ?? '',
    short: short ?? '',
  });
  const { whole = [], inPart = [], newestArticle = 0 } = row ?? {};
  return {
    stars: [...whole, ...inPart].map(({ present, ...star }) => ({
      ...star,
      missing: present === null ? [] : words.flatMap((_, place) => (present.includes(place) ? [] : [place])),
    })),
    newestArticle,
  };
}
