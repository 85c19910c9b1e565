import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EventType } from '../schema/events.ts';
import { intArray } from '../statement.ts';
import type { StarRow } from './star-badge.ts';

/** One event as a ticket shows it. Times are UTC; `zone` and `precision` say how they are meant (decision E3). */
export interface TicketRow {
  id: number;
  eventType: EventType;
  categoryId: number;
  state: 'scheduled' | 'cancelled';
  title: string;
  language: Lang;
  venue: string | null;
  location: string | null;
  startTime: Date;
  endTime: Date | null;
  /** When it is over, also without an end of its own (decision E2). */
  overAt: Date;
  zone: string;
  precision: 'minute' | 'day';
  star: StarRow | null;
  /** The public article that announced it. */
  sourceArticleId: number | null;
}

/** JSON of one star, `id` being its column, named in `language`. */
const starOf = (id: SQL, language: Lang) => sql`
  (select json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name), 'category', s.category,
      'fandomColor', s.fandom_color)
    from stars s left join star_translations st on st.star_id = s.id and st.language = ${language}
    where s.id = ${id})`;

/** Columns of a ticket without its words and its star; goes with `events e`. */
export const plainTicketColumns = sql`
  e.id, e.event_type as "eventType", e.category_id as "categoryId", e.state,
  e.start_time as "startTime", e.end_time as "endTime", e.over_at as "overAt", e.zone, e.precision,
  (select a.id from articles a where a.id = e.source_article_id and a.withdrawn_at is null) as "sourceArticleId"`;

/**
 * Columns of a ticket; goes with `events e` and `bestEventWords`.
 * @param star id of the star that the ticket is shown for; its primary one unless said
 */
export const ticketColumns = (language: Lang, star: SQL = sql`e.primary_star_id`) => sql`
  ${plainTicketColumns}, et.title, et.language, et.venue, et.location,
  ${starOf(star, language)} as star`;

/** Words of an event: the language's, else English, else any. */
export const bestEventWords = (language: Lang) => sql`
  join lateral (select language, title, description, venue, location from event_translations
    where event_id = e.id order by (language = ${language}) desc, (language = 'en') desc limit 1) et on true`;

async function tickets(query: SQL): Promise<TicketRow[]> {
  const rows = await database().execute<Record<string, unknown> & TicketRow>(query);
  return rows.map(withTicketDates);
}

/** Raw statements answer timestamps as text; tickets carry a `Date`. */
export function withTicketDates<Row extends { startTime: Date; endTime: Date | null; overAt: Date }>(
  row: Row,
): Row {
  return {
    ...row,
    startTime: new Date(row.startTime),
    endTime: row.endTime ? new Date(row.endTime) : null,
    overAt: new Date(row.overAt),
  };
}

/** What lists of events may be narrowed to (§4 Calendar filters): with both, an event must pass both. */
export interface EventFilter {
  categoryIds?: readonly number[];
  /** Events whose primary star or any linked star is one of them. */
  starIds?: readonly number[];
}

/** The conditions of a filter on `events e`, to go after others. */
export const passes = ({ categoryIds = [], starIds = [] }: EventFilter): SQL => sql`
  ${categoryIds.length > 0 ? sql`and e.category_id = any(${intArray(categoryIds)})` : sql``}
  ${
    starIds.length > 0
      ? sql`and (e.primary_star_id = any(${intArray(starIds)}) or exists (
          select from event_stars es where es.event_id = e.id and es.star_id = any(${intArray(starIds)})))`
      : sql``
  }`;

export interface Span {
  from: Date;
  /** Exclusive; missing: no end. */
  to?: Date;
  limit: number;
  offset?: number;
}

/**
 * `id, start_time` of public events that go on at some moment of a span, earliest first: those that start in it by one
 * index, those that are on when it begins by another, so that neither reads what it does not answer. (`offset 0` keeps
 * PostgreSQL from looking for the few that are on among all that ever began, in their order.)
 * @param more further columns of `events e`, after a comma
 */
export function idsWithin(
  { from, to, limit, offset = 0 }: Span,
  filter: EventFilter = {},
  more: SQL = sql``,
): SQL {
  const most = limit + offset;
  const until = to ? sql`and e.start_time < ${to.toISOString()}` : sql``;
  return sql`select * from (
      (select e.id, e.start_time ${more} from events e
        where e.verification = 'approved' and e.start_time >= ${from.toISOString()} ${until} ${passes(filter)}
        order by e.start_time, e.id limit ${most})
      union all
      (select * from (select e.id, e.start_time ${more} from events e
        where e.verification = 'approved' and e.start_time < ${from.toISOString()}
          and tstzrange(e.start_time, e.over_at) @> ${from.toISOString()}::timestamptz ${passes(filter)} offset 0) on_now
        order by start_time, id limit ${most})) near
    order by start_time, id limit ${limit} offset ${offset}`;
}

/** Tickets of public events that go on at some moment of a span, earliest first. One statement. */
export function listTicketsWithin(
  language: Lang,
  span: Span,
  filter: EventFilter = {},
): Promise<TicketRow[]> {
  return tickets(sql`with page as materialized (${idsWithin(span, filter)})
    select ${ticketColumns(language)} from page join events e on e.id = page.id ${bestEventWords(language)}
    order by page.start_time, page.id`);
}

/**
 * `id, start_time` of the next public events of the stars that `wanted` names, as primary or linked star, not before
 * `from`; reads the first `limit` index entries of each star.
 */
export const nextEventIds = (wanted: SQL, from: SQL, limit: SQL) => sql`
  select distinct near.id, near.start_time from (${wanted}) w cross join lateral (
    (select e.id, e.start_time from event_stars es join events e on e.id = es.event_id
      where es.star_id = w.star_id and es.start_time >= ${from}::timestamptz
        and e.verification = 'approved' and e.state = 'scheduled'
      order by es.start_time, es.event_id limit ${limit})
    union all
    (select e.id, e.start_time from events e
      where e.primary_star_id = w.star_id and e.start_time >= ${from}::timestamptz
        and e.verification = 'approved' and e.state = 'scheduled'
      order by e.start_time limit ${limit})) near
  order by near.start_time, near.id limit ${limit}`;

/** The next public events of any of the stars, as primary or linked star, not before `from`. */
export function listNextTicketsOfStars(
  language: Lang,
  starIds: readonly number[],
  from: Date,
  limit: number,
): Promise<TicketRow[]> {
  const wanted = sql`select unnest(${intArray(starIds)}) as star_id`;
  return tickets(sql`
    with next as materialized (${nextEventIds(wanted, sql`${from.toISOString()}`, sql`${limit}`)})
    select ${ticketColumns(language)} from next join events e on e.id = next.id ${bestEventWords(language)}
    order by e.start_time, e.id`);
}
