import type { Lang } from '#content/locales.ts';
import {
  type EventFilter,
  listNextTicketsOfStars,
  listTicketsWithin,
  type TicketRow,
} from '#db/queries/events.ts';
import { addDays, dayOf, seoul, startOfDay } from './days.ts';
import type { EventTicket } from './model.ts';
import { statusOf } from './status.ts';

/** A row as a ticket at the moment `now`. */
export function toTicket(row: TicketRow, now: Date): EventTicket {
  const { state, endTime: _, ...rest } = row;
  return { ...rest, status: statusOf(state, row.startTime, row.overAt, now) };
}

/** The public events that go on during a span, earliest first. */
export async function readTicketsWithin(
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
