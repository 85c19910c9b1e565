import { and, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { unprepared } from '../../client.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { execute, jsonArray, jsonObject, type RowOf, selectValue } from '../../sql.ts';
import { badgeFields, s, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import { matchesFilter, type StarFilter } from '../stars/stars.ts';

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

/** A page of stars, hidden ones too, those with most articles first, and how many there are. One statement. */
export async function listStarsForEditors({
  hidden,
  missing,
  ...filter
}: EditorsStarFilter): Promise<{ stars: ListedStar[]; total: number }> {
  const { language, limit, offset } = filter;
  const isListed: SQL =
    and(
      matchesFilter(filter, s),
      hidden ? sql`${s.hiddenAt} is not null` : undefined,
      missing && sql`not exists (select from ${starTranslations} ${own} where ${wordsIn(missing, s, own)})`,
    ) ?? sql`true`;
  const order = sql`${s.articleCount} desc, ${s.id}`;
  const [row] = await execute(
    {
      total: sql<number>`(select count(*)::int from ${stars} ${s} where ${isListed})`,
      stars: selectValue(
        jsonArray(jsonObject(listedFields(language)), { orderBy: order }),
        sql`from page ${s} left join ${starTranslations} ${st} on ${wordsIn(language)}`,
      ),
    },
    (columns) => sql`
      with page as materialized (
        select ${s}.* from ${stars} ${s} where ${isListed} order by ${order} limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  return row ?? { stars: [], total: 0 };
}
