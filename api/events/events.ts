import type { Lang } from '#content/locales.ts';
import { listNextTicketsOfStars, listTicketsBetween, type TicketRow } from '#db/queries/events.ts';
import type { EventTicket } from './model.ts';
import { endOf, statusOf } from './status.ts';

/** A row as a ticket at the moment `now`. */
export function toTicket(row: TicketRow, now: Date): EventTicket {
  const endTime = endOf(row);
  const { state, ...rest } = row;
  return { ...rest, endTime, status: statusOf(state, row.startTime, endTime, now) };
}

/** The public events of the day in Seoul that `now` falls on, earliest first (look §5 Home, "today"). */
export async function readTodaysEvents(language: Lang, now: Date, limit: number): Promise<EventTicket[]> {
  const from = startOfSeoulDay(now);
  const rows = await listTicketsBetween(language, from, new Date(from.getTime() + 86_400_000), limit);
  return rows.map((row) => toTicket(row, now));
}

/** The public events of the next `days` days in Seoul, today's first (§2 Upcoming), at most `limit`. */
export async function readUpcomingEvents(
  language: Lang,
  now: Date,
  days: number,
  limit: number,
): Promise<EventTicket[]> {
  const from = startOfSeoulDay(now);
  const rows = await listTicketsBetween(language, from, new Date(from.getTime() + days * 86_400_000), limit);
  return rows.map((row) => toTicket(row, now));
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

/** Korea has no summer time: a day in Seoul is UTC+9, always. */
export function startOfSeoulDay(now: Date): Date {
  const shifted = now.getTime() + 9 * 3_600_000;
  return new Date(Math.floor(shifted / 86_400_000) * 86_400_000 - 9 * 3_600_000);
}
