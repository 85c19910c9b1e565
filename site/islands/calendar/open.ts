import { isLang } from '#content/locales.ts';
import { fetchPatiently } from '../../client/api.ts';
import { keepLanguageLinks } from '../../components/common/language-links.client.ts';
import { today } from '../../stores/clock.ts';
import { dayOf, monthOf } from './dates.ts';
import type { Filter } from './filter.ts';
import { loadMonth } from './months.ts';
import type { CalendarWords } from './words.ts';

/** What a press on the server's calendar wants: the view of another address, or the filter. */
export type Press = URL | 'filter' | undefined;

const ids = (text: string | null | undefined): number[] => (text ? text.split(',').map(Number) : []);

/** The day that an address opens with: its own, today in its month, else its month's first. */
function dateOf(query: URLSearchParams): string {
  const day = dayOf(today.get());
  const month = query.get('month') ?? monthOf(day);
  return query.get('date') ?? (day.startsWith(month) ? day : `${month}-01`);
}

interface View {
  date: string;
  filter: Filter;
}

/** The view of the server's calendar, or that of the address which was pressed on it. */
function viewOf({ date, categories, stars }: DOMStringMap, press: Press): View {
  if (!(press instanceof URL))
    return {
      date: date ?? dayOf(today.get()),
      filter: { categoryIds: JSON.parse(categories ?? '[]'), starIds: JSON.parse(stars ?? '[]') },
    };
  const { searchParams: query } = press;
  return {
    date: dateOf(query),
    filter: { categoryIds: ids(query.get('categories')), starIds: ids(query.get('stars')) },
  };
}

/**
 * Loads React, the words and the month, and makes the server's calendar one that answers, with what was pressed meanwhile.
 * @throws when something does not come: the server's calendar stays, its days are links
 */
export async function openCalendar(element: HTMLElement, lastPress: () => Press): Promise<void> {
  const language = document.documentElement.lang;
  const lang = isLang(language) ? language : 'ko';
  const { calendar: address = '', words = '{}' } = element.dataset;
  const monthOfView = () => monthOf(viewOf(element.dataset, lastPress()).date);
  const [{ mountCalendar }, more] = await Promise.all([
    import('./mount.tsx'),
    fetchPatiently(`/${lang}/words/events.json`, {}, (answer): Promise<CalendarWords> => answer.json(), {
      retries: 1,
    }),
    loadMonth(address, monthOfView()),
  ]);
  const pressed = lastPress();
  const view = viewOf(element.dataset, pressed);
  const first = await loadMonth(address, monthOf(view.date));
  if (!element.isConnected) return;
  if (pressed instanceof URL) {
    history.pushState(history.state, '', pressed);
    keepLanguageLinks();
  }
  await mountCalendar(element, { ...view, lang, words: { ...more, ...JSON.parse(words) }, address, first });
  // Also what was pressed while React made it: the server's calendar was still the one on the screen.
  const later = lastPress();
  if (later === 'filter') element.querySelector<HTMLElement>('[aria-haspopup="dialog"]')?.click();
  else if (later !== pressed && later) location.assign(later);
}
