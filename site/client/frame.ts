/**
 * What every page does in the browser without React: own preferences in the frame, language menu, theme, ages, offline
 * line, fallback pictures. Everything works without it; keep it small, every fan pays for it on every page.
 */
import { isLang } from '#content/locales.ts';
import { site } from '#content/site.ts';
import { chooseLanguage, preferences } from '../stores/preferences.ts';
import { keepAgesTrue } from './ages.ts';
import { showToast } from './toast.ts';

const root = document.documentElement;
const all = <E extends Element>(selector: string) => document.querySelectorAll<E>(selector);

preferences.subscribe(({ selectedStarIds: { length } }) => {
  if (length > 0) root.dataset.stars = String(length);
  else delete root.dataset.stars;
  for (const pill of all<HTMLElement>('[data-my-stars-count]')) {
    pill.textContent = String(length);
    pill.hidden = length === 0;
  }
});

/** An explicit choice is stored, the page is loaded anew in that language with a timestamp (§4); an overlay says so. */
document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest<HTMLAnchorElement>('a[data-language]');
  if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const language = link.dataset.language;
  if (!isLang(language)) return;
  event.preventDefault();
  chooseLanguage(language);
  const address = new URL(link.href);
  address.search = location.search;
  address.searchParams.set('t', String(Date.now()));
  const overlay = Object.assign(document.createElement('p'), {
    className: 'switching',
    textContent: document.body.dataset.switching ?? '',
  });
  overlay.setAttribute('role', 'status');
  document.body.append(overlay);
  location.assign(address);
});

/** A page from the back-forward cache must not come back under the overlay. */
addEventListener('pageshow', () => document.querySelector('.switching')?.remove());

/** The language menu closes on Escape and on a click outside, and gives the focus back. */
for (const menu of all<HTMLDetailsElement>('[data-language-menu]')) {
  const close = () => {
    menu.open = false;
  };
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    close();
    menu.querySelector('summary')?.focus();
  });
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) close();
  });
  menu.addEventListener('focusout', (event) => {
    if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) close();
  });
}

const themeKey = `${site.storageKey}:theme`;
for (const choice of all<HTMLElement>('[data-theme-choice]')) {
  choice.hidden = false;
  const current = root.dataset.theme ?? 'system';
  for (const input of choice.querySelectorAll('input')) {
    input.checked = input.value === current;
    input.addEventListener('change', () => {
      if (input.value === 'system') {
        localStorage.removeItem(themeKey);
        delete root.dataset.theme;
      } else {
        localStorage.setItem(themeKey, input.value);
        root.dataset.theme = input.value;
      }
    });
  }
}

const offlineLine = document.querySelector<HTMLElement>('#offline');
function showConnection() {
  if (!offlineLine) return;
  if (navigator.onLine && !offlineLine.hidden) showToast(document.body.dataset.online ?? '');
  offlineLine.textContent = navigator.onLine ? '' : (document.body.dataset.offline ?? '');
  offlineLine.hidden = navigator.onLine;
}
addEventListener('online', showConnection);
addEventListener('offline', showConnection);
showConnection();

/** §4: a picture that fails gives way to its star's mark, once. */
document.addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLImageElement) || target.dataset.failed) return;
    target.dataset.failed = 'true';
    target.closest('picture')?.querySelectorAll('source').forEach((source) => {
      source.remove();
    });
    target.src = target.dataset.fallback ?? '/favicon.svg';
  },
  true,
);

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-my-stars]') : null;
  if (!button || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const { openStarFilter } = await import('../islands/star-filter/open.ts');
  openStarFilter();
});

keepAgesTrue();
