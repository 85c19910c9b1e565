import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { articleStars, articles } from '../../schema/articles.ts';
import { starSearch } from '../../schema/star-search.ts';
import { starAliases, stars, starTranslations } from '../../schema/stars.ts';
import { derived, execute, jsonArray, selectValue } from '../../sql.ts';
import { contains } from '../pattern.ts';
import { k } from '../search/star-names.ts';
import { isShown, isShownById, s, st } from '../stars/badge.ts';
import { firstRows, type LimitShape, newestFirst, ofStar } from './feed.ts';
import { a } from './fields.ts';

const ast = alias(articleStars, 'ast');
const sa = alias(starAliases, 'sa');

/** A page of articles to read next, as what `relatedIds` selects is called. */
export const relatedPage = derived('page', {
  id: a.id,
  publishedAt: a.publishedAt,
  /** 0: a star in common, 1: the same category. */
  rank: sql<number>`0`,
});
export const bestFirst = sql`${relatedPage.fields.rank}, ${newestFirst}`;

const wantedStar = derived('wanted_star', { id: ast.starId });
const starred = derived('starred', { publishedAt: ast.publishedAt, id: a.id });

/**
 * Selects a `relatedPage` of other articles to read next: newest with a star in common, then of the same category. The
 * category is read only as far as the stars leave room.
 * @param id of the article
 * @param givenStars selects the ids of stars that count instead of the article's own, of those that readers see
 */
export function relatedIds(id: SQLWrapper, limit: LimitShape, givenStars?: SQL): SQL {
  const stars =
    givenStars ??
    sql`select ${wantedStar.columns} from ${articleStars} ${ast}
        where ${ast.articleId} = ${id} and ${isShownById(ast.starId)}`;
  const read = (rows: SQL) => sql`
    with ${starred.name} as materialized (
      select distinct ${ofStar.name}.* from (${stars}) as ${wantedStar.name}(id)
      cross join lateral (
        select ${ofStar.columns} from ${articleStars} ${ast} join ${articles} ${a} on ${a.id} = ${ast.articleId}
        where ${ast.starId} = ${wantedStar.fields.id} and ${ast.articleId} <> ${id} and ${a.withdrawnAt} is null
        order by ${ast.publishedAt} desc, ${ast.articleId} desc limit ${rows}) ${ofStar.name}
      order by ${ofStar.fields.publishedAt} desc, ${ofStar.fields.id} desc limit ${rows})
    select ${starred.fields.id}, ${starred.fields.publishedAt}, 0 as rank from ${starred.name}
    union all
    (select ${a.id}, ${a.publishedAt}, 1 as rank from ${articles} ${a}
      where ${a.entertainmentCategory} = (
          select ${articles.entertainmentCategory} from ${articles} where ${articles.id} = ${id})
        and ${a.id} <> ${id} and ${a.id} not in (select ${starred.fields.id} from ${starred.name})
        and ${a.withdrawnAt} is null
      order by ${a.publishedAt} desc, ${a.id} desc limit (select ${rows} - count(*) from ${starred.name}))`;
  return firstRows(limit, read, bestFirst);
}

/**
 * Whether a public article exists, and the stars that are called one of `names` in any language or alias (decision M2).
 * One statement.
 */
export async function findRelatedBasis(
  id: number,
  names: readonly string[],
): Promise<{ exists: boolean; starIds: number[] }> {
  const [row] = await execute(
    {
      exists: sql<boolean>`exists (
        select from ${articles} ${a} where ${a.id} = ${id} and ${a.withdrawnAt} is null)`,
      starIds: names.length === 0 ? sql<number[]>`'[]'::json` : idsOfNames(names),
    },
    (columns) => sql`select ${columns}`,
  );
  return row ?? { exists: false, starIds: [] };
}

/** The trigram index finds candidates, then a whole name has to be equal after folding. */
const idsOfNames = (names: readonly string[]): SQL<number[]> =>
  selectValue(
    jsonArray(s.id, { distinct: true }),
    sql`from json_array_elements_text(${JSON.stringify(names)}::text::json) as wanted(name)
      join ${starSearch} ${k} on ${k.searchKey} like ${contains(sql`wanted.name`)} join ${stars} ${s} on ${s.id} = ${k.starId}
      where ${isShown()} and (byeol_fold(${s.name}) = byeol_fold(wanted.name)
        or exists (select from ${starTranslations} ${st}
          where ${st.starId} = ${s.id} and byeol_fold(${st.name}) = byeol_fold(wanted.name))
        or exists (select from ${starAliases} ${sa} where ${sa.starId} = ${s.id} and ${sa.aliasKey} = byeol_fold(wanted.name)))`,
  );
