import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { stars } from './stars.ts';

/**
 * What a star is found by, kept by a trigger: its folded names and its initial consonants, and the letters of both (`byeol_grams`), by
 * which words are found that are too short for trigrams. A table of its own: indexes on `stars` are written with every article.
 */
export const starSearch = pgTable(
  'star_search',
  {
    starId: integer()
      .primaryKey()
      .references(() => stars.id, { onDelete: 'cascade' }),
    searchKey: text().notNull(),
    initials: text().notNull(),
    nameGrams: text().array().notNull(),
    initialGrams: text().array().notNull(),
  },
  (t) => [
    // What was just written must not wait in a list that every search reads.
    index('star_search_names').using('gin', sql`search_key gin_trgm_ops`).with({ fastupdate: false }),
    // Names are also found when they are written with other spaces.
    index('star_search_joined')
      .using('gin', sql`replace(search_key, ' ', '') gin_trgm_ops`)
      .with({ fastupdate: false }),
    index('star_search_grams').using('gin', t.nameGrams).with({ fastupdate: false }),
    index('star_search_initials').using('gin', t.initialGrams).with({ fastupdate: false }),
  ],
);
