import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { FactSource } from '#content/fact-source.ts';
import type { Lang } from '#content/locales.ts';
import type { PartialDate } from '#content/partial-date.ts';
import { users } from './accounts.ts';
import { bytes, createdNow, identity, instant } from './columns.ts';
import { type StarCategory, stars } from './stars.ts';

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
    /** The number that the star had whose it was before it was merged into this one; null: it is the star's own. */
    mergedFrom: integer(),
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

/** By what a file may still know a star that was merged into another: part of its document. */
export interface FormerStar {
  slug: string;
  category: StarCategory;
  words: Partial<Record<Lang, { name: string }>>;
  birthDate?: PartialDate;
  debutDate?: PartialDate;
}

/** Numbers of stars that were merged into another: their addresses lead there for ever. */
export const starRedirects = pgTable(
  'star_redirects',
  {
    fromId: integer().primaryKey(),
    intoId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    /** What it was; null: it was merged before that was kept. */
    former: jsonb().$type<FormerStar>(),
    createdAt: createdNow(),
  },
  (t) => [index('star_redirects_into').on(t.intoId)],
);

export const importFormats = ['byeol', 'csv', 'kpopnet'] as const;
export const rowOutcomes = ['add', 'change', 'same', 'refuse'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];
/** `refused`: nothing was taken in, because a star is refused; `failed`: something broke. Both can be tried again. */
export const importStates = ['ready', 'running', 'done', 'refused', 'failed'] as const;

/** A field that an import changes or offers, each value as a short text. */
export interface ImportedField {
  field: string;
  before: string;
  after: string;
}

/** What an import makes of one star of its file, as editors read it. */
export interface ImportRow {
  /** Where it stands in the file, from 1. */
  line: number;
  outcome: RowOutcome;
  name: string;
  starId: number | null;
  changed: ImportedField[];
  offered: ImportedField[];
  reasons: { code: string; message: string; field?: string; about?: string }[];
  namesakes: number[];
  missingPictures: string[];
}

/** A file of stars that an editor handed over: what it would do, and what it did. */
export const directoryImports = pgTable('directory_imports', {
  id: identity(),
  actorId: integer().references(() => users.id, { onDelete: 'set null' }),
  fileName: text().notNull(),
  format: text({ enum: importFormats }).notNull(),
  /** null once it was taken in. */
  file: bytes(),
  state: text({ enum: importStates }).notNull().default('ready'),
  rowByRow: boolean().notNull().default(false),
  rows: jsonb().$type<ImportRow[]>().notNull(),
  counts: jsonb().$type<Record<RowOutcome, number>>().notNull(),
  /** Stars that are through, while it is being taken in. */
  progress: integer().notNull().default(0),
  createdAt: createdNow(),
  endedAt: instant(),
});

/** The stars of a file that are through where each is taken in by itself: an import whose process ended goes on behind them. */
export const directoryImportStars = pgTable(
  'directory_import_stars',
  {
    importId: integer()
      .notNull()
      .references(() => directoryImports.id, { onDelete: 'cascade' }),
    /** Where it stands in the file, from 1. */
    line: integer().notNull(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    outcome: text({ enum: rowOutcomes }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.line] }), index('directory_import_stars_star').on(t.starId)],
);
