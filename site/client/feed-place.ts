/**
 * Where a reader is in the feed: how many of its parts are loaded stands in the address, which story is in view is noted when
 * the page is left. Back and reload lead there again, also in a browser that forgot the page.
 */
import { site } from '#content/site.ts';

const name = 'pages';
/** More than anybody reads on; an address that asks for more is not answered with a thousand questions. */
const most = 25;
const key = () => `${site.storageKey}:place:${location.pathname}${location.search}`;
const stories = () => document.querySelectorAll<HTMLElement>('#feed [data-article]');
let moved = false;

/** How many parts the address asks for; nonsense is the first alone. */
export function partsOfAddress(): number {
  const count = Number(new URLSearchParams(location.search).get(name));
  return Number.isSafeInteger(count) && count > 1 ? Math.min(count, most) : 1;
}

/** Writes into the address how many parts are shown. */
export function noteParts(count: number): void {
  const address = new URL(location.href);
  if (count > 1) address.searchParams.set(name, String(count));
  else address.searchParams.delete(name);
  history.replaceState(history.state, '', address);
}

/** After back and reload, brings the story into view that was there; somebody who moves on meanwhile is left in peace. */
export function returnToPlace(): void {
  const [arrival] = performance.getEntriesByType('navigation');
  const returns =
    arrival instanceof PerformanceNavigationTiming && ['back_forward', 'reload'].includes(arrival.type);
  if (!returns || moved) return;
  moved = true;
  const [id, top] = (sessionStorage.getItem(key()) ?? '').split(' ');
  const story = [...stories()].find(({ dataset }) => dataset.article === id);
  if (story) scrollBy(0, story.getBoundingClientRect().top - Number(top));
}

for (const sign of ['wheel', 'touchmove', 'keydown']) {
  addEventListener(sign, () => (moved = true), { once: true, passive: true });
}
addEventListener('pagehide', () => {
  const story = [...stories()].find((each) => each.getBoundingClientRect().bottom > 0);
  if (story && scrollY > 0)
    sessionStorage.setItem(key(), `${story.dataset.article} ${story.getBoundingClientRect().top}`);
  else sessionStorage.removeItem(key());
});
