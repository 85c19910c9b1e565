import { type SQL, sql } from 'drizzle-orm';

/**
 * A LIKE pattern for text that contains `part` after folding. Escaped after the fold, because folding turns full-width
 * `％` and `＿` into the plain signs.
 */
export const contains = (part: SQL | string): SQL =>
  sql`'%' || regexp_replace(byeol_fold(${part}), '([%_\\\\])', '\\\\\\1', 'g') || '%'`;
