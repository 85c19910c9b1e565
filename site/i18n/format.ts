import { type Lang, languageEntry } from '#content/locales.ts';

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

function cached<F extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: () => F,
): F {
  const known = formats.get(key);
  if (known) return known as F;
  const made = make();
  formats.set(key, made);
  return made;
}

/** Style of a date for a language, in a zone (IANA, default Asia/Seoul). Made once per language, style and zone. */
function dates(lang: Lang, options: Intl.DateTimeFormatOptions, zone: string): Intl.DateTimeFormat {
  const { intl } = languageEntry(lang);
  return cached(
    `${intl}|${zone}|${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(intl, { ...options, timeZone: zone }),
  );
}

/** `2026년 11월 21일` / `21 November 2026`. */
export function longDate(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, { year: 'numeric', month: 'long', day: 'numeric' }, zone).format(date);
}

/** `11월 21일 금요일` / `Friday 21 November`. */
export function dayAndWeekday(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, { weekday: 'long', month: 'long', day: 'numeric' }, zone).format(date);
}

/** `2026년 11월 21일 (토)`: a day with all that can be wrong about it. */
export function fullDay(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, { year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' }, zone).format(date);
}

/** `2026년 11월 21일 15:44`: date and 24-hour time. */
export function dateAndTime(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return `${longDate(lang, date, zone)} ${clock(lang, date, zone)}`;
}

/** `15:44`. */
export function clock(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, zone).format(date);
}

/** `2022년 3월` / `March 2022`, as the debut month of §2. */
export function monthAndYear(lang: Lang, date: Date): string {
  return dates(lang, { year: 'numeric', month: 'long' }, 'UTC').format(date);
}

/** `11월 20일` / `20 November`, for dates without a time such as `2026-11-20`. */
export function plainDay(lang: Lang, isoDate: string): string {
  return dates(lang, { month: 'long', day: 'numeric' }, 'UTC').format(new Date(`${isoDate}T00:00:00Z`));
}

/** A date without a time in full. */
export function plainDate(lang: Lang, isoDate: string): string {
  return longDate(lang, new Date(`${isoDate}T00:00:00Z`), 'UTC');
}

/** `금` / `Fri`, day of month and clock time: the stub of a ticket. */
export function ticketStub(lang: Lang, date: Date, zone = 'Asia/Seoul') {
  return {
    weekday: dates(lang, { weekday: 'short' }, zone).format(date),
    day: dates('en', { day: 'numeric' }, zone).format(date),
    time: clock(lang, date, zone),
  };
}

/** Age of §9: minutes under an hour, hours under a day, then days. Never in the future. */
export function relativeTime(lang: Lang, date: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - date.getTime()) / 60_000));
  const { intl } = languageEntry(lang);
  const format = cached(
    `ago|${intl}`,
    () => new Intl.RelativeTimeFormat(intl, { numeric: 'always', style: 'short' }),
  );
  if (minutes < 60) return format.format(-minutes, 'minute');
  if (minutes < 1440) return format.format(-Math.floor(minutes / 60), 'hour');
  return format.format(-Math.floor(minutes / 1440), 'day');
}

/** Follower format of §9: K at 1,000, M at 1,000,000, one decimal. */
export function compactCount(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M`;
  if (count >= 999_950) return '1.0M';
  if (count >= 1_000) return `${(count / 1_000).toFixed(1)}K`;
  return String(count);
}

/** Whole number with the language's separators. */
export function wholeNumber(lang: Lang, value: number): string {
  const { intl } = languageEntry(lang);
  return cached(`number|${intl}`, () => new Intl.NumberFormat(intl)).format(value);
}

/** Reading time of §9 in minutes: characters / 1,000, rounded up. */
export function readingMinutes(text: string): number {
  return Math.max(1, Math.ceil([...text].length / 1000));
}

/**
 * Keeps a closing quote and the particle after it together: Chromium breaks there even with keep-all (look §3).
 * U+2060 goes between ’ or ” and a Hangul syllable.
 */
export function keepParticles(text: string): string {
  return text.replace(/([’”])(?=[가-힣])/g, '$1\u2060');
}

/** A large number in the language's own short form: `1.3M`, `128.4만`. */
export function shortNumber(lang: Lang, value: number): string {
  const { intl } = languageEntry(lang);
  return cached(
    `short|${intl}`,
    () => new Intl.NumberFormat(intl, { notation: 'compact', maximumFractionDigits: 1 }),
  ).format(value);
}
