import {
  changeSubscription,
  deleteSubscription,
  listSubscriptions,
  readRsvpCount,
  type SubscriptionInput,
  type SubscriptionRow,
  saveSubscription,
} from '#db/queries/events/subscriptions.ts';
import { NotFound } from '../errors.ts';
import { readReminderChannels } from '../reminders/channels.ts';
import { invalidateCounts } from '../throttled-invalidation.ts';
import { readReminderTimes } from './reminder-times.ts';
import type {
  Subscribed,
  Subscription,
  SubscriptionChange,
  Subscriptions,
  Unsubscribed,
} from './subscription-model.ts';

/** More than anybody keeps an eye on; hearts of older ones than these are not filled. */
const maxListed = 1000;

function toSubscription({ email, push, times, createdAt, ...rest }: SubscriptionRow): Subscription {
  return { ...rest, notificationSettings: { email, push, times }, createdAt: createdAt.toISOString() };
}

function toSubscriptionInput({
  subscriptionType,
  notificationSettings = {},
}: SubscriptionChange): SubscriptionInput {
  const { email, push, times } = notificationSettings;
  return { subscriptionType, email, push, times: times && readReminderTimes(times) };
}

/**
 * Subscribes a person to an event (§4, §7; decision S5). A repeat doubles nothing; settings that it names are taken over,
 * those it leaves out stay. New ones begin with e-mail and push, one day and one hour before (§9). The answer says which of both
 * would reach the person now.
 * @throws NotFound when there is no such public event; BadInput for times that cannot be
 */
export async function subscribeToEvent(
  userId: number,
  eventId: number,
  change: SubscriptionChange,
): Promise<Subscribed> {
  const saved = await saveSubscription(userId, eventId, toSubscriptionInput(change));
  if (!saved) throw new NotFound('Event');
  if (saved.isNew || change.subscriptionType) await invalidateCounts(`event:${eventId}`, 'events');
  const [rsvpCount, channels] = await Promise.all([readRsvpCount(eventId), readReminderChannels(userId)]);
  return { isSubscribed: true, rsvpCount, subscription: toSubscription(saved.subscription), channels };
}

/**
 * Ends a subscription (§7; decision S5); a repeat changes nothing.
 * @throws NotFound when there is no such public event and there was no subscription
 */
export async function unsubscribeFromEvent(userId: number, eventId: number): Promise<Unsubscribed> {
  const { removed, exists } = await deleteSubscription(userId, eventId);
  if (!exists) throw new NotFound('Event');
  if (removed) await invalidateCounts(`event:${eventId}`, 'events');
  return { isSubscribed: false, rsvpCount: await readRsvpCount(eventId) };
}

/**
 * Changes whether a person is interested or going, and how one event reminds; what is left out stays.
 * @throws NotFound without a subscription; BadInput for times that cannot be
 */
export async function changeReminders(
  userId: number,
  eventId: number,
  change: SubscriptionChange,
): Promise<Subscription> {
  const row = await changeSubscription(userId, eventId, toSubscriptionInput(change));
  if (!row) throw new NotFound('Subscription');
  // Trending counts those who are interested and those who are going.
  if (change.subscriptionType) await invalidateCounts(`event:${eventId}`, 'events');
  return toSubscription(row);
}

/** The events that a person is subscribed to, with how they remind, newest first, and which channels would reach the person now. */
export async function readSubscriptions(userId: number): Promise<Subscriptions> {
  const [rows, channels] = await Promise.all([
    listSubscriptions(userId, maxListed),
    readReminderChannels(userId),
  ]);
  return { subscriptions: rows.map(toSubscription), channels };
}
