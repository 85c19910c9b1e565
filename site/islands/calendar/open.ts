import { isLang } from '#content/locales.ts';
import { fetchPatiently } from '../../client/api.ts';
import { monthOf, todayIn } from './dates.ts';
import { loadMonth, zone } from './months.ts';
import type { CalendarWords } from './words.ts';

/**
 * Loads React, the words and the month, and makes the server's calendar one that answers. `pressed` is the day that was
 * asked for meanwhile. When something does not come, the server's calendar stays: its days are links.
 */
export async function openCalendar(element: HTMLElement, pressed?: string): Promise<void> {
  const language = document.documentElement.lang;
  const lang = isLang(language) ? language : 'ko';
  const {
    calendar: address = '',
    date = pressed ?? todayIn(zone),
    categories = '[]',
    stars = '[]',
    words = '{}',
  } = element.dataset;
  const [{ mountCalendar }, more, first] = await Promise.all([
    import('./mount.tsx'),
    fetchPatiently(`/${lang}/words/events.json`, {}, (answer): Promise<CalendarWords> => answer.json(), {
      retries: 1,
    }),
    loadMonth(address, monthOf(date)),
  ]);
  if (!element.isConnected) return;
  const filter = { categoryIds: JSON.parse(categories), starIds: JSON.parse(stars) };
  mountCalendar(element, { lang, words: { ...more, ...JSON.parse(words) }, address, date, filter, first });
}
