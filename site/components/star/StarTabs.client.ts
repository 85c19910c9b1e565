/** Tabs, filters and "show all" of a star's page put in place: fetched as the page that stands at their address. */

import { fetchPatiently } from '../../client/api.ts';
import { showLoadFailure } from '../../client/toast.ts';
import { refreshAges } from '../common/ages.client.ts';
import { keepLanguageLinks } from '../common/language-links.client.ts';
import { revealCurrent } from '../events/reveal-current.client.ts';

const partRequests = new Map<string, Promise<HTMLElement>>();
const shownPart = () => document.querySelector<HTMLElement>('[data-part]');
/** Of an address what the tabs know; others may have added to it where the link was shared. */
const addressOf = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  const ownParameters = [...searchParams].filter(([name]) => ['tab', 'show', 'category'].includes(name));
  return pathname + (ownParameters.length > 0 ? `?${new URLSearchParams(ownParameters)}` : '');
};

const first = shownPart();
/** The address whose tabs are shown or on their way. */
let currentAddress = first?.dataset.part ?? '';
if (first) partRequests.set(currentAddress, Promise.resolve(first));

async function readPart(response: Response): Promise<HTMLElement> {
  // Not as a document, whose inline style our policy would refuse.
  const page = document.createElement('template');
  page.innerHTML = await response.text();
  const part = page.content.querySelector<HTMLElement>('[data-part]');
  if (!part) throw new Error('no tabs');
  return part;
}

/** The tabs of an address, cut out of its page. Failures are not remembered. */
function fetchPart(address: string): Promise<HTMLElement> {
  const cached = partRequests.get(address);
  if (cached) return cached;
  // The second try is the reader's, who is told at once.
  const part = fetchPatiently(address, {}, readPart, { retries: 0 });
  part.catch(() => partRequests.delete(address));
  partRequests.set(address, part);
  return part;
}

/**
 * Puts the tabs of an address in place; undefined when another one was asked for meanwhile, or when it cannot be fetched: then
 * what was there stays, which is more than the browser's error page has, and the reader is told.
 */
async function show(address: string): Promise<HTMLElement | undefined> {
  currentAddress = address;
  shownPart()?.setAttribute('aria-busy', 'true');
  try {
    const part = await fetchPart(address);
    if (currentAddress !== address) return undefined;
    shownPart()?.replaceWith(part);
    part.removeAttribute('aria-busy');
    revealCurrent();
    refreshAges();
    return part;
  } catch {
    if (currentAddress !== address) return undefined;
    const part = shownPart();
    part?.removeAttribute('aria-busy');
    currentAddress = part?.dataset.part ?? '';
    showLoadFailure();
    return undefined;
  }
}

/** Opens a link of the tabs: the address follows, the focus stays with the reader and the change is said. */
export async function openPart(link: HTMLAnchorElement): Promise<void> {
  const address = addressOf(link.href);
  const { then, say } = link.dataset;
  const part = await show(address);
  if (!part) return;
  if (addressOf(location.href) !== address) history.pushState(null, '', address);
  keepLanguageLinks();
  const next = then
    ? part.querySelectorAll<HTMLElement>('[data-moment]')[Number(then)]
    : [...part.querySelectorAll<HTMLAnchorElement>('[data-in-place]')].find(({ href }) => href === link.href);
  if (then) next?.setAttribute('tabindex', '-1');
  next?.focus({ preventScroll: true });
  const status = document.querySelector('[data-star-status]');
  if (status) status.textContent = say ?? link.firstChild?.textContent?.trim() ?? '';
}

/**
 * Shows what the address bar says, after back and forward; what could not be fetched then follows when the network is back.
 * The focus, when it was in the tabs, stays in them.
 */
export async function showAddress(): Promise<void> {
  keepLanguageLinks();
  const address = addressOf(location.href);
  if (address === currentAddress) return;
  const hadFocus = shownPart()?.contains(document.activeElement);
  const part = await show(address);
  if (hadFocus) part?.querySelector<HTMLElement>('.tabs [aria-current]')?.focus({ preventScroll: true });
  if (!part && currentAddress !== address) addEventListener('online', showAddress, { once: true });
}
