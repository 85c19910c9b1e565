import { sql } from 'drizzle-orm';
import { check, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ArtOrder } from '#content/art/draw.ts';
import { createdNow } from './columns.ts';

/** What a drawn picture is made of (look §6). The recipe as it was stored: a later version may have another set. */
export interface ArtSource extends Omit<ArtOrder, 'recipe'> {
  readonly recipe: string;
}

/** Every picture the site shows, by a key that stands in its URL `/media/{key}/…`: drawn, or fetched from `sourceUrl`. */
export const pictures = pgTable(
  'pictures',
  {
    key: text().primaryKey(),
    art: jsonb().$type<ArtSource>(),
    sourceUrl: text(),
    /** Natural aspect such as `3:2`, for pages that show it whole. */
    aspect: text().notNull().default('3:2'),
    /** `#rrggbb` shown while the picture loads. */
    placeholder: text().notNull(),
    createdAt: createdNow(),
  },
  (t) => [check('pictures_source', sql`(${t.art} is null) <> (${t.sourceUrl} is null)`)],
);
