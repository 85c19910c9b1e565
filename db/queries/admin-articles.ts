import { sql } from 'drizzle-orm';
import type { Lang, Translated } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarCategory } from '../schema/stars.ts';
import { contains } from './pattern.ts';

/** An article in the editors' list. */
export interface ListedArticle {
  id: number;
  title: string;
  outlet: string;
  publishedAt: string;
  withdrawnAt: string | null;
  languages: Lang[];
}

export interface ArticleFilter {
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
  const state =
    withdrawn === undefined
      ? sql``
      : withdrawn
        ? sql`and a.withdrawn_at is not null`
        : sql`and a.withdrawn_at is null`;
  const id = search && /^[1-9]\d{0,8}$/.test(search) ? Number(search) : null;
  const found = search
    ? sql`and (a.id = ${id}::int or byeol_fold(a.outlet || ' ' || a.original_title) like ${contains(search)}
        or exists (select from article_rewrites r where r.article_id = a.id and r.search_key like ${contains(search)}))`
    : sql``;
  const where = sql`where true ${state} ${found}`;
  const [row] = await database().execute<{ articles: ListedArticle[]; total: number }>(sql`
    with page as (select a.* from articles a ${where} order by a.published_at desc, a.id desc limit ${limit} offset ${offset})
    select (select count(*)::int from articles a ${where}) as total,
      (select coalesce(json_agg(json_build_object('id', a.id, 'outlet', a.outlet, 'publishedAt', a.published_at,
        'withdrawnAt', a.withdrawn_at,
        'languages', (select coalesce(json_agg(language), '[]'::json) from article_rewrites where article_id = a.id),
        'title', coalesce((select title from article_rewrites where article_id = a.id
          order by (language = ${language}) desc, (language = 'en') desc limit 1), a.original_title))
        order by a.published_at desc, a.id desc), '[]'::json) from page a) as articles`);
  return row ?? { articles: [], total: 0 };
}

/** An article as its editor sees it: the source and every rewrite. */
export interface EditedArticle {
  id: number;
  outlet: string;
  originalUrl: string;
  originalTitle: string;
  originalContent: string;
  publishedAt: string;
  withdrawnAt: string | null;
  model: string | null;
  category: StarCategory;
  reviewer: Translated | null;
  stars: { id: number; name: string }[];
  rewrites: Partial<Record<Lang, { title: string; summary: string; content: string }>>;
}

/** An article, withdrawn or not; undefined when there is none. */
export async function findArticleForEditors(id: number): Promise<EditedArticle | undefined> {
  const [row] = await database().execute<Record<string, unknown> & EditedArticle>(sql`
    select a.id, a.outlet, a.original_url as "originalUrl", a.original_title as "originalTitle",
      a.original_content as "originalContent", a.model, a.reviewer, a.entertainment_category as category,
      to_json(a.published_at)#>>'{}' as "publishedAt", to_json(a.withdrawn_at)#>>'{}' as "withdrawnAt",
      (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name) order by ast.position), '[]'::json)
        from article_stars ast join stars s on s.id = ast.star_id where ast.article_id = a.id) as stars,
      (select coalesce(json_object_agg(language, json_build_object('title', title, 'summary', summary, 'content', content)),
        '{}'::json) from article_rewrites where article_id = a.id) as rewrites
    from articles a where a.id = ${id}`);
  return row;
}
