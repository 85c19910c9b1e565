import { type SQL, sql } from 'drizzle-orm';
import { normalized } from '#content/normalize.ts';

/**
 * Text as it is searched for by LIKE: folded, and its own signs of LIKE escaped. After the fold, because folding turns full-width
 * `％` and `＿` into the plain signs.
 */
export const escaped = (part: SQL | string): SQL =>
  sql`regexp_replace(byeol_fold(${part}), '([%_\\\\])', '\\\\\\1', 'g')`;

/** A LIKE pattern for text that contains `part` after folding. */
export const contains = (part: SQL | string): SQL => sql`'%' || ${escaped(part)} || '%'`;

/** Reckons an expression that names no row once per statement: a plan for any values would reckon it for each row. */
export const once = <Value>(expression: SQL<Value>): SQL<Value> => sql`(select ${expression})`;

/** Whether a trigram index can look a spelling up: three letters or digits in a row after folding. */
export function hasTrigram(spelling: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(normalized(spelling, 'NFKD').replace(/\p{Mn}/gu, ''));
}
