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

/**
 * Brings back those that left when the star was hidden, as the audit log knows, also under the numbers of stars that were merged
 * into it.
 * @returns ids of the events
 */
export async function bringBackPastAnniversaries(tx: Transaction, id: number): Promise<number[]> {
  const merged = await tx
    .select({ id: starRedirects.fromId })
    .from(starRedirects)
    .where(eq(starRedirects.intoId, id));
  return bringBackAsTaken(tx, id, [id, ...merged.map((star) => star.id)]);
}

/** The same of those that left under one of these numbers, and are this star's now. */
export async function bringBackAsTaken(
  tx: Transaction,
  id: number,
  takenAs: readonly number[],
): Promise<number[]> {
  const leaving = await tx
    .selectDistinctOn([auditLog.subjectId, auditLog.action], {
      ids: sql<number[] | null>`${auditLog.details} -> 'anniversaries'`,
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subject, 'star'),
        inArray(auditLog.subjectId, [...takenAs]),
        inArray(auditLog.action, ['star.hide', 'star.merge']),
      ),
    )
    .orderBy(auditLog.subjectId, auditLog.action, desc(auditLog.id));
  const back = await tx
    .update(events)
    .set({ verification: 'approved' })
    .where(
      and(
        inArray(
          events.id,
          leaving.flatMap(({ ids }) => ids ?? []),
        ),
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
