/**
 * Parts of the home feed, rendered by the server with the same cards and put into the page: load-more, refresh, the
 * selected stars. Failures keep what is there and say what happened (§8, §9: 10 s time-out, two retries a second apart).
 */
import { limits } from '#content/site.ts';
import { fetchPatiently } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { ticketsAdded } from '../../stores/events.ts';
import { favourites } from '../../stores/favourites.ts';
import { feedStars } from '../../stores/feed.ts';
import { refreshAges } from '../common/ages.client.ts';
import { pagesInAddress, restoreScroll, setPagesInAddress } from '../common/scroll-restoration.client.ts';
import { removeFeedError, showFeedError } from './feed-error.client.ts';
import { showFaces } from './selected-faces.client.ts';

const feed = document.querySelector<HTMLElement>('#feed');
const more = document.querySelector<HTMLAnchorElement>('[data-more]');
const status = document.querySelector<HTMLElement>('[data-feed-status]');
/** They stay, whatever stories stand around them, also when there were none for a while. */
let events = document.querySelector('.todays-events');
let request: AbortController | undefined;
/** Parts of the feed that are on the page. */
let partCount = 1;

/** A newer request aborts the older one: two feeds never mix. */
function newRequest(): AbortSignal {
  request?.abort();
  request = new AbortController();
  return request.signal;
}

async function readPart(response: Response): Promise<HTMLElement> {
  const page = document.createElement('template');
  page.innerHTML = await response.text();
  const part = page.content.querySelector<HTMLElement>('[data-feed-part]');
  if (!part) throw new Error('no part of a feed');
  return part;
}

/** Retries twice after one second; a time-out is told at once. */
async function loadPart(offset: number, stars: string, signal: AbortSignal): Promise<HTMLElement> {
  const query = new URLSearchParams({ offset: String(offset) });
  if (stars) query.set('stars', stars.split(',').slice(0, limits.maxPage).join());
  const patience = { retries: 2, pause: 1000, lateIsFinal: true, signal };
  return fetchPatiently(`${feed?.dataset.feed ?? ''}?${query}`, { cache: 'no-cache' }, readPart, patience);
}

/** Parts that follow each other, asked for at the same time; beyond the end of the feed there are none. */
async function loadParts(
  from: number,
  count: number,
  stars: string,
  signal: AbortSignal,
): Promise<HTMLElement[]> {
  const offsets = Array.from({ length: count }, (_, index) => from + index * limits.feedPage);
  const parts = await Promise.all(offsets.map((offset) => loadPart(offset, stars, signal)));
  return parts.filter((part, index) => index === 0 || part.dataset.count !== '0');
}

/** §8: late is told apart from unreachable, and both from a server that failed. */
function hintFor(error: unknown): string | undefined {
  const words = document.querySelector<HTMLElement>('template[data-feed-error]')?.dataset;
  if (error instanceof DOMException && error.name === 'TimeoutError') return words?.late;
  return error instanceof TypeError ? words?.unreachable : undefined;
}

function setNextOffset(parts: readonly HTMLElement[]): void {
  if (!more) return;
  const next = parts.at(-1)?.dataset.nextOffset ?? '';
  more.hidden = next === '';
  more.dataset.offset = next;
}

/** Articles that are on the page already are not shown twice (§4). */
function withoutRepeats(part: HTMLElement): HTMLElement {
  for (const article of part.querySelectorAll<HTMLElement>('[data-article]')) {
    if (feed?.querySelector(`[data-article="${article.dataset.article}"]`)) article.remove();
  }
  return part;
}

/** Puts the next part of the feed that is shown below it; while that is being replaced, there is no next part. */
export async function loadMore(): Promise<void> {
  const [part] = await append(1, loadMore);
  if (!part) return;
  part.first?.focus({ preventScroll: true });
  if (status) status.textContent = (status.dataset.loaded ?? '').replace('{n}', part.count);
}

/** Everybody's feed as its address says: as many parts as were on the page, and the reader where they were. */
export async function restorePages(): Promise<void> {
  const count = pagesInAddress() - 1;
  if (count > 0) await append(count, restorePages);
  restoreScroll();
}

/** Names the new day and puts its events where those of the day before were, without a word; else what was there stays. */
export async function refreshDay(): Promise<void> {
  const address = location.pathname + location.search;
  const html = await fetchPatiently(address, { cache: 'no-cache' }, (answer) => answer.text()).catch(
    () => '',
  );
  const page = document.createElement('template');
  page.innerHTML = html;
  const [day, nextDay] = [document, page.content].map((each) => each.querySelector('.feed-day strong'));
  if (!day || !nextDay) return;
  day.replaceWith(nextDay);
  const before = events;
  const hadFocus = before?.contains(document.activeElement);
  events = page.content.querySelector('.todays-events');
  // Boxes, which wait for other stars, open as the stories do.
  if (events) (before ?? feed?.querySelector(':scope > .feed-opening'))?.after(events);
  before?.remove();
  if (hadFocus) events?.querySelector('a')?.focus({ preventScroll: true });
  ticketsAdded();
}

async function append(
  count: number,
  retry: () => Promise<void>,
): Promise<{ first: HTMLAnchorElement | null; count: string }[]> {
  if (!feed || !more || more.ariaBusy === 'true' || feed.ariaBusy === 'true') return [];
  const signal = newRequest();
  const words = more.textContent;
  more.ariaBusy = 'true';
  more.textContent = more.dataset.loading ?? words;
  removeFeedError();
  try {
    const parts = await loadParts(Number(more.dataset.offset), count, feedStars.get() ?? '', signal);
    const added = parts.map((part) => {
      const first = withoutRepeats(part).querySelector<HTMLAnchorElement>('.card-link');
      feed.append(...part.childNodes);
      return { first, count: part.dataset.count ?? '' };
    });
    setNextOffset(parts);
    partCount += parts.length;
    setPagesInAddress(partCount);
    return added;
  } catch (error) {
    if (!signal.aborted) showFeedError('append', retry, hintFor(error));
    return [];
  } finally {
    more.ariaBusy = null;
    more.textContent = words;
  }
}

/**
 * Replaces the feed by that of the current selection, from its start on; today's events stay where they are. One that was still
 * waited for is as long as its address says.
 */
export async function reload(announce: boolean): Promise<void> {
  if (!feed) return;
  const signal = newRequest();
  const starIds = favourites.get();
  const stars = starIds.join();
  const isFirst = feedStars.get() === undefined;
  // Over the boxes, the banner says already whose stories are coming.
  if (isFirst) showFaces(starIds);
  feed.ariaBusy = 'true';
  if (more) more.ariaDisabled = 'true';
  removeFeedError();
  try {
    const parts = await loadParts(0, isFirst ? pagesInAddress() : 1, stars, signal);
    const [part] = parts;
    // The style sheets of a phone stand among its stories.
    feed.replaceChildren(...feed.querySelectorAll('link[rel="stylesheet"]'));
    for (const each of parts) feed.append(...withoutRepeats(each).childNodes);
    if (events) feed.querySelector('.feed-opening')?.after(events);
    if (!isFirst && feedStars.get() !== stars) showFaces(starIds);
    feedStars.set(stars);
    setNextOffset(parts);
    partCount = parts.length;
    setPagesInAddress(partCount);
    if (isFirst) restoreScroll();
    const age = document.querySelector<HTMLTimeElement>('[data-newest]');
    if (age && part?.dataset.newest) age.dateTime = part.dataset.newest;
    refreshAges();
    if (announce) showToast(status?.dataset.current ?? '');
  } catch (error) {
    if (!signal.aborted) showFeedError('prepend', () => reload(announce), hintFor(error));
  } finally {
    if (!signal.aborted) {
      feed.ariaBusy = null;
      if (more) more.ariaDisabled = null;
    }
  }
}
