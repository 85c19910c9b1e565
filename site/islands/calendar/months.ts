import { fetchPatiently } from '../../client/api.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';

/** The visitor's own zone: days begin there (decision E3). */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** §9 Calendar/events cache: five minutes. */
const freshFor = 5 * 60_000;
const months = new Map<string, { at: number; answer: Promise<CalendarMonth>; value?: CalendarMonth }>();

/** Asks for a month such as `2026-11` once in five minutes; §8: one more try. */
export function loadMonth(address: string, month: string): Promise<CalendarMonth> {
  const cached = months.get(month);
  if (cached && Date.now() - cached.at < freshFor) return cached.answer;
  const query = new URLSearchParams({ month, tz: browserZone });
  const answer = fetchPatiently(
    `${address}?${query}`,
    {},
    (response): Promise<CalendarMonth> => response.json(),
    { retries: 1 },
  );
  const entry: { at: number; answer: Promise<CalendarMonth>; value?: CalendarMonth } = {
    at: Date.now(),
    answer,
  };
  months.set(month, entry);
  answer.then(
    (value) => {
      entry.value = value;
    },
    (error: unknown) => {
      console.error('Failed to fetch event calendar:', error);
      if (months.get(month) === entry) months.delete(month);
    },
  );
  return answer;
}

/** A month that is here already. */
export const cachedMonth = (month: string): CalendarMonth | undefined => months.get(month)?.value;
