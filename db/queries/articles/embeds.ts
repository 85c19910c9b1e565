import { sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import { memoize } from '../../memoize.ts';
import {
  articleRewrites,
  articleStars,
  articles,
  type EmbedMetadata,
  type EmbedPlatform,
  embeds,
  embedTranslations,
} from '../../schema/articles.ts';
import { pictures } from '../../schema/media.ts';
import { stars } from '../../schema/stars.ts';
import {
  coalesce,
  type Executor,
  execute,
  jsonArray,
  jsonObject,
  nameOf,
  namesOf,
  nullable,
  prepare,
  type RowOf,
  selectValue,
} from '../../sql.ts';
import { isShown, s } from '../stars/badge.ts';

const a = alias(articles, 'a');
const ast = alias(articleStars, 'ast');
const e = alias(embeds, 'e');
const et = alias(embedTranslations, 'et');
const r = alias(articleRewrites, 'r');

const embedFields = {
  id: e.id,
  articleId: e.articleId,
  platform: e.platform,
  embedType: e.embedType,
  embedId: e.embedId,
  embedUrl: e.embedUrl,
  title: nullable(et.title),
  description: et.description,
  pictureKey: e.pictureKey,
  metadata: e.metadata,
  position: e.position,
  isActive: e.isActive,
  createdAt: e.createdAt,
  updatedAt: e.updatedAt,
};

export type EmbedRow = RowOf<typeof embedFields>;

/** JSON of an article's active embeds in their order, with words in `language`, else English. */
export const embedsOfArticle = (articleId: AnyPgColumn, language: Lang) =>
  selectValue(
    jsonArray(jsonObject(embedFields), { orderBy: sql`${e.position}, ${e.id}` }),
    sql`from ${embeds} ${e}
      left join lateral (select ${et.title}, ${et.description} from ${embedTranslations} ${et}
        where ${et.embedId} = ${e.id} and ${et.language} in (${language}, 'en')
        order by (${et.language} = ${language}) desc limit 1) ${et} on true
      where ${e.articleId} = ${articleId} and ${e.isActive}`,
  );

const embedsIn = memoize((language: Lang) =>
  prepare(
    { embeds: embedsOfArticle(a.id, language) },
    (columns) => sql`
      select ${columns} from ${articles} ${a} where ${a.id} = ${sql.placeholder('articleId')} and ${a.withdrawnAt} is null`,
  ),
);

/** The active embeds of a public article (§7 multimedia), or undefined when there is no such article. One statement. */
export async function findEmbeds(articleId: number, language: Lang): Promise<EmbedRow[] | undefined> {
  const [row] = await embedsIn(language)({ articleId });
  return row?.embeds;
}

interface VideoSubject {
  title: string;
  /** Raw names of the article's stars, in their order. */
  stars: string[];
  /** Videos that the article has already. */
  embedIds: string[];
}

/** What a search for videos needs to know of an article, or undefined when there is no such public article. */
export async function findVideoSubject(articleId: number): Promise<VideoSubject | undefined> {
  const [row] = await execute(
    {
      title: coalesce(r.title, a.originalTitle),
      stars: selectValue(
        jsonArray(s.name, { orderBy: sql`${ast.position}` }),
        sql`from ${articleStars} ${ast} join ${stars} ${s} on ${s.id} = ${ast.starId} and ${isShown()} where ${ast.articleId} = ${a.id}`,
      ),
      embedIds: selectValue(
        jsonArray(e.embedId),
        sql`from ${embeds} ${e} where ${e.articleId} = ${a.id} and ${e.platform} = 'youtube'`,
      ),
    },
    (columns) => sql`
      select ${columns} from ${articles} ${a}
      left join ${articleRewrites} ${r} on ${r.articleId} = ${a.id} and ${r.language} = 'ko'
      where ${a.id} = ${articleId} and ${a.withdrawnAt} is null`,
  );
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
  db: Executor = database(),
): Promise<EmbedRow | undefined> {
  const { poster } = embed;
  const [row] = await execute(
    {
      ...embedFields,
      title: sql<string | null>`${embed.title}::text`,
      description: sql<string | null>`${embed.description}::text`,
    },
    (columns) => sql`
      with poster as (
        insert into ${pictures} (${namesOf(pictures.key, pictures.sourceUrl, pictures.aspect, pictures.placeholder)})
        select ${poster?.key ?? null}, ${poster?.sourceUrl ?? null}, ${poster?.aspect ?? null}, ${poster?.placeholder ?? null}
        where ${poster !== undefined}
        on conflict (${nameOf(pictures.key)}) do update set ${nameOf(pictures.sourceUrl)} = excluded.${nameOf(pictures.sourceUrl)}
        returning ${pictures.key}),
      ${e} as (
        insert into ${embeds} (${namesOf(
          embeds.articleId,
          embeds.platform,
          embeds.embedType,
          embeds.embedId,
          embeds.embedUrl,
          embeds.pictureKey,
          embeds.metadata,
          embeds.position,
        )})
        values (${articleId}, ${embed.platform}, ${embed.embedType}, ${embed.embedId}, ${embed.embedUrl},
          (select ${nameOf(pictures.key)} from poster), ${JSON.stringify(embed.metadata)}::jsonb,
          (select coalesce(max(${embeds.position}) + 1, 0) from ${embeds} where ${embeds.articleId} = ${articleId}))
        on conflict (${namesOf(embeds.articleId, embeds.platform, embeds.embedId)}) do nothing returning *),
      words as (
        insert into ${embedTranslations} (${namesOf(
          embedTranslations.embedId,
          embedTranslations.language,
          embedTranslations.title,
          embedTranslations.description,
        )})
        select ${e.id}, ${language}, ${embed.title}, ${embed.description} from ${e})
      select ${columns} from ${e}`,
    db,
  );
  return row;
}
