import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { executePlanned, intArray } from '../statement.ts';
import { type EventCategoryRow, eventCategoryJson } from './event-answers.ts';
import {
  bestEventWords,
  type EventFilter,
  idsWithin,
  plainTicketColumns,
  type Span,
  type TicketRow,
  withTicketDates,
} from './events.ts';
import { oneProbeOfWords, word } from './month-rows.ts';
import type { StarRow } from './star-badge.ts';

/** What a grid needs of an event to put it on its days. */
export interface Mark {
  id: number;
  categoryId: number;
  starId: number | null;
  /** milliseconds */
  start: number;
  over: number;
  /** First and last day in the event's own zone, for events of whole days. */
  days: { first: string; last: string } | undefined;
}

const columnsOfMark = sql`, e.category_id, e.primary_star_id, e.over_at, e.precision, e.zone`;

/** Numbers of all rows one after the other in their binary form: writing and reading them as text takes three times as long. */
const packed = (number: SQL) => sql`string_agg(${number}, '')`;

/** PostgreSQL counts microseconds from the year 2000. */
const year2000 = Date.UTC(2000, 0, 1);
const millisecondsAt = (bytes: Buffer, place: number) =>
  Math.floor((bytes.readInt32BE(place * 8) * 2 ** 32 + bytes.readUInt32BE(place * 8 + 4)) / 1000) + year2000;

/**
 * Marks of all public events that go on in a span, earliest first: a month of three thousand is one row of lists, and no words
 * are read for what a page does not name. One statement, which reads an index only.
 */
export async function listMarks(span: Span, filter: EventFilter): Promise<Mark[]> {
  const [row] = await database().execute<
    Record<'ids' | 'categories' | 'stars' | 'starts' | 'overs', Buffer | null> & {
      days: Record<string, { first: string; last: string }> | null;
    }
  >(sql`
    select ${packed(sql`int4send(id)`)} as ids, ${packed(sql`int4send(category_id)`)} as categories,
      ${packed(sql`int4send(coalesce(primary_star_id, 0))`)} as stars,
      ${packed(sql`timestamptz_send(start_time)`)} as starts, ${packed(sql`timestamptz_send(over_at)`)} as overs,
      json_object_agg(id, json_build_object('first', ${localDay(sql`start_time`)},
        'last', ${localDay(sql`greatest(start_time, over_at - interval '1 millisecond')`)}))
        filter (where precision = 'day') as days
    from (${idsWithin(span, filter, columnsOfMark)}) ordered`);
  if (!row?.ids || !row.categories || !row.stars || !row.starts || !row.overs) return [];
  const { ids, categories, stars, starts, overs, days } = row;
  return Array.from({ length: ids.length / 4 }, (_, place) => {
    const id = ids.readInt32BE(place * 4);
    return {
      id,
      categoryId: categories.readInt32BE(place * 4),
      starId: stars.readInt32BE(place * 4) || null,
      start: millisecondsAt(starts, place),
      over: millisecondsAt(overs, place),
      days: days?.[id],
    };
  });
}

const localDay = (moment: SQL) => sql`to_char(${moment} at time zone zone, 'YYYY-MM-DD')`;

type TicketColumns = Omit<TicketRow, 'star'> & StarRow & { starId: number | null };

/** Tickets of public events by id, in no order. A month asks for dozens, so stars are joined, not made one by one. */
export async function listTicketsById(language: Lang, ids: readonly number[]): Promise<TicketRow[]> {
  if (ids.length === 0) return [];
  const rows = await executePlanned<TicketColumns>(sql`
    select s.id as "starId", s.slug, coalesce(st.name, s.name) as name, s.category, s.fandom_color as "fandomColor",
      ${word('title')} as title, ${word('language')} as language, ${word('venue')} as venue, ${word('location')} as location,
      ${plainTicketColumns}
    from events e ${oneProbeOfWords(language)} left join stars s on s.id = e.primary_star_id
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    where e.id = any(${intArray(ids)}) and e.verification = 'approved'`);
  return rows.map(({ starId, slug, name, category, fandomColor, ...ticket }) =>
    withTicketDates({
      ...ticket,
      star: starId === null ? null : { id: starId, slug, name, category, fandomColor },
    }),
  );
}

/** What a cell of the grid says of an event. */
export interface LabelRow {
  id: number;
  /** Whose it is, else what it is: a cell has room for a name. */
  text: string;
  /** Of its star. */
  fandomColor: string | null;
}

/** Labels of public events by id, in no order. One statement. */
export function listLabelsById(language: Lang, ids: readonly number[]): Promise<LabelRow[]> {
  return executePlanned<LabelRow>(sql`
    select e.id, coalesce(st.name, s.name, ${word('title')}) as text, s.fandom_color as "fandomColor"
    from events e ${oneProbeOfWords(language)} left join stars s on s.id = e.primary_star_id
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    where e.id = any(${intArray(ids)}) and e.verification = 'approved'`);
}

export interface StarChoice {
  id: number;
  slug: string;
  name: string;
  fandomColor: string;
}

/** What a calendar may be filtered by: every category, and the stars of these ids. One statement. */
export async function findCalendarChoices(
  language: Lang,
  starIds: readonly number[],
): Promise<{ categories: EventCategoryRow[]; stars: StarChoice[] }> {
  const [row] = await database().execute<{ categories: EventCategoryRow[]; stars: StarChoice[] }>(sql`
    select (select coalesce(json_agg(${eventCategoryJson(language)} order by c.id), '[]'::json)
        from event_categories c) as categories,
      (select coalesce(json_agg(json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name),
          'fandomColor', s.fandom_color) order by coalesce(st.name, s.name)), '[]'::json)
        from stars s left join star_translations st on st.star_id = s.id and st.language = ${language}
        where s.id = any(${intArray(starIds)})) as stars`);
  return row ?? { categories: [], stars: [] };
}

export interface PosterRow {
  id: number;
  title: string;
  language: Lang;
  startTime: Date;
  overAt: Date;
  zone: string;
  precision: 'minute' | 'day';
  /** Picture of its article, else of its star. */
  pictureKey: string | null;
  placeholder: string | null;
  starId: number | null;
  starName: string | null;
  starSlug: string | null;
}

/** Events that are wanted most, among which the posters are looked for; and how many of the next ones when too few are wanted. */
const warmest = 200;
const nearest = 32;

/**
 * The public events of a span that most people want (decision E5), the next ones where nobody wants any, with a picture each,
 * one per star, in the order in which they come. One statement.
 */
export async function listPosters(
  language: Lang,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<PosterRow[]> {
  const begins = sql`e.verification = 'approved' and e.state = 'scheduled' and e.primary_star_id is not null
    and e.start_time >= ${from.toISOString()} and e.start_time < ${to.toISOString()}`;
  const rows = await database().execute<Record<string, unknown> & PosterRow>(sql`
    with wanted as materialized (
      (select e.id, e.primary_star_id, e.start_time, i.heat
        from (select event_id, heat from event_interest where heat > '-Infinity' order by heat desc, event_id desc limit ${warmest}) i
        join events e on e.id = i.event_id where ${begins})
      union all
      (select e.id, e.primary_star_id, e.start_time, '-Infinity' from events e where ${begins}
        order by e.start_time, e.id limit ${nearest})),
    first as materialized (
      select distinct on (primary_star_id) id, start_time, heat from wanted order by primary_star_id, heat desc, start_time, id),
    page as materialized (select * from first order by heat desc, start_time, id limit ${limit})
    select e.id, et.title, et.language, e.start_time as "startTime", e.over_at as "overAt", e.zone, e.precision,
      p.key as "pictureKey", p.placeholder, s.id as "starId", s.slug as "starSlug",
      coalesce((select st.name from star_translations st where st.star_id = s.id and st.language = ${language}), s.name) as "starName"
    from page join events e on e.id = page.id ${bestEventWords(language)}
    left join stars s on s.id = e.primary_star_id
    left join articles a on a.id = e.source_article_id and a.withdrawn_at is null
    left join pictures p on p.key = coalesce(a.picture_key, s.hero_key)
    order by page.start_time, page.id`);
  return rows.map((row) => ({
    ...row,
    startTime: new Date(row.startTime),
    overAt: new Date(row.overAt),
  }));
}
