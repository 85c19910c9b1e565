/**
 * Tabs, ranges, chips and further rows of the events page put in place: fetched as the part of the page that they change.
 */
import { fetchPatiently } from '../../client/api.ts';
import { followByItself } from '../../client/follow-by-itself.ts';
import { placeToast, showLoadFailure } from '../../client/toast.ts';
import { visitorZone } from '../../stores/clock.ts';
import { ticketsAdded } from '../../stores/events.ts';
import { keepLanguageLinks } from '../common/language-links.client.ts';
import { pagesInAddress, restoreScroll, setPagesInAddress } from '../common/scroll-restoration.client.ts';
import { revealCurrent } from './reveal-current.client.ts';
import { isAbroad } from './Ticket.client.ts';

const currentPart = () => document.querySelector<HTMLElement>('[data-part]');

/** The query of an address with the visitor's zone, by which the calendar and the upcoming events count days. */
function inOwnZone(address: string): string {
  const { searchParams } = new URL(address, location.origin);
  const zone = visitorZone();
  if (searchParams.get('tab') !== 'trending' && zone !== 'Asia/Seoul') searchParams.set('tz', zone);
  return searchParams.size > 0 ? `?${searchParams}` : '';
}

/** The tab of an address, in a copy of what holds it. §8: event queries are retried once. */
async function fetchPart(address: string): Promise<HTMLElement> {
  const holder = currentPart();
  const html = await fetchPatiently(
    `${holder?.dataset.part}${inOwnZone(address)}`,
    {},
    (answer) => answer.text(),
    { retries: 1 },
  );
  const part = holder?.cloneNode(false);
  if (!(part instanceof HTMLElement)) throw new Error('no part');
  part.removeAttribute('aria-busy');
  part.innerHTML = html;
  return part;
}

/** What of a tab stays while its list changes. */
const keptSelectors = {
  calendar: '.calendar-intro',
  upcoming: '.segmented',
  trending: '.event-chips',
} as const;
type Tab = keyof typeof keptSelectors;

function tabOf(address: string): Tab {
  const tab = new URL(address, location.origin).searchParams.get('tab');
  return tab === 'upcoming' || tab === 'trending' ? tab : 'calendar';
}

let requestedAddress = '';
const waitBeforePlaceholders = 150;

/** Puts what stands at an address into the place of the open tab; placeholders when it takes long, a retry when it fails. */
async function openPart(address: string): Promise<HTMLElement | undefined> {
  keepLanguageLinks();
  requestedAddress = address;
  // The calendar goes on by itself: what it shows by now is not written over.
  const isWanted = () => requestedAddress === address && location.pathname + location.search === address;
  const tab = tabOf(address);
  const before = currentPart();
  before?.setAttribute('aria-busy', 'true');
  const waiting = setTimeout(() => {
    if (isWanted()) showPlaceholder(before, tab, 'loading');
  }, waitBeforePlaceholders);
  try {
    const part = await fetchPart(address);
    if (!isWanted()) return undefined;
    currentPart()?.replaceWith(part);
    document.title = part.querySelector<HTMLElement>('.tabs')?.dataset.title ?? document.title;
    afterChange();
    return part;
  } catch (error) {
    console.error(`Failed to fetch ${tab} events:`, error);
    clearTimeout(waiting);
    if (isWanted() && !showFailure(before, tab, () => void retryOpening(address))) followByItself(address);
    return undefined;
  } finally {
    clearTimeout(waiting);
    if (requestedAddress === address) before?.removeAttribute('aria-busy');
  }
}

/** The button that was pressed is gone with its card: the focus goes to the tab that it brought. */
async function retryOpening(address: string): Promise<void> {
  const part = await openPart(address);
  part?.querySelector<HTMLElement>('.tabs [aria-current]')?.focus({ preventScroll: true });
}

/** Shows what the page has for waiting or failing in the place of a tab, whose own ranges or chips stay where they are. */
function showPlaceholder(part: HTMLElement | null, tab: Tab, kind: 'loading' | 'failed'): boolean {
  const template = document.querySelector<HTMLTemplateElement>(
    kind === 'failed' ? 'template[data-failed]' : `template[data-loading="${tab}"]`,
  );
  if (!part || !template) return false;
  const meanwhile = document.importNode(template.content, true);
  const keptElement = part.querySelector(keptSelectors[tab]);
  // Of a calendar that is there only the day changes: it is dimmed.
  if (keptElement && tab === 'calendar' && kind === 'loading') return true;
  if (keptElement) meanwhile.querySelector(keptSelectors[tab])?.remove();
  const title = meanwhile.querySelector('.state h2');
  const failure = template.dataset[`${tab}Failed`];
  if (title && failure) title.textContent = failure;
  for (const old of [...part.children]) if (old !== keptElement && !old.matches('.tabs')) old.remove();
  part.append(meanwhile);
  return true;
}

function showFailure(part: HTMLElement | null, tab: Tab, onRetry: () => void): boolean {
  const isShown = showPlaceholder(part, tab, 'failed');
  part?.querySelector('[data-retry]')?.addEventListener('click', onRetry);
  return isShown;
}

/** The posters and upcoming events of a new day, without a word: the same place in the list, the same focus; else what was there. */
export async function refreshDays(): Promise<void> {
  const { search } = location;
  const before = currentPart();
  const isBusy = () => currentPart() !== before || before?.ariaBusy || location.search !== search;
  const page = await fetchPage().catch(() => undefined);
  if (!page || isBusy()) return;
  const restorePosition = before && scrollPositionIn(before);
  replaceSection('.events-hero', page);
  if (tabOf(search) === 'upcoming') replaceSection('[data-part]', page);
  const after = currentPart();
  if (restorePosition && after) {
    restorePosition(after);
    holdScrollPosition(after, restorePosition);
  }
  afterChange();
}

/** The page of the address as it is by now, with all upcoming events that the address says are shown, or without its list. */
async function fetchPage(): Promise<DocumentFragment> {
  const { pathname, search } = location;
  const pageCount = tabOf(search) === 'upcoming' ? pagesInAddress() : 1;
  const page = document.createElement('template');
  page.innerHTML = await fetchPatiently(pathname + inOwnZone(search), {}, (answer) => answer.text());
  const part = page.content.querySelector('[data-part]');
  try {
    for (let count = 1; count < pageCount; count += 1) {
      const link = part?.querySelector<HTMLAnchorElement>('[data-more]');
      if (!link) break;
      addRows(part, link, await fetchPart(link.getAttribute('href') ?? ''));
    }
  } catch (error) {
    // A shorter list would take away what somebody reads.
    console.error(error);
    part?.remove();
  }
  return page.content;
}

const settlingTime = 1000;

/**
 * Tickets are as tall as estimated until they are laid out in view, some frames later on a slow phone: the place is taken again
 * each time that a day changes its height, until a person moves.
 */
function holdScrollPosition(part: HTMLElement, restorePosition: (part: HTMLElement) => void): void {
  const observer = new ResizeObserver(() => restorePosition(part));
  const stop = () => observer.disconnect();
  for (const day of part.querySelectorAll('[data-list] > *')) observer.observe(day);
  for (const sign of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(sign, stop, { once: true, passive: true });
  setTimeout(stop, settlingTime);
}

/** Puts a part of another rendering into the place of ours. */
function replaceSection(selector: string, page: DocumentFragment): void {
  const before = document.querySelector<HTMLElement>(selector);
  const after = page.querySelector<HTMLElement>(selector);
  if (!before || !after) return;
  const focused = before.contains(document.activeElement) ? document.activeElement : null;
  before.replaceWith(after);
  if (focused) matchIn(after, focused)?.focus({ preventScroll: true });
}

/** Where a person is in the list: the ticket with the focus or the first in view, which another rendering is scrolled to. */
function scrollPositionIn(part: HTMLElement): (other: HTMLElement) => void {
  const list = part.querySelector('[data-list]');
  // On small screens the page scrolls instead of the list.
  const edge = Math.max(0, list?.getBoundingClientRect().top ?? 0);
  const tickets = [...part.querySelectorAll<HTMLElement>('[data-list] [data-ticket]')];
  const anchor =
    tickets.find((ticket) => ticket.contains(document.activeElement)) ??
    tickets.find((ticket) => ticket.getBoundingClientRect().bottom > edge);
  const { scrollTop = 0 } = list ?? {};
  const offset = anchor?.getBoundingClientRect().top ?? 0;
  return (other) => {
    const area = other.querySelector('[data-list]');
    area?.scrollTo(0, scrollTop);
    const same = area?.querySelector(`[data-ticket="${anchor?.dataset.ticket}"]`);
    if (!area || !same) return;
    const scroller = area.scrollHeight > area.clientHeight ? area : window;
    scroller.scrollBy({ top: same.getBoundingClientRect().top - offset, behavior: 'instant' });
  };
}

/** The link, heart or list of another rendering that is the same to a person. */
function matchIn(part: HTMLElement, element: Element): HTMLElement | undefined {
  const signOf = (each: Element) =>
    `${each.className} ${each.getAttribute('data-subscribe') ?? each.getAttribute('href')}`;
  const all = [...part.querySelectorAll<HTMLElement>('a,[tabindex]')];
  return (
    all.find((each) => signOf(each) === signOf(element)) ?? all.find((each) => each.matches('[data-list]'))
  );
}

function afterChange(): void {
  // A sheet that was open left with the part.
  placeToast();
  revealCurrent();
  ticketsAdded();
}

/** Opens a link of the tabs, ranges or chips: the address follows, the focus stays, the change is said. */
export async function followLink(link: HTMLAnchorElement): Promise<void> {
  const { pathname, search } = new URL(link.href);
  const address = pathname + search;
  if ('toTop' in link.dataset) {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    scrollTo({ top: 0, behavior: calm ? 'auto' : 'smooth' });
  }
  if (location.pathname + location.search !== address) history.pushState(null, '', address);
  for (const other of link.closest('nav,.segmented')?.querySelectorAll('[aria-current]') ?? [])
    other.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'page');
  const part = await openPart(address);
  if (!part) return;
  const same = [...part.querySelectorAll<HTMLAnchorElement>('[data-in-place]')].find(
    (each) => each.textContent === link.textContent,
  );
  same?.focus({ preventScroll: true });
  const status = document.querySelector('[data-part-status]');
  if (status) status.textContent = link.textContent?.trim() ?? '';
}

/** Puts the next rows below those that are there, as the address says from then on, and moves the focus to the first of them. */
export async function loadMore(link: HTMLAnchorElement): Promise<void> {
  if (link.getAttribute('aria-busy') === 'true') return;
  link.setAttribute('aria-busy', 'true');
  const isWanted = whileShown(link);
  try {
    const first = await append(link);
    if (first === undefined) return;
    setPagesInAddress(pagesInAddress() + 1);
    first?.focus();
    const status = document.querySelector<HTMLElement>('[data-part-status]');
    if (status) status.textContent = status.dataset.moreShown ?? '';
  } catch (error) {
    console.error(error);
    if (!isWanted()) return;
    // Without an answer there is no page either: the link stays, to be pressed again.
    if (error instanceof TypeError || error instanceof DOMException) showLoadFailure();
    else followByItself(link.href);
  } finally {
    link.removeAttribute('aria-busy');
  }
}

/** Whether what a link is to add still belongs here: another tab, range or day may have come meanwhile. */
function whileShown(link: HTMLAnchorElement): () => boolean {
  const { search } = location;
  return () => link.isConnected && location.search === search;
}

/** After back and reload: as many rows as the address says, in the visitor's own days, at the place where the reader was. */
export async function restorePages(): Promise<void> {
  if (isAbroad && !(await openPart(location.pathname + location.search))) return;
  await appendPagesOfAddress();
  restoreScroll();
}

/** Shows what the address bar says: after back and forward, and in the visitor's own zone. */
export async function showAddress(): Promise<void> {
  if (await openPart(location.pathname + location.search)) await appendPagesOfAddress();
}

/** As many pages of rows as the address asks for, below the first. */
async function appendPagesOfAddress(): Promise<void> {
  const address = location.href;
  try {
    for (let page = 1; page < pagesInAddress(); page += 1) {
      const link = currentPart()?.querySelector<HTMLAnchorElement>('[data-more]');
      if (!link || location.href !== address) break;
      await append(link);
    }
  } catch (error) {
    // The rows that are there can be read on from.
    console.error(error);
  }
}

/** Fetches and adds the next rows, of which the first is returned. Undefined: the list has gone meanwhile. */
async function append(link: HTMLAnchorElement): Promise<HTMLElement | null | undefined> {
  const isWanted = whileShown(link);
  const next = await fetchPart(link.href);
  if (!isWanted()) return undefined;
  const first = addRows(currentPart(), link, next);
  ticketsAdded();
  return first;
}

/** Puts the rows that a link for more has led to below those of its part; days that go on join their group. */
function addRows(part: Element | null, link: HTMLAnchorElement, next: HTMLElement): HTMLElement | null {
  const list = part?.querySelector('[data-list]');
  const rows = next.querySelector('[data-list]');
  const more = next.querySelector('[data-more]');
  if (!list || !rows) throw new Error('no list');
  // What has risen or moved since is on the page already.
  for (const name of ['data-ticket', 'data-trending'])
    for (const shown of list.querySelectorAll(`[${name}]`))
      rows.querySelector(`[${name}="${shown.getAttribute(name)}"]`)?.remove();
  let first: HTMLElement | null = null;
  for (const row of [...rows.children]) {
    if (row.matches('[data-more]')) continue;
    first ??= row.querySelector('.card-link');
    const group =
      row instanceof HTMLElement && list.querySelector(`[data-group="${row.dataset.group}"] .ticket-grid`);
    if (group) group.append(...(row.querySelector('.ticket-grid')?.children ?? []));
    else if (link.parentElement === list) link.before(row);
    else list.append(row);
  }
  if (more) link.replaceWith(more);
  else link.remove();
  return first;
}
