import {
  bigint,
  boolean,
  index,
  json,
  pgSequence,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdNow, instant, ownBytes } from './columns.ts';

/**
 * Rendered pages that processes share (decision W10). All tables here are unlogged: a crash of the database empties them, and the
 * pages are made anew.
 */

/** A page of one build, as it travels in brotli. */
export const storedPages = pgTable(
  'stored_pages',
  {
    build: text().notNull(),
    /** That of the page cache. */
    key: text().notNull(),
    etag: text().notNull(),
    headers: json().$type<Record<string, string>>().notNull(),
    body: ownBytes().notNull(),
    /** Its bytes are the tightest. */
    isTight: boolean().notNull(),
    tags: text().array().notNull(),
    /** The newest invalidation when its render began: one of its tags with a higher number outdates it. */
    asOf: bigint({ mode: 'number' }).notNull(),
    renderedAt: instant().notNull(),
    freshUntil: instant().notNull(),
    staleUntil: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.build, t.key] }), index('stored_pages_stale').on(t.staleUntil)],
);

/** When each tag was invalidated last. */
export const invalidatedTags = pgTable('invalidated_tags', {
  tag: text().primaryKey(),
  /** Of `invalidationNumbers`. */
  number: bigint({ mode: 'number' }).notNull(),
  invalidatedAt: createdNow(),
});

/** Invalidations are numbered in the order in which they begin; each begins after the commit of its cause. */
export const invalidationNumbers = pgSequence('invalidation_numbers');

/** How often pages are read, in any build: half of it counts a day later. */
export const pageReads = pgTable('page_reads', {
  key: text().primaryKey(),
  reads: real().notNull(),
  readAt: createdNow(),
});

/** Builds that serve, each with the process that renders ahead for all of them. */
export const pageBuilds = pgTable('page_builds', {
  build: text().primaryKey(),
  holder: uuid().notNull(),
  leasedUntil: instant().notNull(),
});
