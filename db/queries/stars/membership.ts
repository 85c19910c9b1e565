import { type SQL, sql } from 'drizzle-orm';
import type { Expression } from '../../sql.ts';

/**
 * Whether a member has left: an editor says so, or the end of its time has come. One that ends in this month or year has, as in
 * Wikidata.
 */
export const hasLeft = (member: { isFormer: Expression; until: Expression }): SQL<boolean> =>
  sql<boolean>`(${member.isFormer} or coalesce(${member.until} <= left(current_date::text, length(${member.until})), false))`;
