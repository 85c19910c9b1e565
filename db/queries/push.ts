import { and, asc, desc, eq, gt, notInArray, or, sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { sessions } from '../schema/accounts.ts';
import { pushSubscriptions } from '../schema/reminders.ts';
import type { RowOf } from '../sql.ts';

const { id, userId: ownerId, endpoint, p256dh, auth } = pushSubscriptions;
const pushFields = { id, endpoint, p256dh, auth };

/** A browser that takes notifications of an account. */
type PushRow = RowOf<typeof pushFields>;

/** Browsers of one account that are kept; a new one pushes the oldest out. */
const maxPerAccount = 10;

/**
 * Binds a browser's subscription to a session. The same browser may come back, also for another account; whoever knows an
 * endpoint but not its secret cannot take it over.
 * @returns false when the endpoint is known with other keys
 */
export function savePushSubscription(
  owner: { userId: number; sessionId: string },
  browser: Omit<PushRow, 'id'>,
): Promise<boolean> {
  const { endpoint: address, ...keys } = browser;
  return database().transaction(async (tx) => {
    const savedRows = await tx
      .insert(pushSubscriptions)
      .values({ ...owner, ...keys, endpoint: address })
      .onConflictDoUpdate({
        target: endpoint,
        set: { ...owner, ...keys },
        setWhere: or(eq(auth, keys.auth), eq(ownerId, owner.userId)),
      })
      .returning({ id });
    if (savedRows.length === 0) return false;
    const newest = tx
      .select({ id })
      .from(pushSubscriptions)
      .where(eq(ownerId, owner.userId))
      .orderBy(desc(id))
      .limit(maxPerAccount);
    await tx.delete(pushSubscriptions).where(and(eq(ownerId, owner.userId), notInArray(id, newest)));
    return true;
  });
}

/** Binds what was bound to one session to another of the same account. */
export async function movePushSubscriptions(fromSession: string, toSession: string): Promise<void> {
  await database()
    .update(pushSubscriptions)
    .set({ sessionId: toSession })
    .where(eq(pushSubscriptions.sessionId, fromSession));
}

/** Ends a browser's subscription of this account; a repeat changes nothing. */
export async function deletePushSubscription(userId: number, address: string): Promise<void> {
  await database()
    .delete(pushSubscriptions)
    .where(and(eq(ownerId, userId), eq(endpoint, address)));
}

/** The browsers of an account whose sessions are alive, oldest first. */
export function listPushSubscriptions(userId: number): Promise<PushRow[]> {
  return database()
    .select(pushFields)
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .where(and(eq(ownerId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(asc(id));
}

/** Forgets a browser that its push service no longer knows. */
export async function deleteGonePushSubscription(subscriptionId: number): Promise<void> {
  await database().delete(pushSubscriptions).where(eq(id, subscriptionId));
}
