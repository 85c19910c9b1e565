import { and, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { unprepared } from '../../client.ts';
import { articleRewrites, articleStars, articles } from '../../schema/articles.ts';
import { stars } from '../../schema/stars.ts';
import {
  coalesce,
  execute,
  jsonArray,
  jsonObject,
  type RowOf,
  selectValue,
  type ValueOf,
} from '../../sql.ts';
import { contains } from '../pattern.ts';
import { s } from '../stars/badge.ts';
import { versionOf } from './version.ts';

const a = alias(articles, 'a');
const ast = alias(articleStars, 'ast');
const r = alias(articleRewrites, 'r');

const rewritesOfArticle = sql`from ${articleRewrites} ${r} where ${r.articleId} = ${a.id}`;

const listedFields = (language: Lang) => ({
  id: a.id,
  outlet: a.outlet,
  /** ISO text with microseconds. */
  publishedAt: sql<string>`${a.publishedAt}`,
  withdrawnAt: sql<string | null>`${a.withdrawnAt}`,
  languages: selectValue(jsonArray(r.language), rewritesOfArticle),
  title: coalesce(
    selectValue(
      r.title,
      sql`${rewritesOfArticle} order by (${r.language} = ${language}) desc, (${r.language} = 'en') desc limit 1`,
    ),
    a.originalTitle,
  ),
});

/** An article in the editors' list. */
export type ListedArticle = RowOf<ReturnType<typeof listedFields>>;

interface ArticleFilter {
  language: Lang;
  limit: number;
  offset: number;
  search?: string | undefined;
  withdrawn?: boolean | undefined;
}

/** A page of articles, withdrawn ones too, the newest first, and how many there are. One statement. */
export async function listArticlesForEditors({
  language,
  limit,
  offset,
  search,
  withdrawn,
}: ArticleFilter): Promise<{ articles: ListedArticle[]; total: number }> {
  const isListed = and(hasState(withdrawn), search ? isFound(search) : undefined) ?? sql`true`;
  const newestFirst = sql`${a.publishedAt} desc, ${a.id} desc`;
  const [row] = await execute(
    {
      total: sql<number>`(select count(*)::int from ${articles} ${a} where ${isListed})`,
      articles: selectValue(
        jsonArray(jsonObject(listedFields(language)), { orderBy: newestFirst }),
        sql`from page ${a}`,
      ),
    },
    (columns) => sql`
      with page as (
        select ${a}.* from ${articles} ${a} where ${isListed} order by ${newestFirst} limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  return row ?? { articles: [], total: 0 };
}

function hasState(withdrawn: boolean | undefined): SQL | undefined {
  if (withdrawn === undefined) return undefined;
  return withdrawn ? isNotNull(a.withdrawnAt) : isNull(a.withdrawnAt);
}

/** By number, or by words of outlet or titles. Each has its own index, which an `or` of them could not use. */
function isFound(search: string): SQL {
  const pattern = contains(search);
  const { id, outlet, originalTitle } = articles;
  const found = [
    sql`select ${id} from ${articles} where byeol_fold(${outlet} || ' ' || ${originalTitle}) like ${pattern}`,
    sql`select ${r.articleId} from ${articleRewrites} ${r} where ${r.searchKey} like ${pattern}`,
    ...(/^[1-9]\d{0,8}$/.test(search) ? [sql`select ${Number(search)}::int`] : []),
  ];
  return sql`${a.id} in (${sql.join(found, sql` union all `)})`;
}

const words = jsonObject({ title: r.title, summary: r.summary, content: r.content });

const editedFields = {
  id: a.id,
  version: versionOf(a.updatedAt),
  outlet: a.outlet,
  originalUrl: a.originalUrl,
  originalTitle: a.originalTitle,
  originalContent: a.originalContent,
  model: a.model,
  reviewer: a.reviewer,
  /** A photograph in the place of the drawn art. */
  pictureKey: a.photoKey,
  drawnKey: a.pictureKey,
  category: a.entertainmentCategory,
  publishedAt: a.publishedAt,
  withdrawnAt: a.withdrawnAt,
  stars: selectValue(
    jsonArray(jsonObject({ id: s.id, name: s.name }), { orderBy: sql`${ast.position}` }),
    sql`from ${articleStars} ${ast} join ${stars} ${s} on ${s.id} = ${ast.starId} where ${ast.articleId} = ${a.id}`,
  ),
  rewrites: selectValue(
    sql<Partial<Record<Lang, ValueOf<typeof words>>>>`
      coalesce(json_object_agg(${r.language}, ${words}), '{}'::json)`,
    rewritesOfArticle,
  ),
};

/** An article as its editor sees it: the source and every rewrite. */
export type EditedArticle = RowOf<typeof editedFields>;

/** An article, withdrawn or not; undefined when there is none. */
export async function findArticleForEditors(id: number): Promise<EditedArticle | undefined> {
  const [article] = await execute(
    editedFields,
    (columns) => sql`select ${columns} from ${articles} ${a} where ${a.id} = ${id}`,
  );
  return article;
}
