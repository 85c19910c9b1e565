import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { jsonArray, jsonObject, prepare, type RowOf, roundedLimit, selectValue } from '../../sql.ts';
import { hitCount, type NameIndex } from '../search/star-names.ts';
import { badgeFields, s } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import {
  ofFound,
  ofPage,
  pageOfStars,
  readListSearch,
  type StarFilter,
  windowValues,
} from '../stars/list.ts';

const own = alias(starTranslations, 'own');

const listedFields = (language: Lang) => ({
  ...badgeFields(),
  distinction: distinctionIn(language, s, badgeFields().name),
  isHidden: sql<boolean>`${s.hiddenAt} is not null`,
  /** Those in which it has a name. */
  languages: selectValue(
    sql<Lang[]>`coalesce(json_agg(${own.language}), '[]'::json)`,
    sql`from ${starTranslations} ${own} where ${own.starId} = ${s.id}`,
  ),
});

/** A star in the editors' list. */
export type ListedStar = RowOf<ReturnType<typeof listedFields>>;

/** Only hidden stars; only those without a name in a language. */
export type EditorsStarFilter = Omit<StarFilter, 'ids'> & {
  hidden?: boolean | undefined;
  missing?: Lang | undefined;
};

interface ListShape {
  language: Lang;
  index: NameIndex | undefined;
  inCategory: boolean;
  isHidden: boolean;
  isMissing: boolean;
  limit: number;
}

const listOf = memoize(({ language, index, inCategory, isHidden, isMissing, limit }: ListShape) => {
  const conditions: SQL[] = [
    ...(inCategory ? [eq(s.category, sql.placeholder('category'))] : []),
    ...(isHidden ? [sql`${s.hiddenAt} is not null`] : []),
    ...(isMissing ? [sql`${s.id} in (select star from without)`] : []),
  ];
  const isListed = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
  const all = index ? ofFound : sql`from ${stars} ${s}`;
  // Asked once for the page and the number of all: nothing but indexes is read.
  const without = sql`without as materialized (
    select ${s.id} as star from ${stars} ${s} where ${s.id} not in (
      select ${own.starId} from ${starTranslations} ${own} where ${own.language} = ${sql.placeholder('missing')})),`;
  return prepare(
    {
      stars: selectValue(
        jsonArray(jsonObject(listedFields(language)), { orderBy: sql`place` }),
        ofPage(language),
      ),
      total:
        index && conditions.length === 0
          ? hitCount
          : selectValue(sql<number>`count(*)::int`, sql`${all} where ${isListed}`),
    },
    (columns) =>
      sql`with ${isMissing ? without : sql``} ${pageOfStars({ index, isListed, limit, all: true })} select ${columns}`,
  );
});

/** A page of stars, hidden ones too, in the order of `listStars`, and how many there are. One statement. */
export async function listStarsForEditors(
  filter: EditorsStarFilter,
): Promise<{ stars: ListedStar[]; total: number }> {
  const search = readListSearch(filter);
  const read = listOf({
    language: filter.language,
    index: search?.index,
    inCategory: filter.category !== undefined,
    isHidden: filter.hidden === true,
    isMissing: filter.missing !== undefined,
    limit: roundedLimit(filter.limit),
  });
  const [row] = await read({ ...search?.values, ...windowValues(filter), missing: filter.missing ?? null });
  return row ?? { stars: [], total: 0 };
}
