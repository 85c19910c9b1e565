import { and, eq, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { eventCategoryTranslations, eventStars, eventSubscriptions, events } from '../../schema/events.ts';
import { calendarLinks } from '../../schema/reminders.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { derived, execute, literal, nullable, type RowOf } from '../../sql.ts';
import { badgeFields, isShown, s, st, wordsIn } from '../stars/badge.ts';
import { bestEventWords, e, et, isPublic, overAt } from './fields.ts';

const ct = alias(eventCategoryTranslations, 'ct');
const es = alias(eventStars, 'es');

const calendarFields = (language: Lang) => ({
  id: e.id,
  state: e.state,
  title: et.title,
  description: et.description,
  venue: et.venue,
  location: et.location,
  category: nullable(ct.name),
  stars: sql<string[]>`array(select ${badgeFields().name} from ${eventStars} ${es}
    join ${stars} ${s} on ${s.id} = ${es.starId} and ${isShown()} left join ${starTranslations} ${st} on ${wordsIn(language)}
    where ${es.eventId} = ${e.id} order by ${s.id} = ${e.primaryStarId} desc, ${es.id})`,
  startTime: e.startTime,
  endTime: e.endTime,
  /** When it is over: its end, or its type's usual length. */
  overAt,
  zone: e.zone,
  precision: e.precision,
  ticketUrl: e.ticketUrl,
  streamingUrl: e.streamingUrl,
  officialUrl: e.officialUrl,
  sequence: e.sequence,
  createdAt: e.createdAt,
  updatedAt: e.updatedAt,
});

/** An event as a calendar file needs it; times are UTC, `zone` and `precision` say how they are meant (decision E3). */
export type CalendarRow = RowOf<ReturnType<typeof calendarFields>>;

const wordsOfRow = (language: Lang) => sql`${bestEventWords(language)}
  left join ${eventCategoryTranslations} ${ct} on ${and(eq(ct.categoryId, e.categoryId), eq(ct.language, language))}`;

/** One public event, cancelled or not. */
export async function findCalendarEvent(language: Lang, id: number): Promise<CalendarRow | undefined> {
  const [row] = await execute(
    calendarFields(language),
    (columns) => sql`select ${columns} from ${events} ${e} ${wordsOfRow(language)}
      where ${and(isPublic(), eq(e.id, id))}`,
  );
  return row;
}

/** How far a calendar reaches around `now`, and how many events it takes. */
interface Reach {
  now: Date;
  /** Events that are over by now are left out if they began before it. */
  from: Date;
  /** Exclusive; missing: no end. */
  to?: Date;
  limit: number;
}

const near = derived('near', { id: e.id, startTime: e.startTime });

/**
 * Public events that meet a condition, earliest first: as many as there is room for of what is on and comes, soonest first, and of what
 * was the newest. Each part is read by an index of its own; `offset 0` keeps PostgreSQL from looking for the few that are on among all
 * that ever began, in their order.
 */
function listAround(
  language: Lang,
  condition: SQL | undefined,
  { now, from, to, limit }: Reach,
): Promise<CalendarRow[]> {
  const { id, startTime } = near.fields;
  const part = (...conditions: SQL[]) => sql`select ${near.columns} from ${events} ${e}
    where ${and(isPublic(), ...conditions, condition)}`;
  const isOn = sql`tstzrange(${e.startTime}, ${e.overAt}) @> ${now.toISOString()}::timestamptz`;
  const beginsBeforeEnd = to ? [lt(e.startTime, to)] : [];
  return execute(
    calendarFields(language),
    (columns) => sql`
      with to_come as materialized (
        select * from (
          (select * from (${part(lt(e.startTime, now), isOn)} offset 0) ${near.name})
          union all
          (${part(gte(e.startTime, now), ...beginsBeforeEnd)} order by ${e.startTime}, ${e.id} limit ${literal(limit)})) ${near.name}
        order by ${startTime}, ${id} limit ${literal(limit)}),
      was as materialized (
        ${part(gte(e.startTime, from), lt(e.startTime, now), sql`not ${isOn}`)}
        order by ${e.startTime} desc, ${e.id} desc limit ${literal(limit)} - (select count(*) from to_come))
      select ${columns} from (select * from to_come union all select * from was) ${near.name}
      join ${events} ${e} on ${e.id} = ${id} ${wordsOfRow(language)} order by ${e.startTime}, ${e.id}`,
  );
}

/** Public events around `now`. */
export function listCalendarEvents(language: Lang, reach: Reach): Promise<CalendarRow[]> {
  return listAround(language, undefined, reach);
}

/** Public events of a star, as primary or linked star. */
export function listCalendarEventsOfStar(
  language: Lang,
  starId: number,
  reach: Reach,
): Promise<CalendarRow[]> {
  const takesPart = sql`exists (select from ${eventStars} ${es} where ${and(eq(es.eventId, e.id), eq(es.starId, starId))})`;
  return listAround(language, or(eq(e.primaryStarId, starId), takesPart), reach);
}

/** Public events that a fan is subscribed to. */
export function listCalendarEventsOfFan(
  language: Lang,
  userId: number,
  reach: Reach,
): Promise<CalendarRow[]> {
  const isSubscribed = sql`exists (select from ${eventSubscriptions}
    where ${and(eq(eventSubscriptions.eventId, e.id), eq(eventSubscriptions.userId, userId))})`;
  return listAround(language, isSubscribed, reach);
}

/** A star's name in a language; undefined when there is no such star. */
export async function findStarName(language: Lang, starId: number): Promise<string | undefined> {
  const [star] = await database()
    .select({ name: badgeFields().name })
    .from(s)
    .leftJoin(st, wordsIn(language))
    .where(and(eq(s.id, starId), isShown()));
  return star?.name;
}

const bytesOf = (hash: string): Uint8Array => Buffer.from(hash, 'hex');

/** Gives a fan a private calendar address in the place of any other. @param tokenHash in hexadecimal digits */
export async function saveCalendarLink(userId: number, tokenHash: string): Promise<void> {
  const link = { tokenHash: bytesOf(tokenHash) };
  await database()
    .insert(calendarLinks)
    .values({ userId, ...link })
    .onConflictDoUpdate({ target: calendarLinks.userId, set: { ...link, createdAt: sql`now()` } });
}

/** Ends a fan's private calendar address; a repeat changes nothing. */
export async function deleteCalendarLink(userId: number): Promise<void> {
  await database().delete(calendarLinks).where(eq(calendarLinks.userId, userId));
}

/** Since when a fan has a private calendar address; undefined without one. */
export async function findCalendarLink(userId: number): Promise<Date | undefined> {
  const [link] = await database()
    .select({ createdAt: calendarLinks.createdAt })
    .from(calendarLinks)
    .where(eq(calendarLinks.userId, userId));
  return link?.createdAt;
}

/** Whose private calendar an address is, and that person's language. @param tokenHash in hexadecimal digits */
export async function findFanByCalendar(
  tokenHash: string,
): Promise<{ id: number; language: Lang } | undefined> {
  const [fan] = await database()
    .select({ id: users.id, language: users.language })
    .from(calendarLinks)
    .innerJoin(users, eq(users.id, calendarLinks.userId))
    .where(and(eq(calendarLinks.tokenHash, bytesOf(tokenHash)), isNull(users.deletedAt)));
  return fan;
}
