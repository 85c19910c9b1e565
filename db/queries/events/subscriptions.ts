import { and, desc, eq, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import { eventSubscriptions, events } from '../../schema/events.ts';
import { reminders } from '../../schema/reminders.ts';
import { execute, type RowOf } from '../../sql.ts';
import { planReminders } from '../reminders/reminders.ts';
import { isPublic } from './fields.ts';

const subscriptionFields = {
  eventId: eventSubscriptions.eventId,
  subscriptionType: eventSubscriptions.subscriptionType,
  email: eventSubscriptions.email,
  push: eventSubscriptions.push,
  times: eventSubscriptions.times,
  createdAt: eventSubscriptions.createdAt,
};

/** A fan's subscription to an event, as it is stored. */
export type SubscriptionRow = RowOf<typeof subscriptionFields>;

/** What to store; fields that are undefined stay as they are, or get the table's default. */
export interface SubscriptionInput {
  subscriptionType?: SubscriptionRow['subscriptionType'] | undefined;
  email?: boolean | undefined;
  push?: boolean | undefined;
  times?: readonly string[] | undefined;
}

/** What an update sets: what a wish leaves out is set to what it is. */
const setOf = ({ subscriptionType, email, push, times }: SubscriptionInput) => ({
  subscriptionType: subscriptionType ?? sql`${eventSubscriptions.subscriptionType}`,
  email: email ?? sql`${eventSubscriptions.email}`,
  push: push ?? sql`${eventSubscriptions.push}`,
  times: times ? [...times] : sql`${eventSubscriptions.times}`,
});

/**
 * The event's row is locked before anything else is: triggers count on it and then on `event_interest`, some of them only on the
 * latter, and who took that one first would wait in a circle. It does not move meanwhile, either.
 * @returns whether there is such an event and it is public
 */
async function lockEvent(tx: Transaction, eventId: number): Promise<boolean> {
  const [event] = await tx
    .select({ verification: events.verification })
    .from(events)
    .where(eq(events.id, eventId))
    .for('no key update');
  return event?.verification === 'approved';
}

/**
 * Subscribes a person to a public event, or changes how, and plans the reminders by the same commit. Exact under races.
 * @returns the subscription, and whether it is new; undefined when there is no such public event
 */
export function saveSubscription(
  userId: number,
  eventId: number,
  input: SubscriptionInput,
): Promise<{ subscription: SubscriptionRow; isNew: boolean } | undefined> {
  return database().transaction(async (tx) => {
    if (!(await lockEvent(tx, eventId))) return undefined;
    const { times, ...settings } = input;
    const [row] = await tx
      .insert(eventSubscriptions)
      .values({ userId, eventId, ...settings, ...(times && { times: [...times] }) })
      .onConflictDoUpdate({
        target: [eventSubscriptions.userId, eventSubscriptions.eventId],
        set: setOf(input),
      })
      .returning({ ...subscriptionFields, isNew: sql<boolean>`xmax = 0` });
    if (!row) return undefined;
    await planReminders(tx, userId, eventId);
    const { isNew, ...subscription } = row;
    return { subscription, isNew };
  });
}

/**
 * Changes an existing subscription and the plan of its reminders.
 * @returns undefined when the person is not subscribed to such an event
 */
export function changeSubscription(
  userId: number,
  eventId: number,
  input: SubscriptionInput,
): Promise<SubscriptionRow | undefined> {
  return database().transaction(async (tx) => {
    await lockEvent(tx, eventId);
    const [subscription] = await tx
      .update(eventSubscriptions)
      .set(setOf(input))
      .where(and(eq(eventSubscriptions.userId, userId), eq(eventSubscriptions.eventId, eventId)))
      .returning(subscriptionFields);
    if (subscription) await planReminders(tx, userId, eventId);
    return subscription;
  });
}

/**
 * Ends a subscription and what was planned for it; a repeat changes nothing.
 * @returns whether one ended, and whether there is anything to unsubscribe from
 */
export async function deleteSubscription(
  userId: number,
  eventId: number,
): Promise<{ removed: boolean; exists: boolean }> {
  const removed = sql<boolean>`exists (select from removed)`;
  const isKnown = sql`exists (select from ${events} where ${and(eq(events.id, eventId), isPublic(events))})`;
  const [row] = await execute(
    { removed, exists: sql<boolean>`${removed} or ${isKnown}` },
    (columns) => sql`
      with removed as (
        delete from ${eventSubscriptions}
        using (select ${events.id} from ${events} where ${events.id} = ${eventId} for no key update) ${events}
        where ${eventSubscriptions.userId} = ${userId} and ${eventSubscriptions.eventId} = ${events.id} returning 1),
      unplanned as (
        delete from ${reminders} where ${reminders.userId} = ${userId} and ${reminders.eventId} = ${eventId}
          and ${reminders.state} in ('planned', 'skipped'))
      select ${columns}`,
  );
  return row ?? { removed: false, exists: false };
}

/** How many people are subscribed to an event: the counter that a trigger keeps, 0 for an unknown one. */
export async function readRsvpCount(eventId: number): Promise<number> {
  const [event] = await database()
    .select({ rsvpCount: events.rsvpCount })
    .from(events)
    .where(eq(events.id, eventId));
  return event?.rsvpCount ?? 0;
}

/** A person's subscriptions to public events, the newest first. */
export function listSubscriptions(userId: number, limit: number): Promise<SubscriptionRow[]> {
  return database()
    .select(subscriptionFields)
    .from(eventSubscriptions)
    .innerJoin(events, eq(events.id, eventSubscriptions.eventId))
    .where(and(eq(eventSubscriptions.userId, userId), isPublic(events)))
    .orderBy(desc(eventSubscriptions.createdAt), desc(eventSubscriptions.eventId))
    .limit(limit);
}
