import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import {
  type EventFilter,
  listNextTicketsOfStars,
  listTicketsWithin,
  type TicketRow,
} from '#db/queries/events/events.ts';
import { addDays, addMonth, dayOf, seoul, startOfDay, type UpcomingRange } from './days.ts';
import type { EventTicket } from './model.ts';
import { statusOf } from './status.ts';

/** A row as a ticket at the moment `now`. */
export function toTicket(row: TicketRow, now: Date): EventTicket {
  const { state, endTime: _, ...rest } = row;
  return { ...rest, status: statusOf(state, row.startTime, row.overAt, now) };
}

/** The public events that go on during a span, earliest first. */
async function readTicketsWithin(
  language: Lang,
  span: { from: Date; to?: Date; limit: number },
  now: Date,
  filter: EventFilter = {},
): Promise<EventTicket[]> {
  return (await listTicketsWithin(language, span, filter)).map((row) => toTicket(row, now));
}

/** The public events of the day in Seoul that `now` falls on, earliest first (look §5 Home, "today"). */
export function readTodaysEvents(language: Lang, now: Date, limit: number): Promise<EventTicket[]> {
  const today = dayOf(now, seoul);
  const span = { from: startOfDay(today, seoul), to: startOfDay(addDays(today, 1), seoul), limit };
  return readTicketsWithin(language, span, now);
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

export interface UpcomingDay {
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
  const rows = await listTicketsWithin(
    language,
    { ...spanOf(range, now, zone), limit: limit + 1, offset },
    filter,
  );
  const shown = rows.slice(0, limit);
  const today = dayOf(now, zone);
  const byDay = Map.groupBy(shown, (row) => {
    const day = row.precision === 'day' ? dayOf(row.startTime, row.zone) : dayOf(row.startTime, zone);
    return [today, day].sort().at(-1) ?? day;
  });
  return {
    days: [...byDay]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, each]) => ({ date, tickets: each.map((row) => toTicket(row, now)) })),
    count: shown.length,
    nextOffset: rows.length > limit ? offset + limit : undefined,
  };
}
