import { today } from '../../stores/clock.ts';
import { monthOf } from './dates.ts';
import type { Filter } from './filter.ts';
import { months } from './months.ts';

export interface CalendarView {
  date: string;
  filter: Filter;
}

const parseIds = (text: string | null): number[] => (text ? text.split(',').map(Number) : []);

/** The day that an address opens with: its own, today in its month, else its month's first. */
function dateOf(query: URLSearchParams): string {
  const day = today.get();
  const month = query.get('month') ?? monthOf(day);
  return query.get('date') ?? (day.startsWith(month) ? day : `${month}-01`);
}

export function viewInQuery(query: URLSearchParams): CalendarView {
  return {
    date: dateOf(query),
    filter: { categoryIds: parseIds(query.get('categories')), starIds: parseIds(query.get('stars')) },
  };
}

/** The view that the address bar names, where the calendar on the screen has its month and nothing else is open or on its way. */
export function viewAtHand(): CalendarView | undefined {
  const query = new URLSearchParams(location.search);
  const view = viewInQuery(query);
  const isOpen = document.querySelector('[data-part]:not([aria-busy]) [data-calendar]');
  const isCovered = document.querySelector('dialog[open]');
  const hasDay = months
    .get()
    .get(monthOf(view.date))
    ?.days.some(({ date }) => date === view.date);
  return query.has('tab') || !isOpen || isCovered || !hasDay ? undefined : view;
}
