import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { createdNow, identity, instant, language } from './columns.ts';
import { stars } from './stars.ts';

/** §3 Channel: one per star (decision C1). Counters are kept by triggers. */
export const channels = pgTable(
  'channels',
  {
    id: identity(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    memberCount: integer().notNull().default(0),
    lastActivityAt: instant(),
    /** Seconds that a member waits between two messages (decision C4); 0: none. */
    slowModeSeconds: integer().notNull().default(0),
    /** The newest event that deleted a message, by trigger: to look for it would be a look into each partition of messages (decision D13). */
    lastDeletionId: bigint({ mode: 'number' }),
    createdAt: createdNow(),
  },
  (t) => [
    uniqueIndex('channels_star').on(t.starId),
    index('channels_popular').on(t.memberCount.desc().nullsFirst(), t.id),
    index('channels_latest').on(t.lastActivityAt.desc().nullsLast(), t.id),
  ],
);

export const channelTranslations = pgTable(
  'channel_translations',
  {
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    language: language(),
    description: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.language] })],
);

export const channelMembers = pgTable(
  'channel_members',
  {
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.userId] }), index('channel_members_user').on(t.userId)],
);

/**
 * §3 Message. `clientId` is the sender's idempotency key (decision S5), see `messageKeys`. Ids and
 * `deletedEventId` come from one sequence and are taken while the channel's row is locked, so within a channel they grow
 * in the order of commits: they are the ids of the stream's events (decision C2). Deleted rows stay, as tombstones.
 * Partitioned by `id`, which grows with time (decision D13).
 */
export const messages = pgTable(
  'messages',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id),
    clientId: text(),
    content: text().notNull(),
    createdAt: createdNow(),
    deletedAt: instant(),
    deletedBy: integer().references(() => users.id),
    deletedEventId: bigint({ mode: 'number' }),
  },
  (t) => [
    index('messages_channel').on(t.channelId, t.id.desc().nullsFirst()),
    index('messages_author').on(t.userId, t.channelId, t.id.desc().nullsFirst()),
    index('messages_deletions').on(t.channelId, t.deletedEventId).where(sql`deleted_event_id is not null`),
    check('messages_length', sql`char_length(${t.content}) between 1 and 500`),
  ],
);

/**
 * The keys of sent messages (decision S5), for as long as somebody may send again: a repeat finds the stored row by it. No unique
 * key of a partitioned table could say so, for it would have to contain what the table is partitioned by (decision D13). No
 * foreign keys: each would cost every message a look, and a key is gone in days.
 */
export const messageKeys = pgTable(
  'message_keys',
  {
    userId: integer().notNull(),
    clientId: text().notNull(),
    messageId: bigint({ mode: 'number' }).notNull(),
    createdAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.clientId] }), index('message_keys_age').on(t.createdAt)],
);

/** Whose messages a person does not want to see (decision C4). */
export const userBlocks = pgTable(
  'user_blocks',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    blockedId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.blockedId] }),
    check('user_blocks_others', sql`${t.userId} <> ${t.blockedId}`),
  ],
);

/** Who may not send in a channel until when (decision C4). The decisions themselves are in the audit log. */
export const channelMutes = pgTable(
  'channel_mutes',
  {
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    until: instant().notNull(),
    reason: text(),
    mutedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.userId] })],
);

export const reportReasons = ['spam', 'abuse', 'hate', 'sexual', 'privacy', 'spoiler', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];
export const reportStates = ['open', 'removed', 'dismissed'] as const;
export type ReportState = (typeof reportStates)[number];

/** A message that a person asks the moderators to look at, once per person. */
export const messageReports = pgTable(
  'message_reports',
  {
    id: identity(),
    messageId: bigint({ mode: 'number' })
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    reporterId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text({ enum: reportReasons }).notNull(),
    details: text(),
    status: text({ enum: reportStates }).notNull().default('open'),
    createdAt: createdNow(),
    decidedAt: instant(),
    decidedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    notes: text(),
  },
  (t) => [
    uniqueIndex('message_reports_once').on(t.messageId, t.reporterId),
    index('message_reports_list').on(t.status, t.id.desc().nullsFirst()),
    check('message_reports_status', sql`${t.status} in ('open', 'removed', 'dismissed')`),
  ],
);

/** Processes that hold streams. One that was killed stops writing `seenAt`, and its streams count no more. */
export const streamProcesses = pgTable('stream_processes', {
  id: uuid().primaryKey(),
  seenAt: createdNow(),
});

/**
 * Open streams of all processes, for presence (decision C3) and caps (decision S7). Unlogged, like `streamProcesses`: they say
 * nothing after a crash, and their processes write them anew. No foreign keys: each would lock the busy row of the channel.
 * `person` is an account, or a guest's network as a negative number.
 */
export const openStreams = pgTable(
  'open_streams',
  {
    id: uuid().primaryKey(),
    processId: uuid().notNull(),
    channelId: integer().notNull(),
    person: bigint({ mode: 'number' }).notNull(),
    network: text().notNull(),
  },
  (t) => [
    index('open_streams_channel').on(t.channelId),
    index('open_streams_person').on(t.person),
    index('open_streams_network').on(t.network),
    index('open_streams_process').on(t.processId),
  ],
);
