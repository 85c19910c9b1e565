import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EmbedPlatform } from '../schema/articles.ts';
import { recordDecision } from './audit.ts';
import { type EmbedRow, insertEmbed, type NewEmbed } from './embeds.ts';

/** An embed with the article that it belongs to, hidden ones too. */
export interface ListedEmbed {
  id: number;
  articleId: number;
  articleTitle: string;
  platform: EmbedPlatform;
  embedType: string;
  embedId: string;
  embedUrl: string;
  title: string | null;
  isActive: boolean;
  createdAt: string;
}

export interface EmbedFilter {
  language: Lang;
  limit: number;
  offset: number;
  platform?: EmbedPlatform | undefined;
  articleId?: number | undefined;
}

/** A page of embeds, the newest first, and how many there are. One statement. */
export async function listEmbeds({
  language,
  limit,
  offset,
  platform,
  articleId,
}: EmbedFilter): Promise<{ embeds: ListedEmbed[]; total: number }> {
  const where = sql`where (${platform ?? null}::text is null or platform = ${platform ?? null})
    and (${articleId ?? null}::int is null or article_id = ${articleId ?? null})`;
  const [row] = await database().execute<{ embeds: ListedEmbed[]; total: number }>(sql`
    with page as (select * from embeds ${where} order by id desc limit ${limit} offset ${offset})
    select (select count(*)::int from embeds ${where}) as total,
      (select coalesce(json_agg(json_build_object('id', e.id, 'articleId', e.article_id, 'platform', e.platform,
        'embedType', e.embed_type, 'embedId', e.embed_id, 'embedUrl', e.embed_url, 'isActive', e.is_active,
        'createdAt', e.created_at, 'title', (select title from embed_translations where embed_id = e.id
          order by (language = ${language}) desc, (language = 'en') desc limit 1),
        'articleTitle', (select coalesce((select title from article_rewrites where article_id = a.id
          order by (language = ${language}) desc, (language = 'en') desc limit 1), a.original_title)
          from articles a where a.id = e.article_id)) order by e.id desc), '[]'::json) from page e) as embeds`);
  return row ?? { embeds: [], total: 0 };
}

/** Shows or hides an embed and notes it. @returns its article; undefined when there is no such embed */
export function setEmbedActive(id: number, isActive: boolean, actorId: number): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    const [row] = await tx.execute<{ articleId: number; was: boolean }>(
      sql`select article_id as "articleId", is_active as was from embeds where id = ${id} for update`,
    );
    if (row && row.was !== isActive) {
      await tx.execute(sql`update embeds set is_active = ${isActive}, updated_at = now() where id = ${id}`);
      await recordDecision(tx, {
        actorId,
        action: isActive ? 'embed.show' : 'embed.hide',
        subject: 'embed',
        subjectId: id,
      });
    }
    return row?.articleId;
  });
}

/** Adds an embed to an article and notes it; undefined when the article has it already. The article must be there. */
export function addEmbed(
  articleId: number,
  language: Lang,
  embed: NewEmbed,
  actorId: number,
): Promise<EmbedRow | undefined> {
  return database().transaction(async (tx) => {
    const row = await insertEmbed(articleId, language, embed, tx);
    if (row) {
      await recordDecision(tx, {
        actorId,
        action: 'embed.add',
        subject: 'embed',
        subjectId: row.id,
        details: { articleId, platform: embed.platform, embedId: embed.embedId },
      });
    }
    return row;
  });
}
