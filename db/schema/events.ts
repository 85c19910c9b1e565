import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { type EventType, eventTypeEntry, eventTypes } from '#content/event-types.ts';
import { defaultReminders } from '#content/reminders.ts';
import { users } from './accounts.ts';
import { articles } from './articles.ts';
import { createdNow, identity, instant, language } from './columns.ts';
import { pictures } from './media.ts';
import { stars } from './stars.ts';

export type { EventType };

/**
 * When an event is over: its own end, the end of its day where it is, or the usual length of its type after the start. The
 * only place that says so; the status follows from it. Sums are made on local times because an index or a generated
 * column may only hold what no setting changes.
 */
const overAt = sql.raw(`coalesce(end_time, case when precision = 'day'
  then (start_time at time zone zone + interval '1 day') at time zone zone
  else (start_time at time zone 'UTC' + interval '1 minute' * case event_type ${eventTypes
    .map((type) => `when '${type}' then ${eventTypeEntry(type).minutes}`)
    .join(' ')} else 120 end) at time zone 'UTC' end)`);

export const verificationStates = ['pending', 'approved', 'rejected'] as const;
export type Verification = (typeof verificationStates)[number];

/** Event categories are rows (decision E1): slug, a name per language, colour. */
export const eventCategories = pgTable(
  'event_categories',
  {
    id: identity(),
    slug: text().notNull(),
    eventType: text({ enum: eventTypes }).notNull(),
    color: text().notNull(),
  },
  (t) => [uniqueIndex('event_categories_slug').on(t.slug)],
);

export const eventCategoryTranslations = pgTable(
  'event_category_translations',
  {
    categoryId: integer()
      .notNull()
      .references(() => eventCategories.id, { onDelete: 'cascade' }),
    language: language(),
    name: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.categoryId, t.language] })],
);

/**
 * §3 Event. Stored are `scheduled` and `cancelled`; the rest of the status follows from the times (decision E2).
 * Times are UTC plus zone plus precision (E3). Only approved events are public (E6).
 */
export const events = pgTable(
  'events',
  {
    id: identity(),
    eventType: text({ enum: eventTypes }).notNull(),
    categoryId: integer()
      .notNull()
      .references(() => eventCategories.id),
    state: text({ enum: ['scheduled', 'cancelled'] })
      .notNull()
      .default('scheduled'),
    verification: text({ enum: verificationStates }).notNull().default('pending'),
    startTime: instant().notNull(),
    endTime: instant(),
    overAt: instant().generatedAlwaysAs(overAt),
    zone: text().notNull().default('Asia/Seoul'),
    precision: text({ enum: ['minute', 'day'] })
      .notNull()
      .default('minute'),
    /** The star whose birthday or anniversary it is, the year in Korea: made by itself from the directory (decision E10). */
    anniversaryOf: integer().references(() => stars.id, { onDelete: 'cascade' }),
    anniversaryFact: text({ enum: ['birthday', 'anniversary'] }),
    anniversaryYear: smallint(),
    /** When the date in the directory puts it: one that starts at another time was placed by hand. */
    plannedStart: instant(),
    /** Taken back because its star was hidden: it comes back with the star. */
    leftWithStar: boolean().notNull().default(false),
    capacity: integer(),
    /** Subscriptions that count as RSVP; kept by a trigger. */
    rsvpCount: integer().notNull().default(0),
    primaryStarId: integer().references(() => stars.id, { onDelete: 'set null' }),
    sourceArticleId: integer().references(() => articles.id, { onDelete: 'set null' }),
    ticketUrl: text(),
    streamingUrl: text(),
    officialUrl: text(),
    /** A photograph in the place of the picture of its article or star. */
    photoKey: text().references(() => pictures.key),
    /** percent */
    extractionConfidence: smallint(),
    /** What the extraction was made of: the same story never brings the same event twice. */
    extractionKey: text(),
    /** The known event that this pending one looks like an update of; approving it means merging. */
    updateOfId: integer().references((): AnyPgColumn => events.id, { onDelete: 'set null' }),
    /** The checks behind the confidence, by name: passed or not. */
    checks: jsonb().$type<Record<string, boolean>>(),
    /** Source sentence per extracted field. */
    evidence: jsonb().$type<Record<string, string>>(),
    decidedAt: instant(),
    decidedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    decisionNotes: text(),
    /** The public event that this rejected one was the same as: it took over what was new. */
    mergedIntoId: integer().references((): AnyPgColumn => events.id, { onDelete: 'set null' }),
    /** Grows on every change that a calendar program must notice (decision E7); kept by triggers. */
    sequence: integer().notNull().default(0),
    /** Grows when a public event is moved, cancelled or withdrawn: reminders belong to one version. Kept by a trigger. */
    scheduleVersion: integer().notNull().default(1),
    createdAt: createdNow(),
    updatedAt: createdNow(),
  },
  (t) => [
    // All that a month's marks need: three thousand of them are read from the index alone.
    index('events_calendar')
      .on(t.startTime, t.id, t.categoryId, t.primaryStarId, t.overAt, t.precision, t.zone)
      .where(sql`verification = 'approved'`),
    index('events_span')
      .using('gist', sql`tstzrange(start_time, over_at)`)
      .where(sql`verification = 'approved'`),
    index('events_primary_star').on(t.primaryStarId, t.startTime).where(sql`verification = 'approved'`),
    index('events_pending').on(t.createdAt, t.id).where(sql`verification = 'pending'`),
    index('events_decided').on(t.decidedAt),
    index('events_article').on(t.sourceArticleId),
    uniqueIndex('events_anniversary').on(t.anniversaryOf, t.anniversaryFact, t.anniversaryYear),
    uniqueIndex('events_extraction').on(t.extractionKey),
    check('events_order', sql`${t.endTime} is null or ${t.endTime} >= ${t.startTime}`),
    check('events_confidence', sql`${t.extractionConfidence} between 0 and 100`),
  ],
);

export const eventTranslations = pgTable(
  'event_translations',
  {
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    language: language(),
    title: text().notNull(),
    description: text(),
    venue: text(),
    location: text(),
    searchKey: text().generatedAlwaysAs(sql`byeol_fold(title || ' ' || coalesce(venue, ''))`),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.language] }),
    index('event_translations_search').using('gin', sql`search_key gin_trgm_ops`),
  ],
);

export const eventStars = pgTable(
  'event_stars',
  {
    id: identity(),
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    role: text().notNull().default('performer'),
    /** The event's own, kept by triggers, so that a star's next events are an index's first entries. */
    startTime: createdNow(),
  },
  (t) => [
    uniqueIndex('event_stars_once').on(t.eventId, t.starId),
    index('event_stars_next').on(t.starId, t.startTime, t.eventId),
  ],
);

/** §3 Event subscription; `times` are offsets before the start such as `1d`, `1h`. */
export const eventSubscriptions = pgTable(
  'event_subscriptions',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    subscriptionType: text({ enum: ['interested', 'going'] })
      .notNull()
      .default('interested'),
    email: boolean().notNull().default(true),
    push: boolean().notNull().default(true),
    times: text()
      .array()
      .notNull()
      .default(sql.raw(`'{${defaultReminders.join()}}'`)),
    createdAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.eventId] }), index('event_subscriptions_event').on(t.eventId)],
);
