import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
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

/** §3 Message. `clientId` is the sender's idempotency key (decision S5): a repeat finds the stored row. */
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
  },
  (t) => [
    index('messages_channel').on(t.channelId, t.id.desc().nullsFirst()),
    uniqueIndex('messages_once').on(t.userId, t.clientId).where(sql`client_id is not null`),
    check('messages_length', sql`char_length(${t.content}) between 1 and 500`),
  ],
);
