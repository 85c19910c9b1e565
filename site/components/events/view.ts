import { dayOf, isZone, readDay, seoul } from '#api/events/days.ts';
import { type UpcomingRange, upcomingRanges } from '#api/events/events.ts';
import { readOffset, readStarIds } from '#api/input.ts';
import type { Lang } from '#content/locales.ts';
import { paths } from '../../lib/paths.ts';

export const eventTabs = ['calendar', 'upcoming', 'trending'] as const;
export type EventTab = (typeof eventTabs)[number];

/** What of the events page is open; all of it stands in the address, so that it can be shared. */
export interface EventsView {
  tab: EventTab;
  /** Zone in which days begin; Seoul's for everybody until a browser asks for its own. */
  zone: string;
  /** Selected day; its month is the one that is shown. */
  date: string;
  /** The address says so itself; else it is today. */
  isDateChosen: boolean;
  categoryIds: readonly number[];
  starIds: readonly number[];
  /** The whole day. */
  showAll: boolean;
  range: UpcomingRange;
  /** Slug of the trending list's category. */
  category: string | undefined;
  offset: number;
}

/** The view of an address; undefined for one that nobody links to: no zone, no ids, no offset. */
export function readEventsView(query: URLSearchParams, now: Date): EventsView | undefined {
  const zone = query.get('tz') ?? seoul;
  const categoryIds = readStarIds(query.getAll('categories').join(','));
  const starIds = readStarIds(query.getAll('stars').join(','));
  const offset = readOffset(query.get('offset'));
  if (!isZone(zone) || !categoryIds || !starIds || offset === undefined) return undefined;
  const today = dayOf(now, zone);
  const chosen = readDay(query.get('date')) ?? dayOfMonth(query.get('month'), today);
  if (!chosen && (query.has('date') || query.has('month'))) return undefined;
  return {
    tab: eventTabs.find((known) => known === query.get('tab')) ?? 'calendar',
    zone,
    date: chosen ?? today,
    isDateChosen: chosen !== undefined && chosen !== today,
    categoryIds,
    starIds,
    showAll: query.get('show') === 'all',
    range: upcomingRanges.find((known) => known === query.get('range')) ?? 'week',
    category: query.get('category') ?? undefined,
    offset,
  };
}

/** The day that a month opens with: today in its own month, else its first. */
function dayOfMonth(month: string | null, today: string): string | undefined {
  if (!month) return undefined;
  return today.startsWith(`${month}-`) ? today : readDay(`${month}-01`);
}

/** The address of a view; what is not named is the default. */
export function eventsPath(lang: Lang, view: Partial<EventsView> & { month?: string }): string {
  const query = new URLSearchParams();
  const { tab, zone, date, month, categoryIds = [], starIds = [], showAll, range, category, offset } = view;
  if (tab && tab !== 'calendar') query.set('tab', tab);
  if (month) query.set('month', month);
  if (date) query.set('date', date);
  if (categoryIds.length > 0) query.set('categories', categoryIds.join(','));
  if (starIds.length > 0) query.set('stars', starIds.join(','));
  if (range && range !== 'week') query.set('range', range);
  if (category) query.set('category', category);
  if (showAll) query.set('show', 'all');
  if (offset) query.set('offset', String(offset));
  if (zone && zone !== seoul) query.set('tz', zone);
  // Commas of lists stay readable.
  return `${paths.events(lang)}${query.size > 0 ? `?${query.toString().replaceAll('%2C', ',')}` : ''}`;
}

/** An id put into a list, or taken out of it. */
export function toggled(ids: readonly number[], id: number): number[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].sort((a, b) => a - b);
}
