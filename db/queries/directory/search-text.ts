import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { database } from '../../client.ts';
import { stars } from '../../schema/stars.ts';

/** What stars are found by that was stored before names without signs were, or has none: in the order of their ids, after one of them. */
export const listSearchTexts = (
  divider: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; searchText: string }[]> =>
  database()
    .select({ id: stars.id, searchText: stars.searchText })
    .from(stars)
    .where(and(gt(stars.id, after), sql`strpos(${stars.searchText}, ${divider}) = 0`))
    .orderBy(asc(stars.id))
    .limit(limit);

/** Writes what a star is found by, unless somebody else did meanwhile. */
export async function writeSearchText(id: number, before: string, searchText: string): Promise<void> {
  await database()
    .update(stars)
    .set({ searchText })
    .where(and(eq(stars.id, id), eq(stars.searchText, before)));
}
