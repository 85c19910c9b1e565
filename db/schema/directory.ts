import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { FactSource } from '#content/fact-source.ts';
import { users } from './accounts.ts';
import { createdNow, identity, instant } from './columns.ts';
import { stars } from './stars.ts';

/** Other directories by whose numbers a star is known. */
export const externalSources = ['kpopnet', 'wikidata', 'musicbrainz', 'byeol'] as const;
export type ExternalSource = (typeof externalSources)[number];

/**
 * Where a fact of a star is from, and who last wrote it. A fact that a person edited is never overwritten by an import. `field` is the
 * path in the star's document: `birthDate`, `words.ko.name`, `members`.
 */
export const starFacts = pgTable(
  'star_facts',
  {
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    field: text().notNull(),
    source: jsonb().$type<FactSource>(),
    /** When a person wrote it; null: an import did. */
    editedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.starId, t.field] })],
);

/** What an import knows otherwise than a person wrote it: offered in the editor, until it is taken or declined. */
export const starOffers = pgTable(
  'star_offers',
  {
    id: identity(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    field: text().notNull(),
    offered: jsonb().$type<unknown>().notNull(),
    source: jsonb().$type<FactSource>().notNull(),
    createdAt: createdNow(),
    declinedAt: instant(),
  },
  (t) => [uniqueIndex('star_offers_once').on(t.starId, t.field, sql`(source ->> 'name')`)],
);

/** What a star is called in other directories. */
export const starExternalIds = pgTable(
  'star_external_ids',
  {
    source: text({ enum: externalSources }).notNull(),
    externalId: text().notNull(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.source, t.externalId] }), index('star_external_ids_star').on(t.starId)],
);

/** A star as it was after each change, whole, as it is exported. */
export const starRevisions = pgTable(
  'star_revisions',
  {
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    /** 1, 2, 3 … of one star */
    number: integer().notNull(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** What was done: the action of the audit log, or an import. */
    action: text().notNull(),
    document: jsonb().$type<unknown>().notNull(),
    createdAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.starId, t.number] })],
);

/** Numbers of stars that were merged into another: their addresses lead there for ever. */
export const starRedirects = pgTable(
  'star_redirects',
  {
    fromId: integer().primaryKey(),
    intoId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    createdAt: createdNow(),
  },
  (t) => [index('star_redirects_into').on(t.intoId)],
);
