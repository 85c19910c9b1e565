import { type SQL, sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { type EmbedPlatform, embedPlatforms } from '#content/embed-platforms.ts';
import type { Translated } from '#content/locales.ts';
import { createdNow, identity, instant, language } from './columns.ts';
import { pictures } from './media.ts';
import { starCategories, stars } from './stars.ts';

export type { EmbedPlatform };

/** Minutes that a text takes to read, kept with it: a feed would unpack twenty whole texts to count their characters. */
const readingTime = (content: SQL) =>
  smallint().generatedAlwaysAs(sql`greatest(1, ceil(char_length(${content}) / 1000.0))`).notNull();

/** §3 Article: the Korean source and how the rewrites were made (decision P4). Public when `withdrawnAt` is null. */
export const articles = pgTable(
  'articles',
  {
    id: identity(),
    entertainmentCategory: text({ enum: starCategories }).notNull(),
    /** The drawn art. */
    pictureKey: text().references(() => pictures.key),
    /** A photograph in its place. */
    photoKey: text().references(() => pictures.key),
    outlet: text().notNull(),
    originalUrl: text().notNull(),
    originalTitle: text().notNull(),
    originalContent: text().notNull(),
    readingTime: readingTime(sql`original_content`),
    originalPublishedAt: instant().notNull(),
    /** Model that made the rewrites; null when a person wrote them. */
    model: text(),
    /** Version of the prompt that the model was given; null when a person wrote the rewrites. */
    promptVersion: text(),
    /** Who read the rewrites after the machine: of each language that was read. */
    reviewer: jsonb().$type<Partial<Translated>>(),
    publishedAt: instant().notNull(),
    createdAt: createdNow(),
    updatedAt: createdNow(),
    withdrawnAt: instant(),
    /** Newest correction: all rewrites are marked with it. */
    amendedAt: instant(),
  },
  (t) => [
    uniqueIndex('articles_original_url').on(t.originalUrl),
    index('articles_feed')
      .on(t.publishedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`withdrawn_at is null`),
    index('articles_category')
      .on(t.entertainmentCategory, t.publishedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`withdrawn_at is null`),
    index('articles_original_search')
      .using('gin', sql`byeol_fold(outlet || ' ' || original_title) gin_trgm_ops`)
      .concurrently(),
  ],
);

/** One rewrite per article and language. `content` is Markdown, `contentHtml` its sanitised form, made when saved. */
export const articleRewrites = pgTable(
  'article_rewrites',
  {
    articleId: integer()
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    language: language(),
    title: text().notNull(),
    /** Up to three sentences, one per line. */
    summary: text().notNull(),
    content: text().notNull(),
    contentHtml: text().notNull(),
    readingTime: readingTime(sql`content`),
    createdAt: createdNow(),
    searchKey: text().generatedAlwaysAs(sql`byeol_fold(title || ' ' || summary)`),
  },
  (t) => [
    primaryKey({ columns: [t.articleId, t.language] }),
    // The windows let a search for a common word read the newest articles only: see `searchWindows` in queries/search/articles.ts.
    index('article_rewrites_search').using(
      'gin',
      sql`(article_id / 512)`,
      sql`(article_id / 4096)`,
      sql`(article_id / 32768)`,
      sql`search_key gin_trgm_ops`,
    ),
  ],
);

/** Stars of an article in their order. `publishedAt` repeats the article's, so that a star's feed is one index walk. */
export const articleStars = pgTable(
  'article_stars',
  {
    articleId: integer()
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    position: smallint().notNull().default(0),
    publishedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.articleId, t.starId] }),
    index('article_stars_feed').on(
      t.starId,
      t.publishedAt.desc().nullsFirst(),
      t.articleId.desc().nullsFirst(),
    ),
  ],
);

/** What a platform says about an embed (§3). `duration` is ISO 8601, `publishedAt` an ISO instant. */
export interface EmbedMetadata {
  duration?: string;
  channelName?: string;
  channelTitle?: string;
  author?: string;
  publishedAt?: string;
  viewCount?: number;
}

/** §3 Embed. */
export const embeds = pgTable(
  'embeds',
  {
    id: identity(),
    articleId: integer()
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    platform: text({ enum: embedPlatforms }).notNull(),
    embedType: text().notNull(),
    embedId: text().notNull(),
    embedUrl: text().notNull(),
    pictureKey: text().references(() => pictures.key),
    metadata: jsonb().$type<EmbedMetadata>().notNull().default({}),
    position: smallint().notNull().default(0),
    isActive: boolean().notNull().default(true),
    createdAt: createdNow(),
    updatedAt: createdNow(),
  },
  (t) => [
    uniqueIndex('embeds_once').on(t.articleId, t.platform, t.embedId),
    index('embeds_order').on(t.articleId, t.position),
  ],
);

export const embedTranslations = pgTable(
  'embed_translations',
  {
    embedId: integer()
      .notNull()
      .references(() => embeds.id, { onDelete: 'cascade' }),
    language: language(),
    title: text().notNull(),
    description: text(),
  },
  (t) => [primaryKey({ columns: [t.embedId, t.language] })],
);
