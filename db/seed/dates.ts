import { Temporal } from 'temporal-polyfill';
import { intlTag, type Lang, languages } from '#content/locales.ts';
import { writing } from '#content/writing.ts';

const zone = 'Asia/Seoul';
const day = 86_400_000;

/** The calendar day in Korea at an instant, `YYYY-MM-DD`. */
export function koreanDay(now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now);
}

/** A `YYYY-MM-DD` some days later (or earlier, when negative). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);
}

/** The instant of a wall time (`HH:MM`) on a day of a place. @param where a IANA zone, Korea's when left out */
export function instantAt(date: string, time: string, where = zone): Date {
  return new Date(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(where).epochMilliseconds);
}

/** The occurrence of a yearly day (`MM-DD`) that is nearest to `today` among those 45 days back to 320 days ahead. */
export function nearestYearly(monthDay: string, today: string): string {
  const year = Number(today.slice(0, 4));
  const distance = (date: string) => Math.round((Date.parse(date) - Date.parse(today)) / day);
  const near = [year - 1, year, year + 1]
    .map((each) => `${each}-${monthDay}`)
    .filter((date) => distance(date) >= -45 && distance(date) <= 320)
    .sort((a, b) => Math.abs(distance(a)) - Math.abs(distance(b)));
  return near[0] ?? `${year}-${monthDay}`;
}

function formatters(lang: Lang) {
  const intl = intlTag(lang);
  return {
    d: new Intl.DateTimeFormat(intl, { month: 'long', day: 'numeric', timeZone: 'UTC' }),
    w: new Intl.DateTimeFormat(intl, { weekday: 'long', timeZone: 'UTC' }),
  };
}

const formatterByLanguage = new Map(languages.map((lang) => [lang, formatters(lang)]));
const token = /\{\{([dw]):([+-]?\d+)\}\}/g;
const opensSentence = /(^|[.!?…]\s+|\n[\s#>*-]*)$/;

/**
 * Writes the date tokens of the demo's texts out: `{{d:+14}}` is the day two weeks after `today`, `{{w:+14}}` its
 * weekday, both as `lang` writes them. Vietnamese weekdays are small within a sentence: "thứ Sáu".
 */
export function resolveDates(text: string, lang: Lang, today: string): string {
  return text.replace(token, (whole, kind: 'd' | 'w', offset: string, at: number) => {
    const formatter = formatterByLanguage.get(lang)?.[kind];
    if (!formatter) return whole;
    const words = formatter.format(new Date(addDays(today, Number(offset))));
    const keepsCapital =
      !writing[lang].hasSmallNames || kind === 'd' || opensSentence.test(text.slice(0, at));
    return keepsCapital ? words : words.charAt(0).toLowerCase() + words.slice(1);
  });
}
