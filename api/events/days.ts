import { Temporal } from 'temporal-polyfill';

/** Days, months and zones (decision E3). Days are `YYYY-MM-DD`; zones are IANA names. */

export const seoul = 'Asia/Seoul';
const zonePattern = /^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/;
const knownZones = new Map<string, boolean>();

/** True for an IANA zone that this machine knows. */
export function isZone(name: string): boolean {
  if (!zonePattern.test(name)) return false;
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  let valid = true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    valid = false;
  }
  if (knownZones.size < 2000) knownZones.set(name, valid);
  return valid;
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

/** A day that exists, or undefined for any other text. */
export function readDay(text: string | null | undefined): string | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
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

/** An instant one month later on a zone's calendar and clock; 31 January plus one is the end of February. */
export function addMonth(instant: Date, zone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
  return new Date(local.add({ months: 1 }).epochMilliseconds);
}

export interface MonthDays {
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

/** What ends before six in the morning belongs to the evening before. */
const night = 6 * 3_600_000;

/**
 * The first and last day on which an event stands in a calendar of a zone. Events of whole days keep the dates of where they
 * are, for everybody.
 */
export function daysOf(event: Timed, zone: string): { first: string; last: string } {
  if (event.precision === 'day') {
    const end = new Date(Math.max(event.startTime.getTime(), event.overAt.getTime() - 1));
    return { first: dayOf(event.startTime, event.zone), last: dayOf(end, event.zone) };
  }
  const end = new Date(Math.max(event.startTime.getTime(), event.overAt.getTime() - night));
  return { first: dayOf(event.startTime, zone), last: dayOf(end, zone) };
}

/** Events by the days of a month on which they stand, whole days first, in the order they came in. */
export function groupByDay<E extends Timed>(events: readonly E[], month: MonthDays, zone: string): E[][] {
  const byDay: E[][] = month.days.map(() => []);
  const [firstOfMonth = '', lastOfMonth = ''] = [month.days[0], month.days.at(-1)];
  for (const event of events) {
    const { first, last } = daysOf(event, zone);
    if (last < firstOfMonth || first > lastOfMonth) continue;
    const from = first < firstOfMonth ? 0 : Number(first.slice(8)) - 1;
    const to = last > lastOfMonth ? month.days.length - 1 : Number(last.slice(8)) - 1;
    for (let day = from; day <= to; day += 1) byDay[day]?.push(event);
  }
  return byDay;
}
