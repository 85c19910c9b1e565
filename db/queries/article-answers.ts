import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarCategory } from '../schema/stars.ts';
import { executePlanned } from '../statement.ts';
import {
  bestRewrite,
  type FeedFilter,
  feedIds,
  relatedIds,
  type StarRow,
  starsOfArticle,
} from './articles.ts';
import { type EmbedRow, embedsOfArticle } from './embeds.ts';
import { contains } from './pattern.ts';

/** An article as the API answers it (§3), with every rewrite and embed. Instants are text as PostgreSQL writes them. */
export interface ArticleAnswerRow {
  id: number;
  language: Lang;
  title: string;
  summary: string;
  content: string;
  pictureKey: string | null;
  publishedAt: string;
  createdAt: string;
  originalUrl: string;
  originalTitle: string;
  outlet: string;
  model: string | null;
  category: StarCategory;
  /** minutes */
  readingTime: number;
  stars: StarRow[];
  rewrites: { language: Lang; title: string; summary: string; content: string; createdAt: string }[];
  embeds: EmbedRow[];
}

const answerColumns = (language: Lang) => sql`
  a.id, coalesce(r.language, 'ko') as language, coalesce(r.title, a.original_title) as title,
  coalesce(r.summary, left(a.original_content, 200)) as summary, coalesce(r.content, a.original_content) as content,
  a.picture_key as "pictureKey", a.published_at as "publishedAt", a.created_at as "createdAt",
  a.original_url as "originalUrl", a.original_title as "originalTitle", a.outlet, a.model,
  a.entertainment_category as category,
  coalesce(r.reading_time, a.reading_time) as "readingTime", ${starsOfArticle(language)} as stars,
  (select coalesce(json_agg(json_build_object('language', w.language, 'title', w.title, 'summary', w.summary,
      'content', w.content, 'createdAt', w.created_at) order by w.language), '[]'::json)
    from article_rewrites w where w.article_id = a.id) as rewrites,
  ${embedsOfArticle(language)} as embeds`;

/** A page of the feed as the API answers it (§7 `GET /api/articles`), newest first. One statement. */
export function listArticleAnswers(filter: FeedFilter): Promise<ArticleAnswerRow[]> {
  return executePlanned<ArticleAnswerRow>(sql`
    with page as materialized (${feedIds(filter)})
    select ${answerColumns(filter.language)} from page join articles a on a.id = page.id ${bestRewrite(filter.language)}
    order by page.published_at desc, page.id desc`);
}

/** Related articles as the API answers them, best first. One statement. */
export function listRelatedAnswers(
  id: number,
  language: Lang,
  limit: number,
  starIds?: readonly number[],
): Promise<ArticleAnswerRow[]> {
  return executePlanned<ArticleAnswerRow>(sql`
    with page as materialized (${relatedIds(id, limit, starIds)})
    select ${answerColumns(language)} from page join articles a on a.id = page.id ${bestRewrite(language)}
    order by page.rank, page.published_at desc, page.id desc`);
}

/** One public article as the API answers it, or undefined. One statement. */
export async function findArticleAnswer(id: number, language: Lang): Promise<ArticleAnswerRow | undefined> {
  const [row] = await executePlanned<ArticleAnswerRow>(sql`
    select ${answerColumns(language)} from articles a ${bestRewrite(language)}
    where a.id = ${id} and a.withdrawn_at is null`);
  return row;
}

/**
 * Whether a public article exists, and the stars that are called one of `names` in any language or alias (decision M2).
 * One statement.
 */
export async function findRelatedBasis(
  id: number,
  names: readonly string[],
): Promise<{ exists: boolean; starIds: number[] }> {
  const [row] = await database().execute<{ exists: boolean; starIds: number[] }>(sql`
    select exists (select 1 from articles where id = ${id} and withdrawn_at is null) as exists,
      ${names.length === 0 ? sql`'[]'::json` : idsOfNames(names)} as "starIds"`);
  return row ?? { exists: false, starIds: [] };
}

/** The trigram index finds candidates, then a whole name has to be equal after folding. */
const idsOfNames = (names: readonly string[]): SQL => sql`(
  select coalesce(json_agg(distinct s.id), '[]'::json)
  from unnest(array[${sql.join(
    names.map((name) => sql`${name}::text`),
    sql`, `,
  )}]) as wanted(name)
  join stars s on s.search_key like ${contains(sql`wanted.name`)}
  where byeol_fold(s.name) = byeol_fold(wanted.name)
    or exists (select 1 from star_translations st
      where st.star_id = s.id and byeol_fold(st.name) = byeol_fold(wanted.name))
    or exists (select 1 from star_aliases sa where sa.star_id = s.id and sa.alias_key = byeol_fold(wanted.name)))`;
