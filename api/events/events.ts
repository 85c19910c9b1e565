import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import {
  contractEvents,
  type EventReader,
  eventTickets,
  findEvent,
  listEventsWithin,
  listNextTicketsOfStars,
  listTrendingEvents,
} from '#db/queries/events/events.ts';
import type { EventPageRow, EventRow, TicketRow } from '#db/queries/events/fields.ts';
import type { EventFilter, Span } from '#db/queries/events/spans.ts';
import { toSummary, withImageUrl } from '../stars/badge.ts';
import { secondsUntil } from './clock.ts';
import { addDays, addMonth, dayOf, seoul, startOfDay, type UpcomingRange } from './days.ts';
import type { Event, EventPage, EventTicket, FullEvent, TrendingEvents } from './model.ts';
import { statusOf } from './status.ts';
import { directionOf, labelOf, scoreOf } from './trends.ts';

/** How much of an event is wanted: what of it is read, and what is made of that at the moment `now`. */
interface EventPart<Row, Shape> {
  rows: EventReader<Row>;
  shape: (row: Row, now: Date) => Shape;
}

/** What a ticket shows. */
const ticketPart: EventPart<TicketRow, EventTicket> = { rows: eventTickets, shape: toTicket };

/** Everything that the contract has. */
export const eventContractPart: EventPart<EventRow, Event> = { rows: contractEvents, shape: toEvent };

export interface EventQuery {
  language: Lang;
  now: Date;
  filter?: EventFilter;
  /** Account that asks, for `isSubscribed`. */
  visitor?: number | undefined;
}

/** Public events that go on at some moment of a span, earliest first (§7 range), as much of each as the part says. One statement. */
export async function readEventsWithin<Row, Shape>(
  { rows, shape }: EventPart<Row, Shape>,
  span: Span,
  { language, now, filter, visitor }: EventQuery,
): Promise<Shape[]> {
  return (await listEventsWithin(rows, language, span, filter, visitor)).map((row) => shape(row, now));
}

/**
 * Everything that is told of an event (§3); undefined when there is none or nobody approved it (decision E6). One statement.
 */
export async function readEvent(
  id: number,
  { language, now, visitor }: Omit<EventQuery, 'filter'>,
): Promise<FullEvent | undefined> {
  const row = await findEvent(id, language, visitor);
  return row && toFullEvent(row, now);
}

const maxNext = 3;

/** A public event for its page (decision E4), undefined when there is none. Two statements at most. */
export async function readEventPage(id: number, language: Lang, now: Date): Promise<EventPage | undefined> {
  const event = await readEvent(id, { language, now });
  if (!event) return undefined;
  const { primaryStar } = event;
  const next = primaryStar ? await readNextEvents(language, [primaryStar.id], now, maxNext + 1) : [];
  return { ...event, next: next.filter((ticket) => ticket.id !== id).slice(0, maxNext) };
}

/** The most wanted events that are not over (decision E5). One statement. */
export async function readTrending(
  page: { limit: number; offset: number; category?: string | undefined },
  { language, now, visitor }: Omit<EventQuery, 'filter'>,
): Promise<TrendingEvents> {
  const { rows, more, categories } = await listTrendingEvents(language, { ...page, now }, visitor);
  return {
    events: rows.map((row, index) => {
      const rank = page.offset + index + 1;
      const trendingScore = scoreOf(rank);
      return {
        ...toEvent(row, now),
        rank,
        trendingScore,
        scoreLabel: labelOf(trendingScore),
        trendDirection: directionOf(rank),
        viewCount: row.views,
        subscriptionCount: row.interested,
      };
    }),
    hasMore: more,
    categories,
  };
}

/** The public events of the day in Seoul that `now` falls on, earliest first (look §5 Home, "today"). */
export function readTodaysEvents(language: Lang, now: Date, limit: number): Promise<EventTicket[]> {
  const today = dayOf(now, seoul);
  const span = { from: startOfDay(today, seoul), to: startOfDay(addDays(today, 1), seoul), limit };
  return readEventsWithin(ticketPart, span, { language, now });
}

/** The next events of the stars that have not begun. */
export async function readNextEvents(
  language: Lang,
  starIds: readonly number[],
  now: Date,
  limit: number,
): Promise<EventTicket[]> {
  if (starIds.length === 0) return [];
  const rows = await listNextTicketsOfStars(language, starIds, now, limit);
  return rows.map((row) => toTicket(row, now));
}

/** §7 range: from now to the end of today in the zone, seven days, or one month on. */
function spanOf(range: UpcomingRange, now: Date, zone: string): { from: Date; to: Date } {
  if (range === 'today') return { from: now, to: startOfDay(addDays(dayOf(now, zone), 1), zone) };
  if (range === 'week') return { from: now, to: new Date(now.getTime() + 7 * 86_400_000) };
  return { from: now, to: addMonth(now, zone) };
}

interface UpcomingDay {
  /** `YYYY-MM-DD` in the zone. */
  date: string;
  tickets: EventTicket[];
}

/**
 * Events that are on or come, by the day of the zone on which they begin; what began earlier stands under today (§2
 * Upcoming tab). One statement.
 * @returns undefined for `nextOffset` when there are no more
 */
export async function readUpcoming(
  language: Lang,
  range: UpcomingRange,
  { zone, now, offset, filter = {} }: { zone: string; now: Date; offset: number; filter?: EventFilter },
): Promise<{ days: UpcomingDay[]; count: number; nextOffset: number | undefined }> {
  const limit = limits.eventsRange;
  const rows = await listEventsWithin(
    eventTickets,
    language,
    { ...spanOf(range, now, zone), limit: limit + 1, offset },
    filter,
  );
  const pageRows = rows.slice(0, limit);
  const today = dayOf(now, zone);
  const byDay = Map.groupBy(pageRows, (row) => {
    const day = row.precision === 'day' ? dayOf(row.startTime, row.zone) : dayOf(row.startTime, zone);
    return [today, day].sort().at(-1) ?? day;
  });
  return {
    days: [...byDay]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, each]) => ({ date, tickets: each.map((row) => toTicket(row, now)) })),
    count: pageRows.length,
    nextOffset: rows.length > limit ? offset + limit : undefined,
  };
}

/** A row as a ticket at the moment `now`. */
export function toTicket(row: TicketRow, now: Date): EventTicket {
  return {
    id: row.id,
    title: row.title,
    language: row.language,
    eventType: row.eventType,
    categoryId: row.categoryId,
    status: statusOf(row.state, row.startTime, row.overAt, now),
    startTime: row.startTime.toISOString(),
    overAt: row.overAt.toISOString(),
    zone: row.zone,
    precision: row.precision,
    venue: row.venue,
    location: row.location,
    sourceArticleId: row.sourceArticleId,
    star: row.star,
  };
}

/** A row as the contract has it at the moment `now`. */
export function toEvent(row: EventRow, now: Date): Event {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    language: row.language,
    eventType: row.eventType,
    status: statusOf(row.state, row.startTime, row.overAt, now),
    startTime: row.startTime.toISOString(),
    timeUntilStart: secondsUntil(row.startTime, now.getTime()),
    endTime: row.endTime?.toISOString() ?? null,
    overAt: row.overAt.toISOString(),
    zone: row.zone,
    precision: row.precision,
    venue: row.venue,
    location: row.location,
    capacity: row.capacity,
    rsvpCount: row.rsvpCount,
    category: row.category,
    primaryStar: row.star && toSummary(row.star),
    eventStars: row.stars.map(({ id, star, role }) => ({ id, star: toSummary(star), role })),
    isSubscribed: row.isSubscribed,
    sourceArticleId: row.sourceArticleId,
    ticketUrl: row.ticketUrl,
    streamingUrl: row.streamingUrl,
    officialUrl: row.officialUrl,
  };
}

function toFullEvent(row: EventPageRow, now: Date): FullEvent {
  return {
    ...toEvent(row, now),
    categoryId: row.categoryId,
    primaryStar: row.star && withImageUrl(row.star),
    eventStars: row.stars.map(({ star, ...rest }) => ({
      ...rest,
      star: withImageUrl(star),
    })),
    updatedAt: row.updatedAt.toISOString(),
    pictureKey: row.pictureKey,
    placeholder: row.placeholder,
    pictureAlts: row.pictureAlts,
    pictureCredit: row.pictureCredit,
    factSource: row.factSource,
    languages: row.languages,
  };
}
