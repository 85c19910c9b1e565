import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { type StarCategory, stars, starTranslations } from '../../schema/stars.ts';
import {
  jsonArray,
  jsonObject,
  literal,
  prepare,
  type RowOf,
  roundedLimit,
  selectValue,
  typedAs,
} from '../../sql.ts';
import { maxWords } from '../search/query.ts';
import {
  areMany,
  findNamed,
  hitCount,
  isNamed,
  type NameIndex,
  type NameSearch,
  plain,
  readNames,
  walkedFor,
  wholeName,
} from '../search/star-names.ts';
import { badgeFields, isShown, s, st, wordsIn } from './badge.ts';
import { distinctionIn } from './distinction.ts';

const anyName = alias(starTranslations, 'any_name');

/** What is searched for, as `readStarSearch` reads it. */
export interface StarSearch {
  /** Spellings of it, which differ in the last word; a star that has all words of one of them in its names and aliases is found. */
  spellings?: readonly string[] | undefined;
  /** Initial consonants (초성) to find in the Korean name. */
  initials?: string | undefined;
}

export interface StarFilter extends StarSearch {
  language: Lang;
  limit: number;
  offset: number;
  category?: StarCategory | undefined;
  /** Only these. */
  ids?: readonly number[] | undefined;
}

/** The search of a list; undefined where nothing is searched for. */
export function readListSearch({ spellings = [], initials }: StarSearch): NameSearch | undefined {
  if (initials === undefined && spellings.length === 0) return undefined;
  const read = spellings.map((spelling) => plain(spelling).split(' '));
  const earlier = [...new Set(read[0]?.slice(0, -1))].slice(0, maxWords - 1);
  const last = read.map((words) => words.at(-1) ?? '');
  return readNames(
    [
      ...earlier.map((word) => ({ spellings: [word], indexed: false })),
      { spellings: last, initials, indexed: false },
    ],
    spellings[0] ?? '',
  );
}

/** A list of stars `s`: those that are called just as is searched for, then those with most articles. */
interface List {
  /** Of those that are searched for; undefined: of all. */
  index: NameIndex | undefined;
  /** True for the stars that it is narrowed down to. */
  isListed: SQL;
  /** Rows of its page, rounded up: a number of the statement's text. */
  limit: number;
  /** Hidden stars, too. */
  all?: boolean;
}

const order = sql`${s.articleCount} desc, ${s.id}`;
const isCalled = sql`${s.id} in (select star from called)`;
const calledFirst = sql`${isCalled} desc, ${order}`;
const offset = sql`${sql.placeholder('offset')}::int`;

/**
 * Common table expressions that pick the page of a list (decision D2): `page` has ids as `star` in the order of `place`; with a search,
 * `found` has the ids of all that are found and `called` those of stars that are called so. Where many are found, a page of them is looked
 * for among the stars most written about first.
 */
export function pageOfStars({ index, isListed, limit, all = false }: List): SQL {
  const rows = literal(limit);
  const numbered = (from: SQL, by: SQL) => sql`
    page as materialized (
      select ${s.id} as star, row_number() over (order by ${by}) as place
      from (${from} order by ${by} limit ${rows} offset ${offset}) ${s}
      limit ${sql.placeholder('limit')}::int)`;
  if (index === undefined) return numbered(sql`select * from ${stars} ${s} where ${isListed}`, order);
  const walked = sql`select * from ${stars} ${s} where ${isListed} order by ${order} limit ${walkedFor(limit)}`;
  const hasEnough = sql`(select count(*) from walked) >= ${offset} + ${rows}`;
  return sql`
    ${findNamed(index, { all })},
    called as materialized (select ${s.id} as star from ${stars} ${s} where ${isListed} and ${isNamed(s)} and ${s.id} in (
      select ${anyName.starId} from ${starTranslations} ${anyName} where lower(${anyName.name}) = ${wholeName})),
    walked as materialized (select ${s.id} as star from (${walked}) ${s} where ${isNamed(s)} and ${areMany}),
    ${numbered(
      sql`select * from (
      select ${s}.* from (select star from walked union select star from called) as known
        join ${stars} ${s} on ${s.id} = known.star where ${hasEnough}
      union all select ${s}.* ${ofFound} where ${isListed} and not ${hasEnough}) ${s}`,
      calledFirst,
    )}`;
}

/** Stars that were found, for conditions of a list on them. */
export const ofFound = sql`from found join ${stars} ${s} on ${s.id} = found.star`;

/** What a page of a list reads its rows from, in the order of `place`. */
export const ofPage = (language: Lang): SQL => sql`
  from page join ${stars} ${s} on ${s.id} = page.star left join ${starTranslations} ${st} on ${wordsIn(language)}`;

/** What the text of a list's statement depends on. */
interface ListShape {
  language: Lang;
  index: NameIndex | undefined;
  inCategory: boolean;
  ofIds: boolean;
  limit: number;
}

const fieldsIn = (language: Lang) => ({
  ...badgeFields(),
  distinction: distinctionIn(language, s, badgeFields().name),
  articleCount: s.articleCount,
});

const count = sql<number>`count(*)::int`;

const listOf = memoize(({ language, index, inCategory, ofIds, limit }: ListShape) => {
  const isWanted = sql`${inCategory ? eq(s.category, sql.placeholder('category')) : sql`true`}
    and ${ofIds ? sql`${s.id} = any(${sql.placeholder('ids')}::int[])` : sql`true`}`;
  const isListed = sql`${isShown()} and ${isWanted}`;
  const hasFilter = inCategory || ofIds;
  /** All less the hidden ones: their number is in an index, and few are hidden. */
  const allWanted = selectValue(
    typedAs(
      count,
      sql`count(*)::int - (select ${count} from ${stars} ${s} where ${s.hiddenAt} is not null and ${isWanted})`,
    ),
    sql`from ${stars} ${s} where ${isWanted}`,
  );
  const allFound = selectValue(count, sql`${ofFound} where ${isListed}`);
  return prepare<ListFields, ListValues>(
    {
      stars: selectValue(
        jsonArray(jsonObject(fieldsIn(language)), { orderBy: sql`place` }),
        ofPage(language),
      ),
      total: index ? (hasFilter ? allFound : hitCount) : allWanted,
    },
    (columns) => sql`with ${pageOfStars({ index, isListed, limit })} select ${columns}`,
  );
});

type ListValues = Record<string, string | number | null>;
type ListedRow = RowOf<ReturnType<typeof fieldsIn>>;
type ListFields = { stars: SQL<ListedRow[]>; total: SQL<number> };

/**
 * A page of stars, those with most articles first, before them those that are called just as is searched for (§7 `GET /api/stars`), and how many there are. One statement, made once for any
 * search: planning it for each would take longer than running it.
 */
export async function listStars(filter: StarFilter): Promise<{ stars: ListedRow[]; total: number }> {
  const search = readListSearch(filter);
  const read = listOf({
    language: filter.language,
    index: search?.index,
    inCategory: filter.category !== undefined,
    ofIds: filter.ids !== undefined,
    limit: roundedLimit(filter.limit),
  });
  const [row] = await read({ ...search?.values, ...windowValues(filter) });
  return row ?? { stars: [], total: 0 };
}

/** Values of a list's statement besides those of its search. */
export const windowValues = ({ limit, offset, category, ids = [] }: StarFilter): ListValues => ({
  limit,
  offset,
  category: category ?? null,
  ids: `{${ids.join()}}`,
});
