import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../client.ts';
import { database } from '../../client.ts';
import { channels } from '../../schema/community.ts';
import { starRedirects } from '../../schema/directory.ts';
import { events } from '../../schema/events.ts';
import { stars } from '../../schema/stars.ts';
import { notDecided } from '../events/fields.ts';

/** Hides a star from readers, or shows it again. @returns false when it was so already */
export async function setHidden(tx: Transaction, id: number, isHidden: boolean): Promise<boolean> {
  const changed = await tx
    .update(stars)
    .set({ hiddenAt: isHidden ? sql`now()` : null })
    .where(sql`${stars.id} = ${id} and (${stars.hiddenAt} is not null) <> ${isHidden}`)
    .returning({ id: stars.id });
  return changed.length > 0;
}

/**
 * Takes back the birthdays and anniversaries that were, which tell the star's name; those to come follow from the directory.
 * @returns ids of the events
 */
export async function takeBackPastAnniversaries(tx: Transaction, id: number): Promise<number[]> {
  const taken = await tx
    .update(events)
    .set({
      verification: 'rejected',
      leftWithStar: true,
      // Nobody decided it: who once approved one did not reject it.
      ...notDecided,
    })
    .where(
      and(
        eq(events.anniversaryOf, id),
        eq(events.verification, 'approved'),
        lt(events.startTime, sql`now()`),
      ),
    )
    .returning({ id: events.id });
  return taken.map((event) => event.id);
}

/**
 * Brings back those that left when the star was hidden, or a star that was merged into it.
 * @returns ids of the events
 */
export async function bringBackPastAnniversaries(tx: Transaction, id: number): Promise<number[]> {
  const back = await tx
    .update(events)
    .set({ verification: 'approved', leftWithStar: false })
    .where(
      and(
        eq(events.anniversaryOf, id),
        eq(events.leftWithStar, true),
        eq(events.verification, 'rejected'),
        isNull(events.decidedAt),
      ),
    )
    .returning({ id: events.id });
  return back.map((event) => event.id);
}

/** The channel of a star, hidden or not; undefined: nobody came yet. */
export async function findChannelId(starId: number): Promise<number | undefined> {
  const [channel] = await database()
    .select({ id: channels.id })
    .from(channels)
    .where(eq(channels.starId, starId));
  return channel?.id;
}

/** The star that this number leads to since it was merged; undefined when it never was one. */
export async function findRedirect(id: number): Promise<number | undefined> {
  const [redirect] = await database()
    .select({ into: starRedirects.intoId })
    .from(starRedirects)
    .where(eq(starRedirects.fromId, id));
  return redirect?.into;
}
