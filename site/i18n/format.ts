import { intlTag, type Lang } from '#content/locales.ts';
import { ageText } from './age.ts';

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

function cached<F extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => F): F {
  const known = formats.get(key);
  if (known) return known as F;
  const made = make();
  formats.set(key, made);
  return made;
}

const styles = {
  longDate: { year: 'numeric', month: 'long', day: 'numeric' },
  dayAndWeekday: { weekday: 'long', month: 'long', day: 'numeric' },
  fullDay: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' },
  dayInFull: { dateStyle: 'full' },
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  monthAndYear: { year: 'numeric', month: 'long' },
  shortDay: { month: 'short', day: 'numeric' },
  day: { day: 'numeric' },
  weekday: { weekday: 'short' },
  longWeekday: { weekday: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Style of a date for a language, in a zone (IANA, default Asia/Seoul). Made once per language, style and zone. */
function dates(lang: Lang, style: keyof typeof styles, zone: string): Intl.DateTimeFormat {
  return cached(`${lang}|${zone}|${style}`, () => {
    const intl = intlTag(lang);
    return new Intl.DateTimeFormat(intl, { ...styles[style], timeZone: zone });
  });
}

/** `2026년 11월 21일` / `21 November 2026`. */
export function longDate(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, 'longDate', zone).format(date);
}

/** `11월 21일 금요일` / `Friday 21 November`. */
export function dayAndWeekday(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, 'dayAndWeekday', zone).format(date);
}

/** `2026년 11월 21일 (토)`: a day with all that can be wrong about it. */
export function fullDay(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, 'fullDay', zone).format(date);
}

/** `2026년 11월 21일 토요일` / `Saturday 21 November 2026`: a day to plan for. */
export function dayInFull(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, 'dayInFull', zone).format(date);
}

/** `2026년 11월 21일 15:44`: date and 24-hour time. */
export function dateAndTime(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return `${longDate(lang, date, zone)} ${clock(lang, date, zone)}`;
}

/** `15:44`. */
export function clock(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, 'clock', zone).format(date);
}

/** `2022년 3월` / `March 2022`. */
export function monthAndYear(lang: Lang, date: Date): string {
  return dates(lang, 'monthAndYear', 'UTC').format(date);
}

/** The same as a heading: Vietnamese months begin small within a sentence. */
export function monthHeading(lang: Lang, date: Date): string {
  const text = monthAndYear(lang, date);
  return text.slice(0, 1).toLocaleUpperCase(lang) + text.slice(1);
}

/** `금` / `Fri`, day of month and clock time: the stub of a ticket. */
export function ticketStub(lang: Lang, date: Date, zone = 'Asia/Seoul') {
  return {
    weekday: dates(lang, 'weekday', zone).format(date),
    day: dates('en', 'day', zone).format(date),
    time: clock(lang, date, zone),
  };
}

/** The time in Seoul to stand beside that of another zone, with its weekday when that differs; empty when both are the same. */
export function seoulTime(lang: Lang, date: Date, zone: string): string {
  const [here, there] = [ticketStub(lang, date, zone), ticketStub(lang, date)];
  if (here.time === there.time && here.day === there.day) return '';
  return here.day === there.day ? there.time : `${there.weekday} ${there.time}`;
}

/** A zone as a reader calls it: `말레이시아 시간` / `Malaysia Time`, by its place where that has a name, never by an abbreviation. */
export function zoneName(lang: Lang, zone: string): string {
  const intl = intlTag(lang);
  for (const timeZoneName of ['shortGeneric', 'longGeneric', 'long'] as const) {
    const parts = new Intl.DateTimeFormat(intl, { timeZone: zone, timeZoneName }).formatToParts();
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
    if (name && !/^[A-Z]+$|\d/.test(name)) return name;
  }
  return zone.replaceAll('_', ' ');
}

/** `2026년 11월 21일 15:44 (대한민국 시간)`: a moment where nothing beside it tells the zone. */
export function dateAndTimeWithZone(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return `${dateAndTime(lang, date, zone)} (${zoneName(lang, zone)})`;
}

/** `11월 21일` / `21 Nov`, in a zone. */
export function shortDay(lang: Lang, date: Date, zone = 'Asia/Seoul'): string {
  return dates(lang, 'shortDay', zone).format(date);
}

/** A day such as `2026-11-21` with its weekday in full, as headings of days have it. */
export function plainDayAndWeekday(lang: Lang, isoDate: string): string {
  return dayAndWeekday(lang, new Date(`${isoDate}T00:00:00Z`), 'UTC');
}

/** The same short: `11월 21일` / `21 Nov`. */
export function plainShortDay(lang: Lang, isoDate: string): string {
  return shortDay(lang, new Date(`${isoDate}T00:00:00Z`), 'UTC');
}

/** The seven weekdays in the language's short form, from the first day of its week; 0 is Sunday. */
export function weekdays(lang: Lang): { number: number; short: string; long: string }[] {
  const first = firstWeekday(lang);
  return Array.from({ length: 7 }, (_, index) => {
    const number = (first + index) % 7;
    // 1 January 2023 was a Sunday.
    const date = new Date(Date.UTC(2023, 0, 1 + number));
    return {
      number,
      short: dates(lang, 'weekday', 'UTC').format(date),
      long: dates(lang, 'longWeekday', 'UTC').format(date),
    };
  });
}

/** On which weekday a week begins (look §7 calendar cell): Sunday in Korea, Monday elsewhere. */
export const firstWeekday = (lang: Lang): 0 | 1 => (lang === 'ko' ? 0 : 1);

/** Follower format of §9: K at 1,000, M at 1,000,000, one decimal. */
export function compactCount(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M`;
  if (count >= 999_950) return '1.0M';
  if (count >= 1_000) return `${(count / 1_000).toFixed(1)}K`;
  return String(count);
}

/** `한국어 및 Tiếng Việt`, as the language lists things. */
export function languageList(lang: Lang, names: readonly string[]): string {
  return new Intl.ListFormat(intlTag(lang), { type: 'conjunction' }).format(names);
}

/** Whole number with the language's separators. */
export function wholeNumber(lang: Lang, value: number): string {
  const intl = intlTag(lang);
  return cached(`number|${intl}`, () => new Intl.NumberFormat(intl)).format(value);
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
  const intl = intlTag(lang);
  return cached(
    `short|${intl}`,
    () => new Intl.NumberFormat(intl, { notation: 'compact', maximumFractionDigits: 1 }),
  ).format(value);
}

const ages = new Map<Lang, string>();

/**
 * What a language calls an age, `{n}` for the number: one minute, more minutes, and so with hours and days, between bars. Pages
 * carry it for `components/common/ages.client.ts`, because making a format of its own costs a slow phone more than all our other scripts.
 */
export function ageWords(lang: Lang): string {
  const known = ages.get(lang);
  if (known) return known;
  const format = new Intl.RelativeTimeFormat(intlTag(lang), { numeric: 'always', style: 'short' });
  const words = (['minute', 'hour', 'day'] as const)
    .flatMap((unit) => [1, 2].map((count) => format.format(-count, unit).replace(String(count), '{n}')))
    .join('|');
  ages.set(lang, words);
  return words;
}

/** `3분 전` / `3 min ago`; see `ageText`. */
export function relativeTime(lang: Lang, date: Date, now: Date): string {
  return ageText(ageWords(lang), date, now);
}
