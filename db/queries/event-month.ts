import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { intArray } from '../statement.ts';
import { type EventCategoryRow, eventCategoryJson } from './event-answers.ts';
import {
  bestEventWords,
  type EventFilter,
  idsWithin,
  type Span,
  type TicketRow,
  ticketColumns,
  withTicketDates,
} from './events.ts';

/** What a grid needs of an event to put it on its days. */
export interface Mark {
  id: number;
  categoryId: number;
  starId: number | null;
  startTime: Date;
  overAt: Date;
  precision: 'minute' | 'day';
  /** First and last day in the event's own zone, for events of whole days. */
  days: { first: string; last: string } | null;
}

const columnsOfMark = sql`, e.category_id, e.primary_star_id, e.over_at, e.precision, e.zone`;

/**
 * Marks of all public events that go on in a span, earliest first: a month of three thousand is one row of lists, and no words
 * are read for what a page does not name. One statement.
 */
export async function listMarks(span: Span, filter: EventFilter): Promise<Mark[]> {
  const [row] = await database().execute<
    Record<'ids' | 'categories' | 'stars' | 'starts' | 'overs' | 'days', string | null>
  >(sql`
    select string_agg(id::text, ',') as ids, string_agg(category_id::text, ',') as categories,
      string_agg(coalesce(primary_star_id, 0)::text, ',') as stars,
      string_agg((date_part('epoch', start_time) * 1000)::int8::text, ',') as starts,
      string_agg((date_part('epoch', over_at) * 1000)::int8::text, ',') as overs,
      string_agg(case when precision <> 'day' then '' else to_char(start_time at time zone zone, 'YYYY-MM-DD')
        || to_char(greatest(start_time, over_at - interval '1 millisecond') at time zone zone, 'YYYY-MM-DD') end, ',') as days
    from (${idsWithin(span, filter, columnsOfMark)}) ordered`);
  if (!row?.ids) return [];
  const list = (text: string | null) => text?.split(',') ?? [];
  const [categories, stars, starts, overs] = [row.categories, row.stars, row.starts, row.overs].map((text) =>
    list(text).map(Number),
  );
  const days = list(row.days);
  return list(row.ids).map((id, index) => {
    const span = days[index];
    return {
      id: Number(id),
      categoryId: categories?.[index] ?? 0,
      starId: stars?.[index] || null,
      startTime: new Date(starts?.[index] ?? 0),
      overAt: new Date(overs?.[index] ?? 0),
      precision: span ? 'day' : 'minute',
      days: span ? { first: span.slice(0, 10), last: span.slice(10) } : null,
    };
  });
}

/** Tickets of public events by id, in no order. */
export async function listTicketsById(language: Lang, ids: readonly number[]): Promise<TicketRow[]> {
  if (ids.length === 0) return [];
  const rows = await database().execute<Record<string, unknown> & TicketRow>(sql`
    select ${ticketColumns(language)} from events e ${bestEventWords(language)}
    where e.id = any(${intArray(ids)}) and e.verification = 'approved'`);
  return rows.map(withTicketDates);
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

/** The next public events that are not over and not cancelled, with a picture each, one per star. One statement. */
export async function listPosters(language: Lang, now: Date, limit: number): Promise<PosterRow[]> {
  const rows = await database().execute<Record<string, unknown> & PosterRow>(sql`
    with near as materialized (${idsWithin({ from: now, limit: limit * 8 })}),
    first as materialized (
      select distinct on (coalesce(e.primary_star_id, -e.id)) e.id, e.start_time
      from near join events e on e.id = near.id where e.state = 'scheduled' and e.over_at > ${now.toISOString()}
      order by coalesce(e.primary_star_id, -e.id), e.start_time, e.id),
    page as materialized (select * from first order by start_time, id limit ${limit})
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
