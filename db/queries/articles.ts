import { type SQL, sql } from 'drizzle-orm';
import type { Lang, Translated } from '#content/locales.ts';
import type { StarCategory } from '../schema/stars.ts';
import { executePlanned, firstRows, intArray, literal } from '../statement.ts';
import { type EmbedRow, embedsOfArticle } from './embeds.ts';

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
    select r.language, r.title, r.summary, r.content, r.content_html, r.reading_time, r.created_at
    from article_rewrites r where r.article_id = a.id and r.language in (${language}, 'en')
    order by (r.language = ${language}) desc limit 1) r on true`;

/** Columns of a card; goes with `articles a`, `bestRewrite` and `left join pictures p on p.key = a.picture_key`. */
export const cardColumns = (language: Lang) => sql`
  a.id, coalesce(r.language, 'ko') as language, coalesce(r.title, a.original_title) as title,
  coalesce(r.summary, left(a.original_content, 200)) as summary, a.published_at as "publishedAt",
  coalesce(r.reading_time, a.reading_time) as "readingTime",
  a.model, a.picture_key as "pictureKey", p.placeholder, ${starsOfArticle(language)} as stars`;

/** `id, published_at` of a page of the feed by the index that fits the filter; deep pages read index entries only. */
export function feedIds({ starIds, category, eventId, limit, offset }: FeedFilter): SQL {
  const inCategory = category ? sql`and a.entertainment_category = ${category}` : sql``;
  const newest = sql`published_at desc, id desc`;
  if (eventId !== undefined) {
    // An event has one article at most.
    return sql`select a.id, a.published_at from events e join articles a on a.id = e.source_article_id
      where e.id = ${eventId} and e.verification = 'approved' and a.withdrawn_at is null ${inCategory}
      limit ${literal(1)} offset ${offset}`;
  }
  if (starIds && starIds.length > 0) {
    const ofStars = (most: SQL) => sql`select id, published_at from (
        select distinct near.published_at, near.id from unnest(${intArray(starIds)}) as wanted(star_id)
        cross join lateral (select a.id, ast.published_at from article_stars ast join articles a on a.id = ast.article_id
          where ast.star_id = wanted.star_id and a.withdrawn_at is null ${inCategory}
          order by ast.published_at desc, ast.article_id desc limit ${most} + ${offset}) near) nearest
      order by ${newest} limit ${most} offset ${offset}`;
    return firstRows(limit, ofStars, newest);
  }
  const ofAll = (
    most: SQL,
  ) => sql`select a.id, a.published_at from articles a where a.withdrawn_at is null ${inCategory}
    order by a.published_at desc, a.id desc limit ${most} offset ${offset}`;
  return firstRows(limit, ofAll, newest);
}

/** A page of the feed, newest first (§7 `GET /api/articles`). One statement; reads only the rows that it returns. */
export async function listArticleCards(filter: FeedFilter): Promise<CardRow[]> {
  const { language } = filter;
  const rows = await executePlanned<CardRow>(sql`
    with page as materialized (${feedIds(filter)})
    select ${cardColumns(language)} from page join articles a on a.id = page.id
    ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
    order by page.published_at desc, page.id desc`);
  return rows.map(withDates);
}

/** Cards of articles by id, in the order of the ids. One statement. */
export async function listCardsById(language: Lang, ids: readonly number[]): Promise<CardRow[]> {
  const rows = await executePlanned<CardRow>(sql`
    select ${cardColumns(language)} from unnest(${intArray(ids)}) with ordinality as page(id, place)
    join articles a on a.id = page.id ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
    order by page.place`);
  return rows.map(withDates);
}

/**
 * How many stories have come in within the last so many seconds, at most `most`; with `starIds` those of these stars. One
 * statement, which reads `most` index entries.
 */
export async function countNewArticles(
  seconds: number,
  { starIds, most }: { starIds: readonly number[]; most: number },
): Promise<number> {
  const newest = feedIds({ language: 'ko', starIds, limit: most, offset: 0 });
  const [row] = await executePlanned<{ count: number }>(sql`
    select count(*)::int as count from (${newest}) newest
    where published_at > now() - ${seconds}::int * interval '1 second'`);
  return row?.count ?? 0;
}

/** Raw statements answer timestamps as text; cards carry a `Date`. */
export function withDates<Row extends { publishedAt: Date }>(row: Row): Row {
  return { ...row, publishedAt: new Date(row.publishedAt) };
}

export interface ArticleRow extends CardRow {
  contentHtml: string | null;
  /** The words as they were written, when nobody made HTML of them. */
  content: string | null;
  category: StarCategory;
  outlet: string;
  originalUrl: string;
  originalTitle: string;
  originalPublishedAt: Date;
  reviewer: Translated | null;
  createdAt: Date;
  updatedAt: Date;
  /** When the rewrite that is shown was made. */
  rewrittenAt: Date | null;
  /** Languages in which the article exists (decision L10). */
  languages: Lang[];
  embeds: EmbedRow[];
  /** Version of the model's prompt. */
  promptVersion: string | null;
  /** Other outlets that told the same story. */
  otherOutlets: string[];
  /** What was said about it since it was published, the newest first; notes in the language asked for. */
  corrections: { kind: 'amended' | 'withdrawn' | 'restored'; note: string | null; at: Date }[];
}

/** Columns of a whole article; goes with what `cardColumns` goes with. */
export const articleColumns = (language: Lang) => sql`
  ${cardColumns(language)}, r.content_html as "contentHtml",
  case when r.content_html is null then coalesce(r.content, a.original_content) end as content,
  a.entertainment_category as category, a.outlet, a.original_url as "originalUrl",
  a.original_title as "originalTitle",
  a.original_published_at as "originalPublishedAt", a.reviewer, a.created_at as "createdAt",
  a.updated_at as "updatedAt", r.created_at as "rewrittenAt",
  (select coalesce(json_agg(language), '["ko"]'::json) from article_rewrites where article_id = a.id) as languages,
  ${embedsOfArticle(language)} as embeds, a.prompt_version as "promptVersion",
  array(select distinct s.outlet from stories st join items i on i.story_id = st.id join sources s on s.id = i.source_id
    where st.article_id = a.id and s.outlet <> a.outlet order by s.outlet) as "otherOutlets",
  case when a.amended_at is null then '[]'::json else (
    select json_agg(json_build_object('kind', c.kind, 'note', c.note->>${language}::text, 'at', c.created_at) order by c.id desc)
    from article_corrections c where c.article_id = a.id) end as corrections`;

export const withArticleDates = (row: ArticleRow): ArticleRow => ({
  ...withDates(row),
  originalPublishedAt: new Date(row.originalPublishedAt),
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
  rewrittenAt: row.rewrittenAt ? new Date(row.rewrittenAt) : null,
  corrections: row.corrections.map((each) => ({ ...each, at: new Date(each.at) })),
});

/**
 * `id, published_at, rank` of other articles to read next: newest with a star in common, then of the same category. The
 * category is read only as far as the stars leave room.
 */
export function relatedIds(id: number | SQL, limit: number, starIds?: readonly number[]): SQL {
  const wanted =
    starIds && starIds.length > 0
      ? sql`select unnest(${intArray(starIds)}) as star_id`
      : sql`select star_id from article_stars where article_id = ${id}`;
  const read = (most: SQL) => sql`
    with starred as materialized (
      select distinct near.published_at, near.id, 0 as rank from (${wanted}) w
      cross join lateral (select a.id, ast.published_at from article_stars ast join articles a on a.id = ast.article_id
        where ast.star_id = w.star_id and ast.article_id <> ${id} and a.withdrawn_at is null
        order by ast.published_at desc, ast.article_id desc limit ${most}) near
      order by near.published_at desc, near.id desc limit ${most})
    select id, published_at, rank from starred
    union all
    (select a.id, a.published_at, 1 as rank from articles a
      where a.entertainment_category = (select entertainment_category from articles where id = ${id})
        and a.id <> ${id} and a.id not in (select id from starred) and a.withdrawn_at is null
      order by a.published_at desc, a.id desc limit (select ${most} - count(*) from starred))`;
  return firstRows(limit, read, sql`rank, published_at desc, id desc`);
}
