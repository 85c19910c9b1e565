import { type Lang, languageEntry } from '#content/locales.ts';

/** On every page in the browser, too, so it stands alone. */
const formats = new Map<string, Intl.RelativeTimeFormat>();

/** Age of §9: minutes under an hour, hours under a day, then days. Never in the future. */
export function relativeTime(lang: Lang, date: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - date.getTime()) / 60_000));
  const { intl } = languageEntry(lang);
  const format =
    formats.get(intl) ?? new Intl.RelativeTimeFormat(intl, { numeric: 'always', style: 'short' });
  formats.set(intl, format);
  if (minutes < 60) return format.format(-minutes, 'minute');
  if (minutes < 1440) return format.format(-Math.floor(minutes / 60), 'hour');
  return format.format(-Math.floor(minutes / 1440), 'day');
}
