import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  inet,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { languages } from '#content/locales.ts';
import { createdNow, identity, instant } from './columns.ts';
import { stars } from './stars.ts';

export const roles = ['user', 'editor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** People with an account (§3 User; decisions S1, S3, S4). Keys are folded forms that make names unique. */
export const users = pgTable(
  'users',
  {
    id: identity(),
    username: text().notNull(),
    usernameKey: text().notNull(),
    email: text(),
    emailKey: text(),
    emailVerifiedAt: instant(),
    displayName: text(),
    /** argon2id; null for demo fans, who cannot log in. */
    passwordHash: text(),
    role: text({ enum: roles }).notNull().default('user'),
    language: text({ enum: languages }).notNull().default('ko'),
    profileImageUrl: text(),
    createdAt: createdNow(),
    deletedAt: instant(),
  },
  (t) => [
    uniqueIndex('users_username_key').on(t.usernameKey),
    uniqueIndex('users_email_key').on(t.emailKey),
    check('users_role', sql`${t.role} in ('user', 'editor', 'admin')`),
  ],
);

/** Signed-in devices. `id` is the SHA-256 of the opaque token (decision S2). */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant().notNull(),
    createdAt: createdNow(),
    userAgent: text(),
    address: inet(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
);

const tokenKinds = ['reset', 'verify'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/**
 * What a letter's link proves: that its reader owns the address of mail. `hash` is the SHA-256 of the token, which
 * stands in the letter alone.
 */
export const accountTokens = pgTable(
  'account_tokens',
  {
    hash: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: tokenKinds }).notNull(),
    /** The address that the letter went to; it proves no other. */
    emailKey: text().notNull(),
    expiresAt: instant().notNull(),
    createdAt: createdNow(),
  },
  (t) => [
    index('account_tokens_user').on(t.userId),
    index('account_tokens_expiry').on(t.expiresAt),
    check('account_tokens_kind', sql`${t.kind} in ('reset', 'verify')`),
  ],
);

/**
 * The one list of stars of an account (§3 selectedStarIds, §4 Follow): whom it follows and whose news it sees, on every
 * device. The key makes counts exact under races.
 */
export const follows = pgTable(
  'follows',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    createdAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.starId] }), index('follows_star').on(t.starId)],
);

/**
 * Stars whose followers are to be counted anew, because somebody kept their row while others began or ceased to follow them (`count_follows`).
 * A row for each time: who notes one waits for nobody.
 */
export const lateFollowCounts = pgTable(
  'late_follow_counts',
  {
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
  },
  (t) => [index('late_follow_counts_star').on(t.starId)],
);

/** Every decision of an editor, admin or moderator (decision E8): who, when, what, why. Never updated, but for a name that leaves with its account. Partitioned by `id`, which grows with time (decision D13). */
export const auditLog = pgTable(
  'audit_log',
  {
    id: identity(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    action: text().notNull(),
    subject: text().notNull(),
    subjectId: integer(),
    /** In its place where it is larger than an integer: ids of messages outgrow it. */
    wideSubjectId: bigint({ mode: 'number' }),
    notes: text(),
    details: jsonb().$type<Record<string, unknown>>(),
    createdAt: createdNow(),
  },
  (t) => [
    index('audit_log_subject').on(t.subject, t.subjectId),
    index('audit_log_time').on(t.createdAt.desc().nullsFirst()),
  ],
);

/** Counters of limits (decision S7): one row per limited thing and window, shared by every process. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().notNull(),
    windowStart: instant().notNull(),
    count: integer().notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.key, t.windowStart] }), index('rate_limits_age').on(t.windowStart)],
);

/** Answers to calls that make something, by the `Idempotency-Key` of the caller: a double press makes one (decision S5). */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    /** SHA-256 of method, path and body: a key that is used for something else is refused. */
    request: text().notNull(),
    answer: jsonb().$type<unknown>(),
    createdAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
);
