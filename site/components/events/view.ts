import { dayOf, seoul, type UpcomingRange } from '#api/events/days.ts';
import type { Lang } from '#content/locales.ts';
import { monthHeading } from '../../i18n/format.ts';
import { words } from '../../i18n/words.ts';
import { paths } from '../../lib/routes/paths.ts';
import type { QueryOf } from '../../routes.ts';

type EventTab = QueryOf<'events'>['tab'];

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

/** The view of an address; undefined for one that nobody links to: no zone, no day, no ids, no offset. */
export function readEventsView(query: QueryOf<'events'>, now: Date): EventsView | undefined {
  const { tz, categories: categoryIds, stars: starIds, offset, date, month } = query;
  if (tz === undefined || date === undefined || month === undefined) return undefined;
  if (!categoryIds || !starIds || offset === undefined) return undefined;
  const zone = tz ?? seoul;
  const today = dayOf(now, zone);
  const selectedDay = date ?? dayOfMonth(month, today);
  return {
    tab: query.tab,
    zone,
    date: selectedDay ?? today,
    isDateChosen: selectedDay !== undefined && selectedDay !== today,
    categoryIds,
    starIds,
    showAll: query.show === 'all',
    range: query.range,
    category: query.category ?? undefined,
    offset,
  };
}

/** The day that a month opens with: today in its own month, else its first. */
function dayOfMonth(month: string | null, today: string): string | undefined {
  if (month === null) return undefined;
  return today.startsWith(`${month}-`) ? today : `${month}-01`;
}

/** What a view is called where tabs and histories list pages: by its tab, or by its month when that is another one than today's. */
export function eventsTitle(lang: Lang, { tab, date, zone }: EventsView, now: Date): string {
  const t = words(lang);
  const month = date.slice(0, 7);
  const isThisMonth = dayOf(now, zone).startsWith(month);
  const name = tab === 'calendar' ? monthHeading(lang, new Date(`${month}-01`)) : t(`events:tab_${tab}`);
  return tab === 'calendar' && isThisMonth ? t('events:title') : `${t('events:title')} · ${name}`;
}

/** The address of a view; what is not named is the default. */
export function eventsPath(lang: Lang, view: Partial<EventsView> & { month?: string }): string {
  const { tab, zone, date, month, categoryIds = [], starIds = [], showAll, range, category, offset } = view;
  return paths.events(lang, {
    tab: tab === 'calendar' ? undefined : tab,
    month,
    date,
    categories: categoryIds.join(','),
    stars: starIds.join(','),
    range: range === 'week' ? undefined : range,
    category,
    show: showAll ? 'all' : undefined,
    offset,
    tz: zone === seoul ? undefined : zone,
  });
}

/** An id put into a list, or taken out of it. */
export function toggled(ids: readonly number[], id: number): number[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].sort((a, b) => a - b);
}
