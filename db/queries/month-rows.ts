import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { intArray } from '../statement.ts';
import type { EventCategoryRow, EventRow } from './event-answers.ts';
import { type EventFilter, idsWithin, type Span } from './events.ts';
import type { StarRow } from './star-badge.ts';

/**
 * Whole months of events, for the API and for the calendar in the browser. A month may have thousands: its rows travel as one
 * JSON text, words are read by one probe each, and stars and categories, which repeat, are read once.
 */

/** An event's words: the language's, and only where there are none, English or any. */
export const oneProbeOfWords = (language: Lang) => sql`
  left join event_translations own on own.event_id = e.id and own.language = ${language}
  left join lateral (select language, title, description, venue, location from event_translations
    where own.event_id is null and event_id = e.id order by (language = 'en') desc limit 1) other on true`;

export const word = (name: 'language' | 'title' | 'description' | 'venue' | 'location') =>
  sql`case when own.event_id is null then other.${sql.identifier(name)} else own.${sql.identifier(name)} end`;

/** What both readers need of each event; instants are milliseconds. */
const shared = {
  id: sql`e.id`,
  eventType: sql`e.event_type`,
  state: sql`e.state`,
  title: word('title'),
  language: word('language'),
  venue: word('venue'),
  location: word('location'),
  start: sql`(date_part('epoch', e.start_time) * 1000)::int8`,
  over: sql`(date_part('epoch', e.over_at) * 1000)::int8`,
  zone: sql`e.zone`,
  precision: sql`e.precision`,
  categoryId: sql`e.category_id`,
  primaryStarId: sql`e.primary_star_id`,
};

interface SharedRow extends Pick<EventRow, 'id' | 'eventType' | 'state' | 'title' | 'language'> {
  venue: string | null;
  location: string | null;
  start: number;
  over: number;
  zone: string;
  precision: 'minute' | 'day';
  categoryId: number;
  primaryStarId: number | null;
}

/** The columns of each event of a span, earliest first: one row of arrays, put together again by their names. */
async function rowsOf<Row extends object>(
  language: Lang,
  span: Span,
  filter: EventFilter,
  columns: Record<keyof Row & string, SQL>,
): Promise<Row[]> {
  const names = Object.keys(columns);
  const [found] = await database().execute<{ rows: unknown[][] }>(sql`
    with page as materialized (${idsWithin(span, filter)})
    select coalesce(json_agg(json_build_array(${sql.join(Object.values<SQL>(columns), sql`, `)})
      order by page.start_time, page.id), '[]'::json) as rows
    from page join events e on e.id = page.id ${oneProbeOfWords(language)}`);
  const named = (values: unknown[]) => Object.fromEntries(names.map((name, at) => [name, values[at]]));
  return (found?.rows ?? []).map((values) => named(values) as Row);
}

/** An event as the calendar in the browser knows it. */
export interface MonthCardRow extends Omit<SharedRow, 'primaryStarId'> {
  /** The primary star first. */
  starIds: number[];
}

type RawCard = SharedRow & { starIds: number[] };

/** All public events that go on in a span with the least that a calendar shows, earliest first. One statement. */
export async function listMonthCards(language: Lang, span: Span): Promise<MonthCardRow[]> {
  const rows = await rowsOf<RawCard>(
    language,
    span,
    {},
    {
      ...shared,
      starIds: sql`array(select es.star_id from event_stars es where es.event_id = e.id order by es.id)`,
    },
  );
  return rows.map(({ primaryStarId, starIds, ...row }) => ({
    ...row,
    starIds: primaryStarId === null ? starIds : [...new Set([primaryStarId, ...starIds])],
  }));
}

interface RawEvent extends SharedRow {
  description: string | null;
  end: number | null;
  capacity: number | null;
  rsvpCount: number;
  ticketUrl: string | null;
  streamingUrl: string | null;
  officialUrl: string | null;
  updated: number;
  sourceArticleId: number | null;
  isSubscribed: boolean;
  stars: [id: number, star: number, role: string][];
}

const whole = (visitor: number | undefined): Record<keyof RawEvent, SQL> => ({
  ...shared,
  description: word('description'),
  end: sql`(date_part('epoch', e.end_time) * 1000)::int8`,
  capacity: sql`e.capacity`,
  rsvpCount: sql`e.rsvp_count`,
  ticketUrl: sql`e.ticket_url`,
  streamingUrl: sql`e.streaming_url`,
  officialUrl: sql`e.official_url`,
  updated: sql`(date_part('epoch', e.updated_at) * 1000)::int8`,
  sourceArticleId: sql`(select a.id from articles a where a.id = e.source_article_id and a.withdrawn_at is null)`,
  isSubscribed:
    visitor === undefined
      ? sql`false`
      : sql`exists (select from event_subscriptions sub where sub.event_id = e.id and sub.user_id = ${visitor})`,
  stars: sql`(select coalesce(json_agg(json_build_array(es.id, es.star_id, es.role)
    order by (es.star_id = e.primary_star_id) desc, es.id), '[]'::json) from event_stars es where es.event_id = e.id)`,
});

/** All public events that go on in a span with everything of §3, earliest first. Two statements, however many there are. */
export async function listMonthEvents(
  language: Lang,
  span: Span,
  filter: EventFilter,
  categories: readonly EventCategoryRow[],
  visitor?: number,
): Promise<EventRow[]> {
  const rows = await rowsOf<RawEvent>(language, span, filter, whole(visitor));
  const stars = await starsOf(
    language,
    rows.flatMap((row) => [row.primaryStarId ?? [], row.stars.map(([, star]) => star)].flat()),
  );
  const byId = new Map(categories.map((category) => [category.id, category]));
  return rows.flatMap(({ start, over, end, updated, primaryStarId, stars: cast, ...row }) => {
    const category = byId.get(row.categoryId);
    if (!category) return [];
    return {
      ...row,
      category,
      startTime: new Date(start),
      overAt: new Date(over),
      endTime: end === null ? null : new Date(end),
      updatedAt: new Date(updated),
      star: (primaryStarId !== null && stars.get(primaryStarId)) || null,
      stars: cast.flatMap(([id, starId, role]) => {
        const star = stars.get(starId);
        return star ? { id, star, role } : [];
      }),
    };
  });
}

async function starsOf(language: Lang, ids: readonly number[]): Promise<ReadonlyMap<number, StarRow>> {
  const rows = await database().execute<Record<string, unknown> & StarRow>(sql`
    select s.id, s.slug, coalesce(st.name, s.name) as name, s.category, s.fandom_color as "fandomColor"
    from stars s left join star_translations st on st.star_id = s.id and st.language = ${language}
    where s.id = any(${intArray([...new Set(ids)])})`);
  return new Map(rows.map((star) => [star.id, star]));
}
