import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, real, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ArtOrder } from '#content/art/draw.ts';
import type { Translated } from '#content/locales.ts';
import { createdNow, instant, partialDate } from './columns.ts';

/** What a drawn picture is made of (look §6). The recipe as it was stored: a later version may have another set. */
export interface ArtSource extends Omit<ArtOrder, 'recipe'> {
  readonly recipe: string;
}

/**
 * Every picture the site shows, by a key that stands in its URL `/media/{key}/…`: drawn, fetched from `sourceUrl`, or uploaded. Of an
 * upload the original is kept in the store, turned upright, without EXIF and place.
 */
export const pictures = pgTable(
  'pictures',
  {
    key: text().primaryKey(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    art: jsonb().$type<ArtSource>(),
    sourceUrl: text(),
    /** SHA-256 of the uploaded bytes in hexadecimal: the same bytes twice are one picture. */
    uploadHash: text(),
    /** Pixels of the upright original of an upload. */
    width: integer(),
    height: integer(),
    /** What every crop keeps, from 0 to 1 of width and height; null: what looks most telling. */
    focusX: real(),
    focusY: real(),
    alt: jsonb().$type<Partial<Translated>>(),
    credit: text(),
    licence: text(),
    /** Page where the picture and its licence are told. */
    creditUrl: text(),
    takenAt: partialDate(),
    /** Without a reference: an account that leaves takes no picture along. */
    uploadedBy: integer(),
    /** Answered with 410 since then; undone within 30 days. */
    withdrawnAt: instant(),
    withdrawalReason: text(),
    /** Natural aspect such as `3:2`, for pages that show it whole. */
    aspect: text().notNull().default('3:2'),
    /** `#rrggbb` shown while the picture loads. */
    placeholder: text().notNull(),
    createdAt: createdNow(),
    updatedAt: createdNow(),
  },
  (t) => [
    uniqueIndex('pictures_id').on(t.id),
    uniqueIndex('pictures_upload').on(t.uploadHash),
    index('pictures_library').on(t.createdAt.desc().nullsFirst()).where(sql`upload_hash is not null`),
    check('pictures_source', sql`num_nonnulls(${t.art}, ${t.sourceUrl}, ${t.uploadHash}) = 1`),
    check('pictures_focus', sql`${t.focusX} between 0 and 1 and ${t.focusY} between 0 and 1`),
  ],
);
