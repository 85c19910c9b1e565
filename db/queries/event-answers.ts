import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import {
  bestEventWords,
  type EventFilter,
  idsWithin,
  type Span,
  type TicketRow,
  ticketColumns,
  withTicketDates,
} from './events.ts';
import type { StarRow } from './star-badge.ts';

export interface EventCategoryRow {
  id: number;
  slug: string;
  name: string;
  color: string;
}

/** An event with everything that §3 names. */
export interface EventRow extends TicketRow {
  description: string | null;
  capacity: number | null;
  rsvpCount: number;
  category: EventCategoryRow;
  stars: { id: number; star: StarRow; role: string }[];
  isSubscribed: boolean;
  ticketUrl: string | null;
  streamingUrl: string | null;
  officialUrl: string | null;
  updatedAt: Date;
}

/** What only the page of an event needs. */
export interface WholeEvent {
  /** Picture of its story, else of its star. */
  pictureKey: string | null;
  placeholder: string | null;
  /** Languages in which it has words. */
  languages: Lang[];
}

/** JSON of a category, named in `language`, else in English; goes with `event_categories c`. */
export const eventCategoryJson = (
  language: Lang,
) => sql`json_build_object('id', c.id, 'slug', c.slug, 'color', c.color,
  'name', coalesce((select ct.name from event_category_translations ct where ct.category_id = c.id
    and ct.language in (${language}, 'en') order by (ct.language = ${language}) desc limit 1), c.slug))`;

const eventColumns = (language: Lang, visitor: number | undefined) => sql`
  ${ticketColumns(language)}, et.description, e.capacity, e.rsvp_count as "rsvpCount", e.ticket_url as "ticketUrl",
  e.streaming_url as "streamingUrl", e.official_url as "officialUrl", e.updated_at as "updatedAt",
  (select ${eventCategoryJson(language)} from event_categories c where c.id = e.category_id) as category,
  (select coalesce(json_agg(json_build_object('id', es.id, 'role', es.role, 'star', json_build_object('id', s.id,
      'slug', s.slug, 'name', coalesce(st.name, s.name), 'category', s.category, 'fandomColor', s.fandom_color))
      order by (s.id = e.primary_star_id) desc, es.id), '[]'::json)
    from event_stars es join stars s on s.id = es.star_id
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    where es.event_id = e.id) as stars,
  ${
    visitor === undefined
      ? sql`false`
      : sql`exists (select from event_subscriptions sub where sub.event_id = e.id and sub.user_id = ${visitor})`
  } as "isSubscribed"`;

/** Raw statements answer timestamps as text. */
const withEventDates = <Row extends EventRow>(row: Row): Row => ({
  ...withTicketDates(row),
  updatedAt: new Date(row.updatedAt),
});

async function rowsOf(query: SQL): Promise<EventRow[]> {
  const rows = await database().execute<Record<string, unknown> & EventRow>(query);
  return rows.map(withEventDates);
}

/** Public events that go on at some moment of a span, earliest first (§7 range). One statement. */
export function listEventsWithin(
  language: Lang,
  span: Span,
  filter: EventFilter,
  visitor?: number,
): Promise<EventRow[]> {
  return rowsOf(sql`with page as materialized (${idsWithin(span, filter)})
    select ${eventColumns(language, visitor)} from page join events e on e.id = page.id ${bestEventWords(language)}
    order by page.start_time, page.id`);
}

/** One public event, undefined when there is none or nobody approved it (decision E6). */
export async function findEvent(
  id: number,
  language: Lang,
  visitor?: number,
): Promise<(EventRow & WholeEvent) | undefined> {
  const [row] = await database().execute<Record<string, unknown> & EventRow & WholeEvent>(sql`
    select ${eventColumns(language, visitor)}, p.key as "pictureKey", p.placeholder,
      array(select language from event_translations where event_id = e.id order by language) as languages
    from events e ${bestEventWords(language)}
    left join articles a on a.id = e.source_article_id and a.withdrawn_at is null
    left join stars ps on ps.id = e.primary_star_id
    left join pictures p on p.key = coalesce(a.picture_key, ps.hero_key)
    where e.id = ${id} and e.verification = 'approved'`);
  return row && withEventDates(row);
}

/** All categories in their order, named in the language. */
export async function listEventCategories(language: Lang): Promise<EventCategoryRow[]> {
  const rows = await database().execute<{ category: EventCategoryRow }>(
    sql`select ${eventCategoryJson(language)} as category from event_categories c order by c.id`,
  );
  return rows.map(({ category }) => category);
}

export interface TrendingRow extends EventRow {
  views: number;
  /** Subscribed, and not among those who say that they will be there. */
  interested: number;
}

/** How far down the ranking one looks for events that are still to come; most warm events are. */
const mostWarm = 2000;

/**
 * Public events that are not over, most wanted in the last days first (decision E5), and the categories among the most
 * wanted. One statement: the ranking is an index, kept by triggers.
 */
export async function listTrendingEvents(
  language: Lang,
  page: { now: Date; limit: number; offset: number; category?: string | undefined },
  visitor?: number,
): Promise<{ rows: TrendingRow[]; more: boolean; categories: EventCategoryRow[] }> {
  const { now, limit, offset, category } = page;
  const [row] = await database().execute<{ rows: TrendingRow[]; categories: EventCategoryRow[] }>(sql`
    with warm as materialized (
      select i.event_id, i.heat, i.views, i.subscriptions - i.going as interested, i.subscriptions, e.category_id
      from (select * from event_interest where heat > '-Infinity' order by heat desc, event_id desc limit ${mostWarm}) i
      join events e on e.id = i.event_id
      where e.verification = 'approved' and e.state = 'scheduled' and e.over_at > ${now.toISOString()}
        and i.views + i.subscriptions > 0),
    page as materialized (
      select w.* from warm w join event_categories c on c.id = w.category_id
      where ${category === undefined ? sql`true` : sql`c.slug = ${category}`}
      order by w.heat desc, w.event_id desc limit ${limit + 1} offset ${offset})
    select
      (select coalesce(json_agg(shown order by shown.heat desc, shown.id desc), '[]'::json) from (
        select ${eventColumns(language, visitor)}, page.heat, page.views, page.interested
        from page join events e on e.id = page.event_id ${bestEventWords(language)}) shown) as rows,
      (select coalesce(json_agg(${eventCategoryJson(language)} order by c.id), '[]'::json) from event_categories c
        where c.id in (select category_id from warm)) as categories`);
  const { rows = [], categories = [] } = row ?? {};
  return {
    rows: rows.slice(0, limit).map(withEventDates),
    more: rows.length > limit,
    categories,
  };
}
