import { t } from 'elysia';
import { integer, oneOf } from '../shapes.ts';

export const subscriptionTypes = ['interested', 'going'] as const;
export type SubscriptionType = (typeof subscriptionTypes)[number];

const ReminderTime = t.String({
  maxLength: 4,
  error: 'Must be a time before the start, such as 15m, 1h, 1d or 1w.',
});

/** §3 notificationSettings. */
export const NotificationSettings = t.Object({
  email: t.Boolean(),
  push: t.Boolean(),
  times: t.Array(ReminderTime, { maxItems: 20, error: 'Must be a list of times before the start.' }),
});
export type NotificationSettings = typeof NotificationSettings.static;

const SettingsChange = t.Partial(NotificationSettings);

/** §7 subscribe. What is left out stays as it is, or is the default of §9. */
export const SubscriptionChange = t.Object({
  subscriptionType: t.Optional(oneOf(subscriptionTypes)),
  notificationSettings: t.Optional(SettingsChange),
});
export type SubscriptionChange = typeof SubscriptionChange.static;

/** §3 Event subscription. */
export const Subscription = t.Object({
  eventId: integer(),
  subscriptionType: oneOf(subscriptionTypes),
  notificationSettings: NotificationSettings,
  createdAt: t.String({ description: 'ISO 8601 in UTC' }),
});
export type Subscription = typeof Subscription.static;

/** What would keep a reminder from reaching the person now, by channel; `ready`: nothing that is known. */
export const ReminderChannels = t.Object({
  email: oneOf(['ready', 'no_address', 'unverified']),
  push: oneOf(['ready', 'no_device']),
});
export type ReminderChannels = typeof ReminderChannels.static;

export const Subscribed = t.Object({
  isSubscribed: t.Literal(true),
  rsvpCount: integer(),
  subscription: Subscription,
  channels: ReminderChannels,
});
export type Subscribed = typeof Subscribed.static;

export const Unsubscribed = t.Object({ isSubscribed: t.Literal(false), rsvpCount: integer() });
export type Unsubscribed = typeof Unsubscribed.static;

export const Subscriptions = t.Object({
  subscriptions: t.Array(Subscription),
  channels: ReminderChannels,
});
export type Subscriptions = typeof Subscriptions.static;
