import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EmbedMetadata, EmbedPlatform } from '../schema/articles.ts';
import { executePlanned } from '../statement.ts';
import type { Executor } from './audit.ts';

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
export const embedsOfArticle = (language: Lang) => sql`(
  select coalesce(json_agg(json_build_object('id', e.id, 'articleId', e.article_id, 'platform', e.platform,
    'embedType', e.embed_type, 'embedId', e.embed_id, 'embedUrl', e.embed_url, 'title', et.title,
    'description', et.description, 'pictureKey', e.picture_key, 'metadata', e.metadata, 'position', e.position,
    'isActive', e.is_active, 'createdAt', e.created_at, 'updatedAt', e.updated_at) order by e.position, e.id), '[]'::json)
  from embeds e
  left join lateral (select title, description from embed_translations
    where embed_id = e.id and language in (${language}, 'en') order by (language = ${language}) desc limit 1) et on true
  where e.article_id = a.id and e.is_active)`;

/** The active embeds of a public article (§7 multimedia), or undefined when there is no such article. One statement. */
export async function findEmbeds(articleId: number, language: Lang): Promise<EmbedRow[] | undefined> {
  const [row] = await executePlanned<{ embeds: EmbedRow[] }>(sql`
    select ${embedsOfArticle(language)} as embeds from articles a where a.id = ${articleId} and a.withdrawn_at is null`);
  return row?.embeds;
}

/** What a search for videos needs to know of an article, or undefined when there is no such public article. */
export async function findVideoSubject(
  articleId: number,
): Promise<{ title: string; stars: string[]; known: string[] } | undefined> {
  const [row] = await database().execute<{ title: string; stars: string[]; known: string[] }>(sql`
    select coalesce(r.title, a.original_title) as title,
      (select coalesce(json_agg(s.name order by ast.position), '[]'::json)
        from article_stars ast join stars s on s.id = ast.star_id where ast.article_id = a.id) as stars,
      (select coalesce(json_agg(embed_id), '[]'::json) from embeds
        where article_id = a.id and platform = 'youtube') as known
    from articles a left join article_rewrites r on r.article_id = a.id and r.language = 'ko'
    where a.id = ${articleId} and a.withdrawn_at is null`);
  return row;
}

export interface NewEmbed {
  platform: EmbedPlatform;
  embedType: string;
  embedId: string;
  embedUrl: string;
  title: string;
  description: string | null;
  metadata: EmbedMetadata;
  /** Where the poster is fetched from; it gets a key of its own. */
  poster: { key: string; sourceUrl: string; aspect: string; placeholder: string } | undefined;
}

/**
 * Stores an embed of an article once (unique per article, platform and embed id) with its poster, after the last one.
 * One statement; a repeat stores nothing and returns undefined.
 */
export async function insertEmbed(
  articleId: number,
  language: Lang,
  embed: NewEmbed,
  to: Executor = database(),
): Promise<EmbedRow | undefined> {
  const { poster } = embed;
  const [row] = await to.execute<Record<string, unknown> & EmbedRow>(sql`
    with poster as (
      insert into pictures (key, source_url, aspect, placeholder)
      select ${poster?.key ?? null}, ${poster?.sourceUrl ?? null}, ${poster?.aspect ?? null}, ${poster?.placeholder ?? null}
      where ${poster !== undefined}
      on conflict (key) do update set source_url = excluded.source_url returning key),
    e as (
      insert into embeds (article_id, platform, embed_type, embed_id, embed_url, picture_key, metadata, position)
      values (${articleId}, ${embed.platform}, ${embed.embedType}, ${embed.embedId}, ${embed.embedUrl},
        (select key from poster), ${JSON.stringify(embed.metadata)}::jsonb,
        (select coalesce(max(position) + 1, 0) from embeds where article_id = ${articleId}))
      on conflict (article_id, platform, embed_id) do nothing returning *),
    words as (
      insert into embed_translations (embed_id, language, title, description)
      select e.id, ${language}, ${embed.title}, ${embed.description} from e)
    select e.id, e.article_id as "articleId", e.platform, e.embed_type as "embedType", e.embed_id as "embedId",
      e.embed_url as "embedUrl", ${embed.title}::text as title, ${embed.description}::text as description,
      e.picture_key as "pictureKey", e.metadata, e.position, e.is_active as "isActive", e.created_at as "createdAt",
      e.updated_at as "updatedAt" from e`);
  return row;
}
