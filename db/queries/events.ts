import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EventType } from '../schema/events.ts';
import type { StarRow } from './articles.ts';

/** One event as a ticket shows it. Times are UTC; `zone` and `precision` say how they are meant (decision E3). */
export interface TicketRow {
  id: number;
  eventType: EventType;
  state: 'scheduled' | 'cancelled';
  title: string;
  language: Lang;
  venue: string | null;
  location: string | null;
  startTime: Date;
  endTime: Date | null;
  zone: string;
  precision: 'minute' | 'day';
  star: StarRow | null;
  sourceArticleId: number | null;
}

/** Columns of a ticket; goes with `events e` and `bestEventWords`. */
export const ticketColumns = (language: Lang) => sql`
  e.id, e.event_type as "eventType", e.state, et.title, et.language, et.venue, et.location,
  e.start_time as "startTime", e.end_time as "endTime", e.zone, e.precision, e.source_article_id as "sourceArticleId",
  (select json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name), 'category', s.category,
      'fandomColor', s.fandom_color)
    from stars s left join star_translations st on st.star_id = s.id and st.language = ${language}
    where s.id = e.primary_star_id) as star`;

/** Words of an event: the language's, else English, else any. */
export const bestEventWords = (language: Lang) => sql`
  join lateral (select language, title, description, venue, location from event_translations
    where event_id = e.id order by (language = ${language}) desc, (language = 'en') desc limit 1) et on true`;

async function tickets(query: SQL): Promise<TicketRow[]> {
  const rows = await database().execute<Record<string, unknown> & TicketRow>(query);
  return rows.map(withTicketDates);
}

/** Raw statements answer timestamps as text; tickets carry a `Date`. */
export function withTicketDates<Row extends { startTime: Date; endTime: Date | null }>(row: Row): Row {
  return { ...row, startTime: new Date(row.startTime), endTime: row.endTime ? new Date(row.endTime) : null };
}

/** Public events that start from `from` (inclusive) to `to` (exclusive), earliest first. */
export function listTicketsBetween(
  language: Lang,
  from: Date,
  to: Date,
  limit: number,
): Promise<TicketRow[]> {
  return tickets(sql`select ${ticketColumns(language)} from events e ${bestEventWords(language)}
    where e.verification = 'approved' and e.start_time >= ${from.toISOString()} and e.start_time < ${to.toISOString()}
    order by e.start_time, e.id limit ${limit}`);
}

/** The next public events of any of the stars, as primary or linked star, not before `from`. */
export function listNextTicketsOfStars(
  language: Lang,
  starIds: readonly number[],
  from: Date,
  limit: number,
): Promise<TicketRow[]> {
  const ids = sql`array[${sql.join(
    starIds.map((id) => sql`${id}::int`),
    sql`, `,
  )}]::int[]`;
  return tickets(sql`select ${ticketColumns(language)} from events e ${bestEventWords(language)}
    where e.verification = 'approved' and e.state = 'scheduled' and e.start_time >= ${from.toISOString()}
      and (e.primary_star_id = any(${ids}) or exists (
        select 1 from event_stars es where es.event_id = e.id and es.star_id = any(${ids})))
    order by e.start_time, e.id limit ${limit}`);
}
