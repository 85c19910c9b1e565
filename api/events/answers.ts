import type { Lang } from '#content/locales.ts';
import {
  type EventRow,
  findEvent,
  listEventCategories,
  listEventsWithin,
  listTrendingEvents,
} from '#db/queries/events/answers.ts';
import type { EventFilter } from '#db/queries/events/events.ts';
import { listMonthEvents } from '#db/queries/events/month-rows.ts';
import type { StarRow } from '#db/queries/stars/badge.ts';
import { BadInput, NotFound } from '../errors.ts';
import { readWhole } from '../input.ts';
import { starMarkPath } from '../media/paths.ts';
import { secondsUntil } from './clock.ts';
import { dayOf, daysOfMonth, indexesByDay, markOf, spanOfMonth } from './days.ts';
import type { Event, EventMonth, TrendingEvents } from './model.ts';
import { statusOf } from './status.ts';
import { directionOf, labelOf, scoreOf } from './trends.ts';

/** Events as the API answers them (§3, §7). Pages use the leaner shapes of `events.ts`. */

/** More events than a month of a busy site has; a calendar of more would help nobody. */
export const mostOfMonth = 5000;

const toStar = ({ slug, ...star }: StarRow) => ({ ...star, imageUrl: starMarkPath(slug) });

/** A row as the contract has it at the moment `now`. */
function toEvent(row: EventRow, now: Date): Event {
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
    primaryStar: row.star && toStar(row.star),
    eventStars: row.stars.map(({ id, star, role }) => ({ id, star: toStar(star), role })),
    isSubscribed: row.isSubscribed,
    sourceArticleId: row.sourceArticleId,
    ticketUrl: row.ticketUrl,
    streamingUrl: row.streamingUrl,
    officialUrl: row.officialUrl,
  };
}

interface Asked {
  language: Lang;
  filter: EventFilter;
  now: Date;
  /** Account that asks, for `isSubscribed`. */
  visitor?: number | undefined;
}

/** A year and a month of an address. @throws BadInput that names which one is wrong */
export function readMonth(yearText: string, monthText: string): { year: number; month: number } {
  const year = readWhole(yearText, 1970, 2999);
  if (year === undefined) throw new BadInput('year', 'Must be a year from 1970 to 2999.');
  const month = readWhole(monthText.replace(/^0(?=[1-9]$)/, ''), 1, 12);
  if (month === undefined) throw new BadInput('month', 'Must be a month from 1 to 12.');
  return { year, month };
}

/**
 * A month of the calendar, its days in the zone (§7 month, decision E3). Three statements.
 * @param zone IANA zone in which days begin
 */
export async function answerMonth(
  { year, month }: { year: number; month: number },
  zone: string,
  { language, filter, now, visitor }: Asked,
): Promise<EventMonth> {
  const days = daysOfMonth(year, month, zone);
  const categories = await listEventCategories(language);
  const span = { ...spanOfMonth(days), limit: mostOfMonth };
  const rows = await listMonthEvents(language, span, filter, categories, visitor);
  const byDay = indexesByDay(rows.map(markOf), days);
  const answers = new Map<number, Event>();
  const answerOf = (index: number) => {
    const row = rows[index];
    const event = answers.get(index) ?? (row && toEvent(row, now));
    if (event) answers.set(index, event);
    return event ?? [];
  };
  const today = dayOf(now, zone);
  return {
    year,
    month,
    days: days.days.map((date, index) => {
      const events = (byDay[index] ?? []).flatMap(answerOf);
      const isToday = date === today;
      return { date, events, hasEvents: events.length > 0, isToday, isSelected: isToday };
    }),
    totalEvents: answers.size,
    categories,
  };
}

/** Events that go on at some moment from `from` to `to`, earliest first (§7 range). One statement. */
export async function answerRange(
  span: { from: Date; to?: Date; limit: number; offset?: number },
  { language, filter, now, visitor }: Asked,
): Promise<Event[]> {
  const rows = await listEventsWithin(language, span, filter, visitor);
  return rows.map((row) => toEvent(row, now));
}

/**
 * One event (§3). One statement.
 * @throws NotFound also for events that nobody approved (decision E6)
 */
export async function answerEvent(
  id: number,
  { language, now, visitor }: Omit<Asked, 'filter'>,
): Promise<Event> {
  const row = await findEvent(id, language, visitor);
  if (!row) throw new NotFound('Event');
  return toEvent(row, now);
}

/** The most wanted events that are not over (decision E5). One statement. */
export async function answerTrending(
  page: { limit: number; offset: number; category?: string | undefined },
  { language, now, visitor }: Omit<Asked, 'filter'>,
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
