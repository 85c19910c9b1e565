import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Translated } from '#content/locales.ts';
import { users } from './accounts.ts';
import { articles } from './articles.ts';
import { createdNow, identity, instant, language } from './columns.ts';
import { stars } from './stars.ts';

export const sourceStates = ['active', 'paused'] as const;

/** Languages in which the newsroom knows names, dates and the words for kinds of events: see api/newsroom/event-evidence.ts. */
export const sourceLanguages = ['ko', 'en'] as const;

/** A feed that the newsroom reads, and how it fares. */
export const sources = pgTable(
  'sources',
  {
    id: identity(),
    outlet: text().notNull(),
    feedUrl: text().notNull(),
    /** Language of its texts, BCP 47; a new source has one of `sourceLanguages`. */
    sourceLanguage: text().notNull().default('ko'),
    state: text({ enum: sourceStates }).notNull().default('active'),
    /** Whether the pages of its stories may be read where the feed has only a summary. */
    fullText: boolean().notNull().default(true),
    intervalMinutes: integer().notNull().default(15),
    etag: text(),
    lastModified: text(),
    nextFetchAt: createdNow(),
    lastFetchedAt: instant(),
    lastSuccessAt: instant(),
    lastErrorAt: instant(),
    /** Code and sentence of the newest failure; null after a success. */
    lastError: text(),
    /** Failures since the newest success: each doubles the wait. */
    failures: integer().notNull().default(0),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdNow(),
    updatedAt: createdNow(),
  },
  (t) => [
    uniqueIndex('sources_feed').on(t.feedUrl),
    index('sources_due').on(t.nextFetchAt).where(sql`state = 'active'`),
    check('sources_interval', sql`${t.intervalMinutes} between 1 and 1440`),
  ],
);

/** One row per host that is asked: when it may be asked again, and its robots.txt. */
export const crawlHosts = pgTable('crawl_hosts', {
  host: text().primaryKey(),
  nextAt: createdNow(),
  robots: text(),
  robotsAt: instant(),
});

export const storyStages = [
  /** Grouped, not tagged yet. */
  'new',
  /** Tagged; waits for rewrites: of the machine, of tomorrow's budget, or of an editor. */
  'waiting',
  /** A check said no: an editor decides. */
  'held',
  /** Tried too often: in the list of failures. */
  'failed',
  'published',
  /** An editor does not want it. */
  'dismissed',
] as const;
export type StoryStage = (typeof storyStages)[number];

/** Reading events from a story: `pending` once it is published. */
export const eventStages = ['none', 'pending', 'done', 'failed'] as const;

/** One piece of news, told by one or more sources, on its way to an article. */
export const stories = pgTable(
  'stories',
  {
    id: identity(),
    stage: text({ enum: storyStages }).notNull().default('new'),
    /** Why it is held or waits: a code such as `no_star`, `namesakes`, `names`, `too_close`, `no_ai`, `budget`. */
    reason: text(),
    /** More about the reason, for editors. */
    details: text(),
    articleId: integer().references(() => articles.id, { onDelete: 'set null' }),
    attempts: integer().notNull().default(0),
    /** Not before. */
    nextTryAt: createdNow(),
    eventStage: text({ enum: eventStages }).notNull().default('none'),
    eventAttempts: integer().notNull().default(0),
    /** When `stage` or `eventStage` changed last; a trigger keeps it. */
    stepSince: createdNow(),
    /** A source changed its text after we published. */
    sourceChangedAt: instant(),
    createdAt: createdNow(),
    updatedAt: createdNow(),
  },
  (t) => [
    index('stories_stage').on(t.stage, t.nextTryAt),
    index('stories_events').on(t.nextTryAt).where(sql`event_stage = 'pending'`),
    uniqueIndex('stories_article').on(t.articleId),
  ],
);

const itemStages = [
  /** From the feed; its text is not settled. */
  'collected',
  /** Its text is what we shall have. */
  'read',
  /** Belongs to a story. */
  'grouped',
] as const;

/** One entry of a feed. The canonical address makes it one, whoever links to it. */
export const items = pgTable(
  'items',
  {
    id: identity(),
    sourceId: integer()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    stage: text({ enum: itemStages }).notNull().default('collected'),
    storyId: integer().references(() => stories.id, { onDelete: 'set null' }),
    url: text().notNull(),
    canonicalUrl: text().notNull(),
    title: text().notNull(),
    text: text().notNull(),
    /** Where the text is from. */
    textOrigin: text({ enum: ['feed', 'page'] })
      .notNull()
      .default('feed'),
    /** SHA-256 of the feed's words: another one means that the source changed them. */
    digest: text().notNull(),
    publishedAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    nextTryAt: createdNow(),
    createdAt: createdNow(),
    updatedAt: createdNow(),
  },
  (t) => [
    uniqueIndex('items_canonical').on(t.canonicalUrl),
    index('items_story').on(t.storyId),
    index('items_source').on(t.sourceId, t.createdAt),
    index('items_open').on(t.nextTryAt).where(sql`stage <> 'grouped'`),
    index('items_time').on(t.publishedAt),
  ],
);

/** Stars that a story is about, the most important first. */
export const storyStars = pgTable(
  'story_stars',
  {
    storyId: integer()
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    score: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.storyId, t.starId] }), index('story_stars_star').on(t.starId)],
);

/** Whom a name of a held story may mean: an editor chooses, or none of them. */
export const storyCandidates = pgTable(
  'story_candidates',
  {
    storyId: integer()
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    /** As the source writes it. */
    name: text().notNull(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    score: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.storyId, t.name, t.starId] }),
    index('story_candidates_star').on(t.starId),
  ],
);

/** A rewrite that waits for the other languages. `model` made it, or made what a person then changed; null when a person wrote it. */
export const storyDrafts = pgTable(
  'story_drafts',
  {
    storyId: integer()
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    language: language(),
    title: text().notNull(),
    /** Up to three sentences, one per line. */
    summary: text().notNull(),
    /** Markdown. */
    content: text().notNull(),
    model: text(),
    promptVersion: text(),
    authorId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Code of the check that it did not pass; only without one it can be published. */
    problem: text(),
    createdAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.storyId, t.language] })],
);

/** Every question to the model: what it was for, what it took. Open ones count with what they reserved. */
export const aiCalls = pgTable(
  'ai_calls',
  {
    id: identity(),
    purpose: text({ enum: ['rewrite', 'repair', 'events'] }).notNull(),
    storyId: integer().references(() => stories.id, { onDelete: 'set null' }),
    language: text(),
    model: text().notNull(),
    promptVersion: text().notNull(),
    outcome: text({ enum: ['open', 'ok', 'invalid', 'limited', 'timeout', 'error'] })
      .notNull()
      .default('open'),
    error: text(),
    reservedTokens: integer().notNull(),
    inputTokens: integer(),
    outputTokens: integer(),
    /** US dollars, when the price is set. */
    cost: numeric({ precision: 12, scale: 6 }),
    milliseconds: integer(),
    createdAt: createdNow(),
  },
  (t) => [index('ai_calls_time').on(t.createdAt), index('ai_calls_story').on(t.storyId)],
);

/** Work that was given up (dead letters): an admin may replay it. */
export const newsroomFailures = pgTable(
  'newsroom_failures',
  {
    id: identity(),
    stage: text({ enum: ['read', 'rewrite', 'events'] }).notNull(),
    itemId: integer().references(() => items.id, { onDelete: 'cascade' }),
    storyId: integer().references(() => stories.id, { onDelete: 'cascade' }),
    error: text().notNull(),
    attempts: integer().notNull(),
    createdAt: createdNow(),
    replayedAt: instant(),
    replayedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    uniqueIndex('newsroom_failures_open_story').on(t.stage, t.storyId).where(sql`replayed_at is null`),
    index('newsroom_failures_time').on(t.createdAt.desc().nullsFirst()),
  ],
);

/** What was said about an article after it was published; every language shows it. */
export const articleCorrections = pgTable(
  'article_corrections',
  {
    id: identity(),
    articleId: integer()
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['amended', 'withdrawn', 'restored'] }).notNull(),
    /** In every language; null for one that only mends a slip. */
    note: jsonb().$type<Translated>(),
    editorId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdNow(),
  },
  (t) => [index('article_corrections_article').on(t.articleId, t.createdAt)],
);
