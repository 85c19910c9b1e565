/**
 * The home feed in the browser: the selected stars, load-more and refresh. What asks the server comes with the first
 * question; who only reads never loads it.
 */
import { preferences, selectStars } from '../stores/preferences.ts';
import './tickets.ts';

const parts = () => import('./feed-parts.ts');
const more = document.querySelector<HTMLAnchorElement>('[data-more]');
const banner = document.querySelector<HTMLElement>('#selected-stars');

function showSelection(ids: readonly number[]): void {
  if (banner) banner.hidden = ids.length === 0;
  const faces = banner?.querySelector('[data-selected-faces]');
  faces?.replaceChildren();
  for (const item of document.querySelectorAll<HTMLElement>('[data-star]')) {
    const chosen = ids.includes(Number(item.dataset.star));
    item.classList.toggle('chosen', chosen);
    const mark = item.querySelector('img');
    if (chosen && mark && faces) faces.append(mark.cloneNode());
  }
}

more?.addEventListener('click', (event) => {
  if (event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  void parts().then(({ loadMore }) => loadMore());
});

document.querySelector('[data-refresh]')?.addEventListener('click', (event) => {
  event.preventDefault();
  void parts().then(({ reload }) => reload(true));
});

banner?.querySelector('[data-clear-stars]')?.addEventListener('click', () => selectStars([]));

let shown = '';
const isFirstPage = !new URLSearchParams(location.search).has('page');
preferences.subscribe(({ selectedStarIds }) => {
  showSelection(selectedStarIds);
  const wanted = selectedStarIds.join();
  if (wanted !== shown && isFirstPage) {
    shown = wanted;
    void parts().then(({ reload }) => reload(false));
  } else {
    document.documentElement.dataset.feed = 'ready';
  }
});
