/**
 * The home feed in the browser: the selected stars, load-more and refresh. What asks the server comes with the first
 * question; who only reads never loads it. A visitor with favourites sees boxes until their feed is there (`stores/feed.ts`).
 */

import { showLoadFailure, showToast } from '../../client/toast.ts';
import { today } from '../../stores/clock.ts';
import { favourites, setFavourites } from '../../stores/favourites.ts';
import { feedStars, stopWaitingForFeed } from '../../stores/feed.ts';
import { showFeedError } from './feed-error.client.ts';
import '../events/Ticket.client.ts';

const parts = () => import('./feed-parts.client.ts');
/** Only the first page can be the selected stars': later ones are links into everybody's feed. */
const banner = document.querySelector('#selected-stars');

/**
 * Without the file that it needs, a press is what it is without scripts: the link leads to what was asked for. Without a
 * connection that would be the browser's error page: the reader is told, and what is here stays.
 */
function onLink(name: string, act: (feed: Awaited<ReturnType<typeof parts>>) => void): void {
  const link = document.querySelector<HTMLAnchorElement>(name);
  link?.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    // As `followByItself`, whose file would be one more that every feed waits for.
    parts().then(act, () => (navigator.onLine ? location.assign(link.href) : showLoadFailure()));
  });
}

onLink('[data-more]', ({ loadMore }) => void loadMore());
if (banner) onLink('[data-refresh]', ({ reload }) => void reload(true));
const clear = banner?.querySelector<HTMLElement>('[data-clear-stars]');
clear?.addEventListener('click', () => {
  const { cleared = '', undo = '' } = clear.dataset;
  const selected = favourites.get();
  setFavourites([]);
  showToast(cleared, 8000, { label: undo, run: () => setFavourites(selected) });
});

/** Whoever leaves the page open over midnight, or comes back to it after, is shown the new day. */
today.listen(() => void parts().then(({ refreshDay }) => refreshDay()));

/** The stars whose feed is shown or on its way. */
let requestedStars = banner ? '' : favourites.get().join();
favourites.subscribe((starIds) => {
  for (const item of document.querySelectorAll<HTMLElement>('[data-star]'))
    item.classList.toggle('chosen', starIds.includes(Number(item.dataset.star)));
  const stars = starIds.join();
  if (stars === requestedStars) {
    stopWaitingForFeed();
    return;
  }
  requestedStars = stars;
  if (!banner) {
    history.replaceState(history.state, '', location.pathname);
    location.reload();
    return;
  }
  parts()
    .then(
      ({ reload }) => reload(false),
      // A browser may remember that a file could not be had, and never ask again on this page.
      () => showFeedError('prepend', () => location.reload()),
    )
    .finally(() => {
      if (requestedStars === stars) requestedStars = feedStars.get() ?? '';
    });
});

// Everybody's feed that was read on; that of the selected stars comes in its whole length at once.
if (feedStars.get() === '' && location.search.includes('pages='))
  parts().then(
    ({ restorePages }) => restorePages(),
    () => showFeedError('append', () => location.reload()),
  );
