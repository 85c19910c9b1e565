import { date, doublePrecision, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { bytes, createdNow } from './columns.ts';
import { events } from './events.ts';

/**
 * How much an event is wanted (decision E5), kept by triggers on subscriptions and views. `heat` is the binary logarithm of
 * all interest, each piece weighted by 2^(its time in days / 3): what happened three days ago counts half, order never has
 * to be recalculated as time goes by, and a trending page walks one index.
 */
export const eventInterest = pgTable(
  'event_interest',
  {
    eventId: integer()
      .primaryKey()
      .references(() => events.id, { onDelete: 'cascade' }),
    heat: doublePrecision().notNull(),
    /** Distinct visitors of each day, all days. */
    views: integer().notNull().default(0),
    subscriptions: integer().notNull().default(0),
    /** Of the subscriptions, those who say that they will be there. */
    going: integer().notNull().default(0),
  },
  (t) => [index('event_interest_heat').on(t.heat.desc().nullsFirst(), t.eventId.desc().nullsFirst())],
);

/** Who saw an event today, as a hash that nobody can turn back once the day's salt is gone; rows go with it. Partitioned by `day` (decision D13). */
export const eventViews = pgTable(
  'event_views',
  {
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** UTC */
    day: date().notNull(),
    visitor: bytes().notNull(),
    seenAt: createdNow(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.day, t.visitor] }), index('event_views_day').on(t.day)],
);

/** The random salt of a day's view hashes; deleted two days later. */
export const viewSalts = pgTable('view_salts', { day: date().primaryKey(), salt: bytes().notNull() });
