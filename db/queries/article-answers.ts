import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarCategory } from '../schema/stars.ts';
import { executePlanned, gatheredById, intArray } from '../statement.ts';
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

type Rewrite = ArticleAnswerRow['rewrites'][number];
type Head = Omit<ArticleAnswerRow, 'title' | 'summary' | 'content' | 'rewrites'> & {
  /** Only of an article that has no rewrite to show. */
  originalContent: string | null;
};

const headColumns = (language: Lang) => sql`
  a.id, coalesce(r.language, 'ko') as language, a.picture_key as "pictureKey", a.published_at as "publishedAt",
  a.created_at as "createdAt", a.original_url as "originalUrl", a.original_title as "originalTitle",
  case when r.language is null then a.original_content end as "originalContent", a.outlet, a.model,
  a.entertainment_category as category, coalesce(r.reading_time, a.reading_time) as "readingTime",
  ${starsOfArticle(language)} as stars, ${embedsOfArticle(language)} as embeds`;

/**
 * The articles of `page` (`id` and what `order` needs) with every rewrite. Two statements beside each other: whole texts as
 * plain columns cost PostgreSQL a third of what they cost inside JSON.
 */
async function answersOf(page: SQL, order: SQL, language: Lang): Promise<ArticleAnswerRow[]> {
  const [heads, rewrites] = await Promise.all([
    executePlanned<Head>(sql`
      with page as materialized (${page})
      select ${headColumns(language)} from page join articles a on a.id = page.id ${bestRewrite(language)}
      order by ${order}`),
    executePlanned<Rewrite & { articleId: number }>(sql`
      with page as materialized (${page})
      select w.article_id as "articleId", w.language, w.title, w.summary, w.content, w.created_at as "createdAt"
      from page join article_rewrites w on w.article_id = page.id order by w.article_id, w.language`),
  ]);
  const byArticle = Map.groupBy(rewrites, ({ articleId }) => articleId);
  return heads.map(({ originalContent, ...head }) => {
    const own = (byArticle.get(head.id) ?? []).map(({ articleId: _, ...rewrite }) => rewrite);
    const shown =
      originalContent === null ? own.find((rewrite) => rewrite.language === head.language) : undefined;
    const { title, summary, content } = shown ?? {
      title: head.originalTitle,
      summary: (originalContent ?? '').slice(0, 200),
      content: originalContent ?? '',
    };
    return { ...head, title, summary, content, rewrites: own };
  });
}

/** A page of the feed as the API answers it (§7 `GET /api/articles`), newest first. */
export function listArticleAnswers(filter: FeedFilter): Promise<ArticleAnswerRow[]> {
  return answersOf(feedIds(filter), sql`page.published_at desc, page.id desc`, filter.language);
}

/** Related articles as the API answers them, best first. */
export function listRelatedAnswers(
  id: number,
  language: Lang,
  limit: number,
  starIds?: readonly number[],
): Promise<ArticleAnswerRow[]> {
  const order = sql`page.rank, page.published_at desc, page.id desc`;
  return answersOf(relatedIds(id, limit, starIds), order, language);
}

/** One public article as the API answers it, or undefined; those who ask at once are answered by the same two statements. */
export const findArticleAnswer = gatheredById<ArticleAnswerRow>((language, ids) => {
  const page = sql`select id from articles where id = any(${intArray(ids)}) and withdrawn_at is null`;
  return answersOf(page, sql`page.id`, language);
});

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
  from json_array_elements_text(${JSON.stringify(names)}::text::json) as wanted(name)
  join stars s on s.search_key like ${contains(sql`wanted.name`)}
  where byeol_fold(s.name) = byeol_fold(wanted.name)
    or exists (select 1 from star_translations st
      where st.star_id = s.id and byeol_fold(st.name) = byeol_fold(wanted.name))
    or exists (select 1 from star_aliases sa where sa.star_id = s.id and sa.alias_key = byeol_fold(wanted.name)))`;
