import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../client.ts';
import { database } from '../../client.ts';
import { starRedirects } from '../../schema/directory.ts';
import { stars } from '../../schema/stars.ts';

/** Hides a star from readers, or shows it again. @returns false when it was so already */
export async function setHidden(tx: Transaction, id: number, isHidden: boolean): Promise<boolean> {
  const changed = await tx
    .update(stars)
    .set({ hiddenAt: isHidden ? sql`now()` : null })
    .where(sql`${stars.id} = ${id} and (${stars.hiddenAt} is not null) <> ${isHidden}`)
    .returning({ id: stars.id });
  return changed.length > 0;
}

/** The star that this number leads to since it was merged; undefined when it never was one. */
export async function findRedirect(id: number): Promise<number | undefined> {
  const [redirect] = await database()
    .select({ into: starRedirects.intoId })
    .from(starRedirects)
    .where(eq(starRedirects.fromId, id));
  return redirect?.into;
}
