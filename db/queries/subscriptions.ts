import { sql } from 'drizzle-orm';
import { defaultReminders } from '#content/reminders.ts';
import { type Database, database } from '../client.ts';
import { planReminders } from './reminders.ts';

/** A fan's subscription to an event, as it is stored. */
export interface SubscriptionRow {
  eventId: number;
  subscriptionType: 'interested' | 'going';
  email: boolean;
  push: boolean;
  times: string[];
  createdAt: Date;
}

/** What to store; fields that are undefined stay as they are, or get the table's default. */
export interface SubscriptionWish {
  subscriptionType?: 'interested' | 'going' | undefined;
  email?: boolean | undefined;
  push?: boolean | undefined;
  times?: readonly string[] | undefined;
}

type Stored = Record<string, unknown> & Omit<SubscriptionRow, 'createdAt'> & { createdAt: string };

const columns = sql`s.event_id as "eventId", s.subscription_type as "subscriptionType", s.email, s.push, s.times,
  s.created_at as "createdAt"`;

const withDate = (row: Stored): SubscriptionRow => ({ ...row, createdAt: new Date(row.createdAt) });

const timesParameter = (times: readonly string[] | undefined) =>
  times === undefined ? sql`null::text[]` : sql`${`{${times.join(',')}}`}::text[]`;

/**
 * The event's row is locked before anything else is: triggers count on it and then on `event_interest`, some of them only on the
 * latter, and who took that one first would wait in a circle. It does not move meanwhile, either.
 */
const lockEvent = (tx: Pick<Database, 'execute'>, eventId: number) =>
  tx.execute(sql`select from events where id = ${eventId} for no key update`);

/**
 * Subscribes a person to a public event, or changes how, and plans the reminders by the same commit. Exact under races.
 * @returns the subscription, and whether it is new; undefined when there is no such public event
 */
export function saveSubscription(
  userId: number,
  eventId: number,
  wish: SubscriptionWish,
): Promise<{ subscription: SubscriptionRow; isNew: boolean } | undefined> {
  const given = (value: string | boolean | undefined, type: 'text' | 'boolean') =>
    value === undefined ? sql`null::${sql.raw(type)}` : sql`${value}::${sql.raw(type)}`;
  const times = timesParameter(wish.times);
  const type = given(wish.subscriptionType, 'text');
  const email = given(wish.email, 'boolean');
  const push = given(wish.push, 'boolean');
  return database().transaction(async (tx) => {
    await lockEvent(tx, eventId);
    const [row] = await tx.execute<Stored & { isNew: boolean }>(sql`
    insert into event_subscriptions as s (user_id, event_id, subscription_type, email, push, times)
    select ${userId}::int, id, coalesce(${type}, 'interested'), coalesce(${email}, true), coalesce(${push}, true),
      coalesce(${times}, ${timesParameter(defaultReminders)})
    from events where id = ${eventId} and verification = 'approved'
    on conflict (user_id, event_id) do update set subscription_type = coalesce(${type}, s.subscription_type),
      email = coalesce(${email}, s.email), push = coalesce(${push}, s.push), times = coalesce(${times}, s.times)
    returning ${columns}, s.xmax = 0 as "isNew"`);
    if (!row) return undefined;
    await planReminders(tx, userId, eventId);
    const { isNew, ...subscription } = row;
    return { subscription: withDate(subscription), isNew };
  });
}

/**
 * Changes an existing subscription and the plan of its reminders.
 * @returns undefined when the person is not subscribed to such an event
 */
export function changeSubscription(
  userId: number,
  eventId: number,
  wish: SubscriptionWish,
): Promise<SubscriptionRow | undefined> {
  return database().transaction(async (tx) => {
    await lockEvent(tx, eventId);
    const [row] = await tx.execute<Stored>(sql`
    update event_subscriptions s set
      subscription_type = coalesce(${wish.subscriptionType ?? null}::text, s.subscription_type),
      email = coalesce(${wish.email ?? null}::boolean, s.email),
      push = coalesce(${wish.push ?? null}::boolean, s.push),
      times = coalesce(${timesParameter(wish.times)}, s.times)
    where user_id = ${userId} and event_id = ${eventId} returning ${columns}`);
    if (!row) return undefined;
    await planReminders(tx, userId, eventId);
    return withDate(row);
  });
}

/**
 * Ends a subscription and what was planned for it; a repeat changes nothing.
 * @returns whether one ended, and whether there is anything to unsubscribe from
 */
export async function deleteSubscription(
  userId: number,
  eventId: number,
): Promise<{ removed: boolean; known: boolean }> {
  const [row] = await database().execute<{ removed: boolean; known: boolean }>(sql`
    with removed as (
      delete from event_subscriptions s using (select id from events where id = ${eventId} for no key update) locked
      where s.user_id = ${userId} and s.event_id = locked.id returning 1),
    unplanned as (delete from reminders where user_id = ${userId} and event_id = ${eventId}
      and state in ('planned', 'skipped'))
    select exists (select from removed) as removed, exists (select from removed)
      or exists (select from events where id = ${eventId} and verification = 'approved') as known`);
  return row ?? { removed: false, known: false };
}

/** How many people are subscribed to an event: the counter that a trigger keeps, 0 for an unknown one. */
export async function readRsvpCount(eventId: number): Promise<number> {
  const [row] = await database().execute<{ rsvpCount: number }>(
    sql`select rsvp_count as "rsvpCount" from events where id = ${eventId}`,
  );
  return row?.rsvpCount ?? 0;
}

/** A person's subscriptions to public events, the newest first. */
export async function listSubscriptions(userId: number, limit: number): Promise<SubscriptionRow[]> {
  const rows = await database().execute<Stored>(sql`
    select ${columns} from event_subscriptions s join events e on e.id = s.event_id
    where s.user_id = ${userId} and e.verification = 'approved' order by s.created_at desc, s.event_id desc limit ${limit}`);
  return rows.map(withDate);
}
