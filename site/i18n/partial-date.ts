import { intlTag, type Lang } from '#content/locales.ts';
import { type PartialDate, precisionOf } from '#content/partial-date.ts';
import { longDate, monthAndYear } from './format.ts';

/** Dates of the directory in words. Apart from `format.ts`, which browsers load: these are said by the server alone. */

/** A date as precisely as it is known: `2001`, `February 2001`, `28 February 2001`. */
export function partialDate(lang: Lang, date: PartialDate): string {
  return precisionOf(date) === 'day' ? longDate(lang, new Date(date), 'UTC') : partialMonth(lang, date);
}

/** A date where it stands by itself: Vietnamese begins it as a sentence, `Tháng 11 năm 2019`. */
export const asValue = (lang: Lang, date: string): string =>
  lang === 'vi' ? date.charAt(0).toUpperCase() + date.slice(1) : date;

/** The same without its day, as the debut month of §2. */
export function partialMonth(lang: Lang, date: PartialDate): string {
  if (precisionOf(date) !== 'year') return monthAndYear(lang, new Date(date));
  const year = formatOf(lang, 'year').format(new Date(date));
  return lang === 'vi' ? `năm ${year}` : year;
}

/** The same without its year, which stands above; empty when nothing more is known. */
export function partialDay(lang: Lang, date: PartialDate): string {
  const precision = precisionOf(date);
  if (precision === 'year') return '';
  return formatOf(lang, precision).format(new Date(date));
}

const styles = {
  year: { year: 'numeric' },
  month: { month: 'long' },
  day: { month: 'long', day: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once per language and style. */
function formatOf(lang: Lang, style: keyof typeof styles): Intl.DateTimeFormat {
  const key = `${lang}|${style}`;
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(intlTag(lang), { ...styles[style], timeZone: 'UTC' });
  formats.set(key, format);
  return format;
}
