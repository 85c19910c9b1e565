import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { bestEventWords } from './events.ts';

/** An event as a calendar file needs it; times are UTC, `zone` and `precision` say how they are meant (decision E3). */
export interface CalendarRow {
  id: number;
  state: 'scheduled' | 'cancelled';
  title: string;
  description: string | null;
  venue: string | null;
  location: string | null;
  category: string | null;
  stars: string[];
  startTime: Date;
  endTime: Date | null;
  /** When it is over: its end, or its type's usual length. */
  overAt: Date;
  zone: string;
  precision: 'minute' | 'day';
  ticketUrl: string | null;
  streamingUrl: string | null;
  officialUrl: string | null;
  sequence: number;
  createdAt: Date;
  updatedAt: Date;
}

const dates = ['startTime', 'endTime', 'overAt', 'createdAt', 'updatedAt'] as const;

async function calendarRows(language: Lang, which: SQL, limit: number): Promise<CalendarRow[]> {
  const rows = await database().execute<Record<string, unknown> & CalendarRow>(sql`
    select e.id, e.state, et.title, et.description, et.venue, et.location, ct.name as category,
      array(select coalesce(st.name, s.name) from event_stars es join stars s on s.id = es.star_id
        left join star_translations st on st.star_id = s.id and st.language = ${language}
        where es.event_id = e.id order by s.id = e.primary_star_id desc, es.id) as stars,
      e.start_time as "startTime", e.end_time as "endTime", e.over_at as "overAt", e.zone, e.precision,
      e.ticket_url as "ticketUrl", e.streaming_url as "streamingUrl", e.official_url as "officialUrl", e.sequence,
      e.created_at as "createdAt", e.updated_at as "updatedAt"
    from events e ${bestEventWords(language)}
    left join event_category_translations ct on ct.category_id = e.category_id and ct.language = ${language}
    where e.verification = 'approved' and ${which} order by e.start_time, e.id limit ${limit}`);
  return rows.map((row) => {
    const converted = { ...row };
    for (const name of dates) Object.assign(converted, { [name]: row[name] && new Date(row[name]) });
    return converted;
  });
}

/** One public event, cancelled or not. */
export async function findCalendarEvent(language: Lang, id: number): Promise<CalendarRow | undefined> {
  const [row] = await calendarRows(language, sql`e.id = ${id}`, 1);
  return row;
}

/** Public events that start between two instants, earliest first. */
export function listCalendarEvents(
  language: Lang,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<CalendarRow[]> {
  return calendarRows(
    language,
    sql`e.start_time >= ${from.toISOString()} and e.start_time < ${to.toISOString()}`,
    limit,
  );
}

/** Public events of a star, as primary or linked star, not before `from`. */
export function listCalendarEventsOfStar(
  language: Lang,
  starId: number,
  { from, limit }: { from: Date; limit: number },
): Promise<CalendarRow[]> {
  return calendarRows(
    language,
    sql`e.start_time >= ${from.toISOString()} and (e.primary_star_id = ${starId} or exists (
      select from event_stars es where es.event_id = e.id and es.star_id = ${starId}))`,
    limit,
  );
}

/** Public events that a fan is subscribed to, not before `from`. */
export function listCalendarEventsOfFan(
  language: Lang,
  userId: number,
  { from, limit }: { from: Date; limit: number },
): Promise<CalendarRow[]> {
  return calendarRows(
    language,
    sql`e.start_time >= ${from.toISOString()} and exists (
      select from event_subscriptions s where s.event_id = e.id and s.user_id = ${userId})`,
    limit,
  );
}

/** A star's name in a language; undefined when there is no such star. */
export async function findStarName(language: Lang, starId: number): Promise<string | undefined> {
  const [row] = await database().execute<{ name: string }>(sql`
    select coalesce(st.name, s.name) as name from stars s
    left join star_translations st on st.star_id = s.id and st.language = ${language} where s.id = ${starId}`);
  return row?.name;
}

/** Gives a fan a private calendar address in the place of any other. */
export async function saveCalendarLink(userId: number, tokenHash: string): Promise<void> {
  await database().execute(sql`
    insert into calendar_links (user_id, token_hash) values (${userId}, decode(${tokenHash}, 'hex'))
    on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = now()`);
}

/** Ends a fan's private calendar address; a repeat changes nothing. */
export async function deleteCalendarLink(userId: number): Promise<void> {
  await database().execute(sql`delete from calendar_links where user_id = ${userId}`);
}

/** Since when a fan has a private calendar address; undefined without one. */
export async function findCalendarLink(userId: number): Promise<Date | undefined> {
  const [row] = await database().execute<{ at: string }>(
    sql`select created_at as at from calendar_links where user_id = ${userId}`,
  );
  return row && new Date(row.at);
}

/** Whose private calendar an address is, and that person's language. */
export async function findFanByCalendar(
  tokenHash: string,
): Promise<{ id: number; language: Lang } | undefined> {
  const [row] = await database().execute<{ id: number; language: Lang }>(sql`
    select u.id, u.language from calendar_links l join users u on u.id = l.user_id
    where l.token_hash = decode(${tokenHash}, 'hex') and u.deleted_at is null`);
  return row;
}
