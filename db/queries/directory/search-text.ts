import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { database } from '../../client.ts';
import { stars } from '../../schema/stars.ts';

/** What a star is found by, and the name that its initials are of. */
type StarSearchText = Pick<typeof stars.$inferSelect, 'id' | 'name' | 'initials' | 'searchText'>;

/**
 * What stars are found by that was stored before names without signs were, or has none, or has as many initials as were stored before all
 * of them were: in the order of their ids, after one of them.
 */
export const listSearchTexts = (
  { divider, initials }: { divider: string; initials: number },
  { after, limit }: { after: number; limit: number },
): Promise<StarSearchText[]> =>
  database()
    .select({ id: stars.id, name: stars.name, initials: stars.initials, searchText: stars.searchText })
    .from(stars)
    .where(
      and(
        gt(stars.id, after),
        sql`(strpos(${stars.searchText}, ${divider}) = 0 or char_length(${stars.initials}) = ${initials})`,
      ),
    )
    .orderBy(asc(stars.id))
    .limit(limit);

/** Writes what a star is found by, unless somebody else did meanwhile. */
export async function writeSearchText(
  { id, searchText: before }: StarSearchText,
  words: Pick<StarSearchText, 'initials' | 'searchText'>,
): Promise<void> {
  await database()
    .update(stars)
    .set(words)
    .where(and(eq(stars.id, id), eq(stars.searchText, before)));
}
