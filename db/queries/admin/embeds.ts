import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database, unprepared } from '../../client.ts';
import {
  articleRewrites,
  articles,
  type EmbedPlatform,
  embeds,
  embedTranslations,
} from '../../schema/articles.ts';
import { coalesce, execute, jsonArray, jsonObject, nullable, type RowOf, selectValue } from '../../sql.ts';
import { type EmbedRow, insertEmbed, type NewEmbed } from '../articles/embeds.ts';
import { recordDecision } from './audit.ts';

const a = alias(articles, 'a');
const e = alias(embeds, 'e');
const et = alias(embedTranslations, 'et');
const r = alias(articleRewrites, 'r');

const listedFields = (language: Lang) => ({
  id: e.id,
  articleId: e.articleId,
  platform: e.platform,
  embedType: e.embedType,
  embedId: e.embedId,
  embedUrl: e.embedUrl,
  isActive: e.isActive,
  /** ISO text with microseconds. */
  createdAt: sql<string>`${e.createdAt}`,
  title: nullable(
    selectValue(
      et.title,
      sql`from ${embedTranslations} ${et} where ${et.embedId} = ${e.id}
        order by (${et.language} = ${language}) desc, (${et.language} = 'en') desc limit 1`,
    ),
  ),
  articleTitle: selectValue(
    coalesce(
      selectValue(
        r.title,
        sql`from ${articleRewrites} ${r} where ${r.articleId} = ${a.id}
          order by (${r.language} = ${language}) desc, (${r.language} = 'en') desc limit 1`,
      ),
      a.originalTitle,
    ),
    sql`from ${articles} ${a} where ${a.id} = ${e.articleId}`,
  ),
});

/** An embed with the article that it belongs to, hidden ones too. */
export type ListedEmbed = RowOf<ReturnType<typeof listedFields>>;

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
  const isListed =
    and(
      platform && eq(embeds.platform, platform),
      articleId === undefined ? undefined : eq(embeds.articleId, articleId),
    ) ?? sql`true`;
  const [row] = await execute(
    {
      total: sql<number>`(select count(*)::int from ${embeds} where ${isListed})`,
      embeds: selectValue(
        jsonArray(jsonObject(listedFields(language)), { orderBy: sql`${e.id} desc` }),
        sql`from page ${e}`,
      ),
    },
    (columns) => sql`
      with page as (
        select * from ${embeds} where ${isListed} order by ${embeds.id} desc limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  return row ?? { embeds: [], total: 0 };
}

/** Shows or hides an embed and notes it. @returns its article; undefined when there is no such embed */
export function setEmbedActive(id: number, isActive: boolean, actorId: number): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    const [before] = await tx
      .select({ articleId: embeds.articleId, isActive: embeds.isActive })
      .from(embeds)
      .where(eq(embeds.id, id))
      .for('update');
    if (before && before.isActive !== isActive) {
      await tx.update(embeds).set({ isActive, updatedAt: sql`now()` }).where(eq(embeds.id, id));
      await recordDecision(tx, {
        actorId,
        action: isActive ? 'embed.show' : 'embed.hide',
        subject: 'embed',
        subjectId: id,
      });
    }
    return before?.articleId;
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
