import type boundary from '#content/locales/en/boundary.json';
import type events from '#content/locales/en/events.json';

/** The events area, the boundary's words, and what else the page hands over: three of other areas, and how a page's title ends. */
export type CalendarWords = typeof events &
  typeof boundary & { close: string; retry: string; failed: string; pageTitle: string };

/** Puts values into a text of the catalogue: `{{count}}`. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** "3 events" in the language's own plural. */
export function countOf(words: CalendarWords, lang: string, count: number): string {
  const isOne = new Intl.PluralRules(lang).select(count) === 'one';
  return fill(isOne ? words.count_one : words.count_other, { count });
}
