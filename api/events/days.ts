import { Temporal } from 'temporal-polyfill';

/** Days, months and zones (decision E3). Days are `YYYY-MM-DD`; zones are IANA names. */

export const seoul = 'Asia/Seoul';
const zonePattern = /^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/;
const knownZones = new Set<string>();
/** `Intl` keeps names that the time zone database gave up: PostgreSQL has none of them, and could not say when a reminder is due. */
const formerZones = ['US/Pacific-New', 'Canada/East-Saskatchewan'];

/**
 * True for an IANA zone that this machine knows, in its own capitals: `Intl` takes any, and each spelling of a zone would be another
 * page of the same.
 */
export function isZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!zonePattern.test(name) || formerZones.includes(name)) return false;
  try {
    if (Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== name) return false;
  } catch {
    return false;
  }
  knownZones.add(name);
  return true;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day on which an instant falls in a zone. */
export function dayOf(instant: Date, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    if (formats.size > 1000) formats.clear();
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(zone, format);
  }
  return format.format(instant);
}

/** A day that exists, from 1970 to 2999, or undefined for any other text. */
export function readDay(text: string | null | undefined): string | undefined {
  if (!text || !/^(?:19[7-9]|2\d\d)\d-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** When a day begins in a zone: midnight, or the first moment after it where clocks jump over midnight. */
export function startOfDay(day: string, zone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds);
}

/** A day some days later, or earlier when negative. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Seconds that remain of a zone's day. */
export const secondsToMidnight = (now: Date, zone: string): number =>
  (startOfDay(addDays(dayOf(now, zone), 1), zone).getTime() - now.getTime()) / 1000;

/** Seconds for which a page may be kept that shows a zone's days: a minute, and not over midnight. */
export const lifeOfDays = (now: Date, zone: string): number =>
  Math.max(1, Math.min(60, Math.floor(secondsToMidnight(now, zone))));

/** Spans of the upcoming events (§7 range). */
export const upcomingRanges = ['today', 'week', 'month'] as const;
export type UpcomingRange = (typeof upcomingRanges)[number];

/** An instant one month later on a zone's calendar and clock; 31 January plus one is the end of February. */
export function addMonth(instant: Date, zone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
  return new Date(local.add({ months: 1 }).epochMilliseconds);
}

interface MonthDays {
  year: number;
  month: number;
  days: readonly string[];
  /** Milliseconds at which each day begins, and at the end those at which the month is over. */
  begins: readonly number[];
}

/** The days of a month and when they begin in a zone. */
export function daysOfMonth(year: number, month: number, zone: string): MonthDays {
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  const days = Array.from({ length: first.daysInMonth }, (_, index) => first.add({ days: index }).toString());
  const next = first.add({ months: 1 }).toString();
  return { year, month, days, begins: [...days, next].map((day) => startOfDay(day, zone).getTime()) };
}

/** Zones lie up to 26 hours apart: events of whole days may begin that much before or after the month of another zone. */
const widestZones = 26 * 3_600_000;

/** The instants between which everything of a month lies, whole days of other zones included. */
export function spanOfMonth({ begins }: MonthDays): { from: Date; to: Date } {
  return {
    from: new Date((begins[0] ?? 0) - widestZones),
    to: new Date((begins.at(-1) ?? 0) + widestZones),
  };
}

/** The month before or after. */
export function monthBeside({ year, month }: { year: number; month: number }, step: 1 | -1) {
  const { year: y, month: m } = Temporal.PlainYearMonth.from({ year, month }).add({ months: step });
  return { year: y, month: m };
}

interface Timed {
  startTime: Date;
  overAt: Date;
  zone: string;
  precision: 'minute' | 'day';
}

/** What a grid needs to know of an event, instants in milliseconds; `days` are those of whole days, in the event's own zone. */
export interface EventTimes {
  start: number;
  over: number;
  days: { first: string; last: string } | undefined;
}

/** Events of whole days keep the dates of where they are, for everybody. */
export function timesOf({ startTime, overAt, zone, precision }: Timed): EventTimes {
  const [start, over] = [startTime.getTime(), overAt.getTime()];
  if (precision === 'minute') return { start, over, days: undefined };
  const end = new Date(Math.max(start, over - 1));
  return { start, over, days: { first: dayOf(startTime, zone), last: dayOf(end, zone) } };
}

/** What ends before six in the morning belongs to the evening before. */
const night = 6 * 3_600_000;

/**
 * Events by the days of a month on which they stand, as indexes in the order they came in; one of several days stands on
 * each of them.
 */
export function indexesByDay(times: readonly EventTimes[], { days, begins }: MonthDays): number[][] {
  const byDay: number[][] = days.map(() => []);
  const [opens = 0, closes = 0] = [begins[0], begins.at(-1)];
  const [first = '', last = ''] = [days[0], days.at(-1)];
  // Counted, then put right where a clock was changed: a full month asks five thousand times.
  const dayAt = (at: number) => {
    let day = Math.min(days.length - 1, Math.max(0, Math.floor((at - opens) / 86_400_000)));
    while (day > 0 && (begins[day] ?? 0) > at) day -= 1;
    while (day < days.length - 1 && (begins[day + 1] ?? at) <= at) day += 1;
    return day;
  };
  times.forEach(({ start, over, days: wholeDays }, index) => {
    const end = Math.max(start, over - night);
    if (wholeDays ? wholeDays.last < first || wholeDays.first > last : end < opens || start >= closes) return;
    const from = wholeDays ? Math.max(0, days.indexOf(wholeDays.first)) : dayAt(start);
    const until = wholeDays ? days.indexOf(wholeDays.last) : dayAt(end);
    const to = until < 0 ? days.length - 1 : until;
    for (let day = from; day <= to; day += 1) byDay[day]?.push(index);
  });
  return byDay;
}

/** An instant on a zone's clock with its offset, as `2026-11-21T20:00:00+09:00`. */
export function localInstant(instant: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
