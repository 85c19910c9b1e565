import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../client.ts';
import { database } from '../../client.ts';
import { auditLog } from '../../schema/accounts.ts';
import { channels } from '../../schema/community.ts';
import { starRedirects } from '../../schema/directory.ts';
import { events } from '../../schema/events.ts';
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

/**
 * Takes back the birthdays and anniversaries that were, which tell the star's name; those to come follow from the directory.
 * @returns ids of the events, for `bringBackPastAnniversaries`
 */
export async function takeBackPastAnniversaries(tx: Transaction, id: number): Promise<number[]> {
  const taken = await tx
    .update(events)
    .set({ verification: 'rejected' })
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

/** Brings back those that left when the star was hidden, as the audit log knows. @returns ids of the events */
export async function bringBackPastAnniversaries(tx: Transaction, id: number): Promise<number[]> {
  const [hiding] = await tx
    .select({ ids: sql<number[] | null>`${auditLog.details} -> 'anniversaries'` })
    .from(auditLog)
    .where(and(eq(auditLog.subject, 'star'), eq(auditLog.subjectId, id), eq(auditLog.action, 'star.hide')))
    .orderBy(desc(auditLog.id))
    .limit(1);
  const back = await tx
    .update(events)
    .set({ verification: 'approved' })
    .where(
      and(
        inArray(events.id, hiding?.ids ?? []),
        eq(events.anniversaryOf, id),
        eq(events.verification, 'rejected'),
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
