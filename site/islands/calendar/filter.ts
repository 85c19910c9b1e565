import type { CalendarMonth } from '../../lib/events/month.ts';

/** §4 Calendar filters: an event must pass both. */
export interface Filter {
  categoryIds: readonly number[];
  starIds: readonly number[];
}

export const isEmpty = ({ categoryIds, starIds }: Filter): boolean =>
  categoryIds.length === 0 && starIds.length === 0;

/** A month with what passes; the places in `events` stay. */
export function applyFilter(month: CalendarMonth, filter: Filter): CalendarMonth {
  if (isEmpty(filter)) return month;
  const passes = month.events.map(
    ({ category, stars }) =>
      (filter.categoryIds.length === 0 || filter.categoryIds.includes(category)) &&
      (filter.starIds.length === 0 || stars.some((star) => filter.starIds.includes(star))),
  );
  return {
    ...month,
    days: month.days.map(({ date, events }) => ({ date, events: events.filter((index) => passes[index]) })),
  };
}

export const toggled = (ids: readonly number[], id: number): number[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
