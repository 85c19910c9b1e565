import { listEventCategories } from '#db/queries/events/events.ts';
import { listMonthEvents } from '#db/queries/events/month-rows.ts';
import { BadInput } from '../errors.ts';
import { readInteger } from '../input.ts';
import { dayOf, daysOfMonth, indexesByDay, spanOfMonth, timesOf } from './days.ts';
import { type EventQuery, toEvent } from './events.ts';
import type { Event, EventMonth } from './model.ts';

/** More events than a month of a busy site has; a calendar of more would help nobody. */
export const maxOfMonth = 5000;

/** A year and a month of an address. @throws BadInput that names which one is wrong */
export function readMonth(yearText: string, monthText: string): { year: number; month: number } {
  const year = readInteger(yearText, 1970, 2999);
  if (year === undefined) throw new BadInput('year', 'Must be a year from 1970 to 2999.');
  const month = readInteger(monthText.replace(/^0(?=[1-9]$)/, ''), 1, 12);
  if (month === undefined) throw new BadInput('month', 'Must be a month from 1 to 12.');
  return { year, month };
}

/**
 * A month with everything of each event, its days in the zone (§7 month, decision E3). Three statements. Pages read a month by
 * `readCalendar` and `readMonthCards`, because they show dozens of it: with 540 events this one takes four times as long, and a
 * month may have thousands.
 * @param zone IANA zone in which days begin
 */
export async function readEventMonth(
  { year, month }: { year: number; month: number },
  zone: string,
  { language, filter, now, visitor }: EventQuery,
): Promise<EventMonth> {
  const days = daysOfMonth(year, month, zone);
  const categories = await listEventCategories(language);
  const span = { ...spanOfMonth(days), limit: maxOfMonth };
  const rows = await listMonthEvents(language, span, filter ?? {}, categories, visitor);
  const byDay = indexesByDay(rows.map(timesOf), days);
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
