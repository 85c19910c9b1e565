import { isLang } from '#content/locales.ts';
import { fetchPatiently } from '../../client/api.ts';
import { keepLanguageLinks } from '../../components/common/language-links.client.ts';
import { today } from '../../stores/clock.ts';
import { monthOf } from './dates.ts';
import { loadMonth } from './months.ts';
import { type CalendarView, viewInQuery } from './view.ts';
import type { CalendarWords } from './words.ts';

/** What a press on the server's calendar wants: the view of another address, or the filter. */
export type PressTarget = URL | 'filter' | undefined;

/** The view of the server's calendar, or that of the address which was pressed on it. */
function viewOf({ date, categories, stars }: DOMStringMap, target: PressTarget): CalendarView {
  if (!(target instanceof URL))
    return {
      date: date ?? today.get(),
      filter: { categoryIds: JSON.parse(categories ?? '[]'), starIds: JSON.parse(stars ?? '[]') },
    };
  return viewInQuery(target.searchParams);
}

/**
 * Loads React, the words and the month, and makes the server's calendar one that answers, with what was pressed meanwhile.
 * @throws when something does not come: the server's calendar stays, its days are links
 */
export async function openCalendar(element: HTMLElement, readTarget: () => PressTarget): Promise<void> {
  const language = document.documentElement.lang;
  const lang = isLang(language) ? language : 'ko';
  const { calendar: address = '', words = '{}' } = element.dataset;
  const monthOfView = () => monthOf(viewOf(element.dataset, readTarget()).date);
  const [{ mountCalendar }, eventWords] = await Promise.all([
    import('./mount.tsx'),
    fetchPatiently(`/${lang}/words/events.json`, {}, (answer): Promise<CalendarWords> => answer.json(), {
      retries: 1,
    }),
    loadMonth(address, monthOfView()),
  ]);
  const target = readTarget();
  const view = viewOf(element.dataset, target);
  const first = await loadMonth(address, monthOf(view.date));
  if (!element.isConnected) return;
  if (target instanceof URL) {
    history.pushState(history.state, '', target);
    keepLanguageLinks();
  }
  await mountCalendar(element, {
    ...view,
    lang,
    words: { ...eventWords, ...JSON.parse(words) },
    address,
    first,
  });
  // Also what was pressed while React made it: the server's calendar was still the one on the screen.
  const latestTarget = readTarget();
  if (latestTarget === 'filter') element.querySelector<HTMLElement>('[aria-haspopup="dialog"]')?.click();
  else if (latestTarget !== target && latestTarget) location.assign(latestTarget);
}
