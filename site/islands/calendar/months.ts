import { atom } from 'nanostores';
import { fetchPatiently } from '../../client/api.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';
import { visitorZone } from '../../stores/clock.ts';

/** §9 Calendar/events cache: five minutes. */
const freshFor = 5 * 60_000;
const requests = new Map<string, { at: number; answer: Promise<CalendarMonth> }>();

/** Months that are here, by names such as `2026-11`; one that is asked for again stays until its answer is there. */
export const months = atom<ReadonlyMap<string, CalendarMonth>>(new Map());

/** Asks for a month such as `2026-11` once in five minutes; §8: one more try. */
export function loadMonth(address: string, month: string): Promise<CalendarMonth> {
  const last = requests.get(month);
  if (last && Date.now() - last.at < freshFor) return last.answer;
  const query = new URLSearchParams({ month, tz: visitorZone() });
  const answer = fetchPatiently(
    `${address}?${query}`,
    {},
    (response): Promise<CalendarMonth> => response.json(),
    { retries: 1 },
  );
  const request = { at: Date.now(), answer };
  requests.set(month, request);
  answer.then(
    (data) => months.set(new Map([...months.get(), [month, data]])),
    (error: unknown) => {
      console.error('Failed to fetch event calendar:', error);
      if (requests.get(month) === request) requests.delete(month);
    },
  );
  return answer;
}
