import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import type { EventCategoryRow } from '#db/queries/events/fields.ts';
import {
  findCalendarChoices,
  listLabelsById,
  listMarks,
  listPosters,
  listTicketsById,
  type PosterRow,
  type StarChoice,
} from '#db/queries/events/month.ts';
import { listMonthCards, type MonthCardRow } from '#db/queries/events/month-rows.ts';
import type { EventFilter } from '#db/queries/events/spans.ts';
import {
  addDays,
  dayOf,
  daysOfMonth,
  type EventTimes,
  indexesByDay,
  seoul,
  spanOfMonth,
  startOfDay,
  timesOf,
} from './days.ts';
import { toTicket } from './events.ts';
import type { EventTicket } from './model.ts';
import { maxOfMonth } from './month.ts';

/** The calendar as pages show it (§2 Calendar tab): no more is read than is shown, however full the month is. */

/** Labels of one line that a wide cell has room for (look §7). */
const labelsOfCell = 3;
/** Rows of "this month highlights" in the page; the calendar in the browser lists all. */
const highlightsOfPage = 24;
/** Stars to choose from besides those chosen: the month's busiest. */
const starChoices = 24;
/** A whole day as a page without scripts lists it. */
const maxOfDay = 100;

export interface CalendarCell {
  date: string;
  count: number;
  /** Categories of the first three, for the dots. */
  categoryIds: readonly number[];
  labels: readonly CellLabel[];
}

interface CellLabel {
  categoryId: number;
  text: string;
  /** Of its star. */
  fandomColor: string | null;
}

export interface Calendar {
  cells: readonly CalendarCell[];
  /** Distinct events of the month that pass the filters. */
  total: number;
  day: { date: string; count: number; tickets: readonly EventTicket[] };
  /** What else is in the month. */
  highlights: readonly EventTicket[];
  categories: readonly EventCategoryRow[];
  /** Those to choose from, the chosen ones included. */
  stars: readonly StarChoice[];
}

interface CalendarQuery {
  year: number;
  month: number;
  /** Selected day, `YYYY-MM-DD`. */
  date: string;
  /** The whole day instead of its first five events. */
  showAll: boolean;
  filter: EventFilter;
}

/** A month with one selected day, its days in the zone. Four statements, three of them beside each other. */
export async function readCalendar(
  language: Lang,
  { year, month, date, showAll, filter }: CalendarQuery,
  zone: string,
  now: Date,
): Promise<Calendar> {
  const days = daysOfMonth(year, month, zone);
  const eventMarks = await listMarks({ ...spanOfMonth(days), limit: maxOfMonth }, filter);
  const byDay = indexesByDay(eventMarks, days);
  // By the day on which they stand: one that lasts the whole day may begin later than one of the next day elsewhere.
  const ofMonth = [...new Set(byDay.flat())];
  const ofDay = byDay[days.days.indexOf(date)] ?? [];
  const panel = ofDay.slice(0, showAll ? maxOfDay : limits.calendarPanel);
  const otherIndexes = withoutDay(ofMonth, ofDay);
  const highlights = nearest(otherIndexes.length > 0 ? otherIndexes : ofMonth, eventMarks, now);
  const idsOf = (indexes: readonly number[]) => indexes.flatMap((index) => eventMarks[index]?.id ?? []);
  const labelled = byDay.map((indexes) => indexes.slice(0, labelsOfCell));
  const [rows, words, choices] = await Promise.all([
    listTicketsById(language, idsOf([...new Set([...panel, ...highlights])])),
    listLabelsById(language, idsOf([...new Set(labelled.flat())])),
    findCalendarChoices(language, [...(filter.starIds ?? []), ...busiest(eventMarks, ofMonth)]),
  ]);
  const tickets = new Map(rows.map((row) => [row.id, toTicket(row, now)]));
  const titles = new Map(words.map(({ id, ...label }) => [id, label]));
  const labelOf = (index: number): CellLabel | [] => {
    const { id = 0, categoryId = 0 } = eventMarks[index] ?? {};
    const label = titles.get(id);
    return label ? { categoryId, ...label } : [];
  };
  const ticketsOf = (indexes: readonly number[]) => idsOf(indexes).flatMap((id) => tickets.get(id) ?? []);
  return {
    cells: days.days.map((day, place) => {
      const indexes = byDay[place] ?? [];
      return {
        date: day,
        count: indexes.length,
        categoryIds: indexes.slice(0, 3).map((index) => eventMarks[index]?.categoryId ?? 0),
        labels: labelled[place]?.flatMap(labelOf) ?? [],
      };
    }),
    total: ofMonth.length,
    day: { date, count: ofDay.length, tickets: ticketsOf(panel) },
    highlights: ticketsOf(highlights),
    ...choices,
  };
}

/** What stands on the selected day is not shown a second time beside it. */
function withoutDay(ofMonth: readonly number[], ofDay: readonly number[]): readonly number[] {
  const dayIndexes = new Set(ofDay);
  return ofMonth.filter((index) => !dayIndexes.has(index));
}

/** As many of a month as the page lists, in their order: all, else those around what is on or comes next. */
function nearest(indexes: readonly number[], times: readonly EventTimes[], now: Date): readonly number[] {
  if (indexes.length <= highlightsOfPage) return indexes;
  const next = indexes.findIndex((index) => (times[index]?.over ?? 0) > now.getTime());
  const from = Math.min(next < 0 ? indexes.length : next, indexes.length - highlightsOfPage);
  return indexes.slice(from, from + highlightsOfPage);
}

/** The stars with most events, at most so many; a full month has thousands, so they are not sorted to find a few. */
function busiest(events: readonly { starId: number | null }[], indexes: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const index of indexes) {
    const star = events[index]?.starId;
    if (star) counts.set(star, (counts.get(star) ?? 0) + 1);
  }
  const top: [star: number, count: number][] = [];
  for (const entry of counts) {
    const place =
      top.findLastIndex(([star, count]) => count > entry[1] || (count === entry[1] && star < entry[0])) + 1;
    if (place === starChoices) continue;
    top.splice(place, 0, entry);
    if (top.length > starChoices) top.pop();
  }
  return top.map(([star]) => star);
}

interface MonthCards {
  /** The month's days, and of each the places of its events in `cards`. */
  days: readonly { date: string; indexes: readonly number[] }[];
  cards: readonly MonthCardRow[];
  categories: readonly EventCategoryRow[];
  stars: readonly StarChoice[];
}

/** A whole month for the calendar in the browser, which filters it by itself. Two statements. */
export async function readMonthCards(
  language: Lang,
  { year, month }: { year: number; month: number },
  zone: string,
): Promise<MonthCards> {
  const days = daysOfMonth(year, month, zone);
  const cards = await listMonthCards(language, { ...spanOfMonth(days), limit: maxOfMonth });
  const times = cards.map(({ start, over, zone: eventZone, precision }) =>
    timesOf({ startTime: new Date(start), overAt: new Date(over), zone: eventZone, precision }),
  );
  const byDay = indexesByDay(times, days);
  const starIds = [...new Set(cards.flatMap((card) => card.starIds))];
  const choices = await findCalendarChoices(language, starIds);
  const shown = new Set(choices.stars.map(({ id }) => id));
  return {
    days: days.days.map((date, place) => ({ date, indexes: byDay[place] ?? [] })),
    cards: cards.map((card) => ({ ...card, starIds: card.starIds.filter((id) => shown.has(id)) })),
    ...choices,
  };
}

/** How far ahead the events of posters are, in days of Seoul: today's stand in the day's panel. */
const postersFrom = 1;
const postersTo = 120;
const postersOfPage = 4;

/** The biggest events to come with a picture each, of different stars (look §5 Events, hero). One statement. */
export function readPosters(language: Lang, now: Date): Promise<PosterRow[]> {
  const day = (ahead: number) => startOfDay(addDays(dayOf(now, seoul), ahead), seoul);
  return listPosters(language, { from: day(postersFrom), to: day(postersTo) }, postersOfPage);
}
