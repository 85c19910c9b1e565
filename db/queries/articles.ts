import { type SQL, sql } from 'drizzle-orm';
import type { Lang, Translated } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EmbedMetadata, EmbedPlatform } from '../schema/articles.ts';
import type { StarCategory } from '../schema/stars.ts';

/** A star as lists name it, in the language asked for, else by its raw name (§3). */
export interface StarRow {
  id: number;
  slug: string;
  name: string;
  category: StarCategory;
  fandomColor: string;
}

/** One card of a feed. The words are in `language`: the one asked for, else English, else the original (L1). */
export interface CardRow {
  id: number;
  language: Lang;
  title: string;
  summary: string;
  publishedAt: Date;
  readingTime: number;
  model: string | null;
  pictureKey: string | null;
  placeholder: string | null;
  stars: StarRow[];
}

export interface FeedFilter {
  language: Lang;
  limit: number;
  offset: number;
  /** Articles with at least one of these stars; empty or missing: all. */
  starIds?: readonly number[];
  category?: StarCategory;
  /** The article that announced this event. */
  eventId?: number;
}

/** JSON of an article's stars in their order, named in `language`. */
export const starsOfArticle = (language: Lang) => sql`(
  select coalesce(json_agg(json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name),
    'category', s.category, 'fandomColor', s.fandom_color) order by ast.position), '[]'::json)
  from article_stars ast
  join stars s on s.id = ast.star_id
  left join star_translations st on st.star_id = s.id and st.language = ${language}
  where ast.article_id = a.id)`;

/** Fallback of L1, in one place: the language's own rewrite, else the English one; no row means the original. */
export const bestRewrite = (language: Lang) => sql`
  left join lateral (
    select r.language, r.title, r.summary, r.content, r.content_html, r.created_at
    from article_rewrites r where r.article_id = a.id and r.language in (${language}, 'en')
    order by (r.language = ${language}) desc limit 1) r on true`;

/** Columns of a card; goes with `articles a`, `bestRewrite` and `left join pictures p on p.key = a.picture_key`. */
export const cardColumns = (language: Lang) => sql`
  a.id, coalesce(r.language, 'ko') as language, coalesce(r.title, a.original_title) as title,
  coalesce(r.summary, left(a.original_content, 200)) as summary, a.published_at as "publishedAt",
  greatest(1, ceil(char_length(coalesce(r.content, a.original_content)) / 1000.0))::int as "readingTime",
  a.model, a.picture_key as "pictureKey", p.placeholder, ${starsOfArticle(language)} as stars`;

/** Ids of a page of the feed by the index that fits the filter; deep pages read index entries only. */
function feedIds({ starIds, category, eventId, limit, offset }: FeedFilter): SQL {
  if (eventId !== undefined) {
    return sql`select a.id, a.published_at from events e join articles a on a.id = e.source_article_id
      where e.id = ${eventId} and e.verification = 'approved' and a.withdrawn_at is null limit ${limit} offset ${offset}`;
  }
  if (starIds && starIds.length > 0) {
    const ids = sql`array[${sql.join(
      starIds.map((id) => sql`${id}::int`),
      sql`, `,
    )}]`;
    return sql`select a.id, a.published_at from (
        select distinct ast.published_at, ast.article_id from unnest(${ids}) as wanted(star_id)
        cross join lateral (select published_at, article_id from article_stars where star_id = wanted.star_id
          order by published_at desc, article_id desc limit ${limit + offset}) ast) ast
      join articles a on a.id = ast.article_id
      where a.withdrawn_at is null ${category ? sql`and a.entertainment_category = ${category}` : sql``}
      order by a.published_at desc, a.id desc limit ${limit} offset ${offset}`;
  }
  return sql`select a.id, a.published_at from articles a
    where a.withdrawn_at is null ${category ? sql`and a.entertainment_category = ${category}` : sql``}
    order by a.published_at desc, a.id desc limit ${limit} offset ${offset}`;
}

/** A page of the feed, newest first (§7 `GET /api/articles`). One statement; reads only the rows that it returns. */
export async function listArticleCards(filter: FeedFilter): Promise<CardRow[]> {
  const { language } = filter;
  const rows = await database().execute<Record<string, unknown> & CardRow>(sql`
    with page as materialized (${feedIds(filter)})
    select ${cardColumns(language)} from page join articles a on a.id = page.id
    ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
    order by page.published_at desc, page.id desc`);
  return rows.map(withDates);
}

/** Raw statements answer timestamps as text; cards carry a `Date`. */
export function withDates<Row extends { publishedAt: Date }>(row: Row): Row {
  return { ...row, publishedAt: new Date(row.publishedAt) };
}

export interface EmbedRow {
  id: number;
  articleId: number;
  platform: EmbedPlatform;
  embedType: string;
  embedId: string;
  embedUrl: string;
  title: string | null;
  description: string | null;
  pictureKey: string | null;
  metadata: EmbedMetadata;
  position: number;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

/** JSON of an article's active embeds in their order, with words in `language`, else English. */
const embedsOfArticle = (language: Lang) => sql`(
  select coalesce(json_agg(json_build_object('id', e.id, 'articleId', e.article_id, 'platform', e.platform,
    'embedType', e.embed_type, 'embedId', e.embed_id, 'embedUrl', e.embed_url, 'title', et.title,
    'description', et.description, 'pictureKey', e.picture_key, 'metadata', e.metadata, 'position', e.position,
    'isActive', e.is_active, 'createdAt', e.created_at, 'updatedAt', e.updated_at) order by e.position, e.id), '[]'::json)
  from embeds e
  left join lateral (select title, description from embed_translations
    where embed_id = e.id and language in (${language}, 'en') order by (language = ${language}) desc limit 1) et on true
  where e.article_id = a.id and e.is_active)`;

export interface ArticleRow extends CardRow {
  content: string;
  contentHtml: string | null;
  category: StarCategory;
  outlet: string;
  originalUrl: string;
  originalTitle: string;
  originalContent: string;
  originalPublishedAt: Date;
  reviewer: Translated | null;
  createdAt: Date;
  updatedAt: Date;
  /** When the rewrite that is shown was made. */
  rewrittenAt: Date | null;
  /** Languages in which the article exists (decision L10). */
  languages: Lang[];
  embeds: EmbedRow[];
}

/** One public article with everything its page shows, or undefined (§7 `GET /api/articles/{id}`). One statement. */
export async function findArticle(id: number, language: Lang): Promise<ArticleRow | undefined> {
  const [row] = await database().execute<Record<string, unknown> & ArticleRow>(sql`
    select ${cardColumns(language)}, coalesce(r.content, a.original_content) as content, r.content_html as "contentHtml",
      a.entertainment_category as category, a.outlet, a.original_url as "originalUrl",
      a.original_title as "originalTitle", a.original_content as "originalContent",
      a.original_published_at as "originalPublishedAt", a.reviewer, a.created_at as "createdAt",
      a.updated_at as "updatedAt", r.created_at as "rewrittenAt",
      (select coalesce(json_agg(language), '["ko"]'::json) from article_rewrites where article_id = a.id) as languages,
      ${embedsOfArticle(language)} as embeds
    from articles a ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
    where a.id = ${id} and a.withdrawn_at is null`);
  if (!row) return undefined;
  return {
    ...withDates(row),
    originalPublishedAt: new Date(row.originalPublishedAt),
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    rewrittenAt: row.rewrittenAt ? new Date(row.rewrittenAt) : null,
  };
}

/**
 * Newest other articles that share a star, filled up from the same category (§7 related). With `starIds` those stars
 * count instead of the article's own.
 */
export async function listRelatedCards(
  id: number,
  language: Lang,
  limit: number,
  starIds?: readonly number[],
): Promise<CardRow[]> {
  const wanted =
    starIds && starIds.length > 0
      ? sql`select unnest(array[${sql.join(
          starIds.map((star) => sql`${star}::int`),
          sql`, `,
        )}]) as star_id`
      : sql`select star_id from article_stars where article_id = ${id}`;
  const rows = await database().execute<Record<string, unknown> & CardRow>(sql`
    with shared as (
      select distinct on (near.article_id) near.article_id as id, near.published_at, 0 as rank from (${wanted}) w
      cross join lateral (select article_id, published_at from article_stars where star_id = w.star_id
        and article_id <> ${id} order by published_at desc, article_id desc limit ${limit + 1}) near),
    same as (
      select a.id, a.published_at, 1 as rank from articles a
      where a.entertainment_category = (select entertainment_category from articles where id = ${id})
        and a.id <> ${id} and a.withdrawn_at is null
      order by a.published_at desc, a.id desc limit ${limit * 2 + 1}),
    page as materialized (
      select id, min(rank) as rank, max(published_at) as published_at
      from (select * from shared union all select * from same) both_kinds group by id)
    select ${cardColumns(language)} from page join articles a on a.id = page.id
    ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
    where a.withdrawn_at is null
    order by page.rank, page.published_at desc, page.id desc limit ${limit}`);
  return rows.map(withDates);
}
