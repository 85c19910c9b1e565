/**
 * Scroll restoration for the feed and the lists of events: how many pages of the list are loaded stands in the address, which story
 * or event is in view is noted when the page is left. Back and reload lead there again, also in a browser that forgot the page.
 */
import { storageKey } from '#content/site.ts';
import { fromStorage } from '../../client/storage.ts';

const parameter = 'pages';
/** More than anybody reads on; an address that asks for more is not answered with a thousand questions. */
const maxPages = 25;
const key = () => `${storageKey}:place:${location.pathname}${location.search}`;
const entries = () => [
  ...document.querySelectorAll<HTMLElement>('#feed [data-article],[data-list] [data-event]'),
];
const idOf = ({ dataset }: HTMLElement) => dataset.article ?? dataset.event;
const topOf = (entry: HTMLElement) => entry.getBoundingClientRect().top;
/** On large screens the upcoming events scroll in an area of their own. */
function areaOf(entry: HTMLElement | undefined): HTMLElement | undefined {
  const list = entry?.closest<HTMLElement>('[data-list]');
  return list && list.scrollHeight > list.clientHeight ? list : undefined;
}
let isDone = false;

/** How many pages of the list the address asks for; nonsense is the first alone. */
export function pagesInAddress(): number {
  const count = Number(new URLSearchParams(location.search).get(parameter));
  return Number.isSafeInteger(count) && count > 1 ? Math.min(count, maxPages) : 1;
}

/** Writes into the address how many pages of the list are shown. */
export function setPagesInAddress(count: number): void {
  const address = new URL(location.href);
  if (count > 1) address.searchParams.set(parameter, String(count));
  else address.searchParams.delete(parameter);
  history.replaceState(history.state, '', address);
}

/** After back and reload, brings the story into view that was there; somebody who moves on meanwhile is left in peace. */
export function restoreScroll(): void {
  const [arrival] = performance.getEntriesByType('navigation');
  const returns =
    arrival instanceof PerformanceNavigationTiming && ['back_forward', 'reload'].includes(arrival.type);
  if (!returns || isDone) return;
  isDone = true;
  const [id, top, y] = (fromStorage(() => sessionStorage.getItem(key())) ?? '').split(' ');
  const entry = entries().find((each) => idOf(each) === id);
  if (!entry) return;
  const area = areaOf(entry);
  const go = () => (area ?? window).scrollBy({ top: topOf(entry) - Number(top), behavior: 'instant' });
  if (area) scrollTo(0, Number(y));
  // Tickets are as tall as estimated until they come into view, a few more with every frame.
  let frames = 12;
  const settle = () => {
    go();
    frames -= 1;
    if (frames > 0) requestAnimationFrame(settle);
  };
  settle();
}

for (const sign of ['wheel', 'touchmove', 'keydown']) {
  addEventListener(sign, () => (isDone = true), { once: true, passive: true });
}
addEventListener('pagehide', () => {
  const area = areaOf(entries()[0]);
  const edge = area ? Math.max(0, topOf(area)) : 0;
  const entry = entries().find((each) => each.getBoundingClientRect().bottom > edge);
  fromStorage(() => {
    if (entry && (area?.scrollTop || scrollY))
      sessionStorage.setItem(key(), `${idOf(entry)} ${topOf(entry)} ${scrollY}`);
    else sessionStorage.removeItem(key());
  });
});
