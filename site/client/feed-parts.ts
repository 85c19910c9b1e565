/**
 * Parts of the home feed, rendered by the server with the same cards and put into the page: load-more, refresh, the
 * selected stars. Failures keep what is there and say what happened (§8, §9: 10 s time-out, two retries a second apart).
 */
import { limits } from '#content/site.ts';
import { preferences } from '../stores/preferences.ts';
import { fetchPatiently } from './api.ts';
import { showToast } from './toast.ts';

const feed = document.querySelector<HTMLElement>('#feed');
const more = document.querySelector<HTMLAnchorElement>('[data-more]');
const status = document.querySelector<HTMLElement>('[data-feed-status]');

async function readPart(response: Response): Promise<HTMLElement> {
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const part = page.querySelector<HTMLElement>('[data-feed-part]');
  if (!part) throw new Error('no part of a feed');
  return part;
}

/** Retries twice after one second; a time-out is told at once. */
async function loadPart(offset: number): Promise<HTMLElement> {
  const query = new URLSearchParams({ offset: String(offset) });
  const { selectedStarIds } = preferences.get();
  if (selectedStarIds.length > 0) query.set('stars', selectedStarIds.slice(0, limits.maxPage).join(','));
  const patience = { retries: 2, pause: 1000, lateIsFinal: true };
  return fetchPatiently(`${feed?.dataset.feed ?? ''}?${query}`, { cache: 'no-cache' }, readPart, patience);
}

/** §8: late is told apart from unreachable, and both from a server that failed. */
function showError(error: unknown, retry: () => void): void {
  const template = document.querySelector<HTMLTemplateElement>('template[data-feed-error]');
  if (!template || !feed) return;
  removeError();
  feed.append(template.content.cloneNode(true));
  const hint = feed.querySelector('[data-state-hint]');
  const { late, unreachable } = template.dataset;
  if (hint && error instanceof DOMException && error.name === 'TimeoutError') hint.textContent = late ?? '';
  else if (hint && error instanceof TypeError) hint.textContent = unreachable ?? '';
  feed.querySelector('[data-retry]')?.addEventListener('click', () => {
    removeError();
    retry();
  });
}

function removeError(): void {
  feed?.querySelector('.state[role="alert"]')?.remove();
}

function setNextOffset(part: HTMLElement): void {
  if (!more) return;
  const next = part.dataset.nextOffset ?? '';
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

/** Puts the next part below what is there. */
export async function loadMore(): Promise<void> {
  if (!feed || !more || more.getAttribute('aria-busy') === 'true') return;
  const words = more.textContent;
  more.setAttribute('aria-busy', 'true');
  more.textContent = more.dataset.loading ?? words;
  removeError();
  try {
    const part = withoutRepeats(await loadPart(Number(more.dataset.offset)));
    const first = part.querySelector<HTMLAnchorElement>('.card-link');
    feed.append(...part.childNodes);
    setNextOffset(part);
    first?.focus({ preventScroll: true });
    if (status) status.textContent = (status.dataset.loaded ?? '').replace('{n}', part.dataset.count ?? '');
  } catch (error) {
    showError(error, loadMore);
  } finally {
    more.removeAttribute('aria-busy');
    more.textContent = words;
  }
}

/** Replaces the feed by its first part for the current selection; today's events stay where they are. */
export async function reload(announce: boolean): Promise<void> {
  if (!feed) return;
  feed.setAttribute('aria-busy', 'true');
  removeError();
  try {
    const part = await loadPart(0);
    const events = feed.querySelector('.todays-events');
    feed.replaceChildren(...part.childNodes);
    if (events) feed.querySelector('.feed-opening')?.after(events);
    setNextOffset(part);
    const age = document.querySelector<HTMLTimeElement>('[data-newest]');
    if (age && part.dataset.newest) age.dateTime = part.dataset.newest;
    document.dispatchEvent(new Event('visibilitychange'));
    if (announce) showToast(status?.dataset.current ?? '');
  } catch (error) {
    showError(error, () => void reload(announce));
  } finally {
    feed.removeAttribute('aria-busy');
    document.documentElement.dataset.feed = 'ready';
  }
}
