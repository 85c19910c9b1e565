import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { sessions, users } from './accounts.ts';
import { bytes, createdNow, identity, instant } from './columns.ts';
import { events } from './events.ts';

/**
 * What happened to when a public event takes place, written by a trigger so that no door can forget it. Subscribers are
 * told from what they know, the state before the oldest change that nobody has handled or that was handled with its
 * withdrawal, to what is true now.
 */
export const eventChanges = pgTable(
  'event_changes',
  {
    id: identity(),
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** `schedule_version` of the event from then on. */
    version: integer().notNull(),
    oldStart: instant().notNull(),
    oldZone: text().notNull(),
    oldPrecision: text({ enum: ['minute', 'day'] }).notNull(),
    oldState: text({ enum: ['scheduled', 'cancelled'] }).notNull(),
    oldVerification: text({ enum: ['pending', 'approved', 'rejected'] }).notNull(),
    createdAt: createdNow(),
    handledAt: instant(),
  },
  (t) => [
    index('event_changes_unhandled').on(t.id).where(sql`handled_at is null`),
    index('event_changes_event').on(t.eventId),
  ],
);

const reminderChannels = ['email', 'push'] as const;

/** What a reminder is about: a time before the start such as `1d`, or one of these. */
const noticeKinds = ['moved', 'cancelled', 'restored'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const reminderStates = ['planned', 'sending', 'sent', 'skipped'] as const;

/**
 * One message to one person: the unique key is the promise that there is never a second one for the same (person, version
 * of the event, time, channel). Rows are planned, taken for a while (`sending`, until `next_at`), then sent or skipped.
 */
export const reminders = pgTable(
  'reminders',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    time: text().notNull(),
    channel: text({ enum: reminderChannels }).notNull(),
    dueAt: instant().notNull(),
    state: text({ enum: reminderStates }).notNull().default('planned'),
    /** Why it was skipped. */
    reason: text(),
    attempts: integer().notNull().default(0),
    /** When it may be taken (again). */
    nextAt: instant().notNull(),
    sentAt: instant(),
    /** Push subscriptions that have taken it already, so that a second try reaches only the others. */
    devices: integer().array().notNull().default(sql`'{}'`),
    /** The change that a notice tells of. */
    changeId: integer().references(() => eventChanges.id, { onDelete: 'cascade' }),
  },
  (t) => [
    uniqueIndex('reminders_once').on(t.userId, t.eventId, t.version, t.time, t.channel),
    index('reminders_due').on(t.nextAt).where(sql`state in ('planned', 'sending')`),
    index('reminders_due_by_channel')
      .on(t.channel, t.nextAt)
      .where(sql`state in ('planned', 'sending')`)
      .concurrently(),
    index('reminders_event').on(t.eventId),
    index('reminders_change').on(t.changeId).where(sql`change_id is not null`).concurrently(),
  ],
);

/** Browsers that take notifications. One belongs to the session that asked for them and ends with it. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: identity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: text()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: createdNow(),
  },
  (t) => [
    uniqueIndex('push_subscriptions_endpoint').on(t.endpoint),
    index('push_subscriptions_user').on(t.userId),
    index('push_subscriptions_session').on(t.sessionId),
  ],
);

/** One private calendar address per fan (decision E7); only the SHA-256 of its token is kept. */
export const calendarLinks = pgTable(
  'calendar_links',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytes().notNull(),
    createdAt: createdNow(),
  },
  (t) => [uniqueIndex('calendar_links_token').on(t.tokenHash)],
);
