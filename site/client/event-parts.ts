/**
 * Tabs, ranges, chips and further rows of the events page put in place: fetched as the part of the page that they change.
 */
import { fetchPatiently } from './api.ts';
import { revealCurrent } from './reveal-current.ts';

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const shown = () => document.querySelector<HTMLElement>('[data-part]');

/** The query of an address with the visitor's zone, by which the calendar and the upcoming events count days. */
function inOwnZone(address: string): string {
  const { searchParams } = new URL(address, location.origin);
  if (searchParams.get('tab') !== 'trending' && own !== 'Asia/Seoul') searchParams.set('tz', own);
  return searchParams.size > 0 ? `?${searchParams}` : '';
}

/** The tab of an address, in a copy of what holds it. §8: event queries are retried once. */
async function fetchPart(address: string): Promise<HTMLElement> {
  const holder = shown();
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

let wanted = '';
const waitBeforePlaceholders = 150;

/** Puts what stands at an address into the place of the open tab; placeholders when it takes long, a retry when it fails. */
async function open(address: string, tab: string): Promise<HTMLElement | undefined> {
  wanted = address;
  const before = shown();
  before?.setAttribute('aria-busy', 'true');
  const waiting = setTimeout(() => instead(before, 'loading'), waitBeforePlaceholders);
  try {
    const part = await fetchPart(address);
    if (wanted !== address) return undefined;
    shown()?.replaceWith(part);
    ready();
    return part;
  } catch (error) {
    console.error(`Failed to fetch ${tab} events:`, error);
    clearTimeout(waiting);
    if (wanted === address && !fail(before, () => void open(address, tab))) location.assign(address);
    return undefined;
  } finally {
    clearTimeout(waiting);
    before?.removeAttribute('aria-busy');
  }
}

/** Shows a part's own words for waiting or failing in the place of its list. */
function instead(part: HTMLElement | null, kind: 'loading' | 'failed'): HTMLElement | undefined {
  const template = part?.querySelector<HTMLTemplateElement>(`template[data-${kind}]`);
  if (!part || !template) return undefined;
  for (const old of part.querySelectorAll('[data-list],[data-more],.state,[data-instead],.view-all'))
    old.remove();
  const box = document.createElement('div');
  box.dataset.instead = '';
  box.append(template.content.cloneNode(true));
  template.before(box);
  return box;
}

function fail(part: HTMLElement | null, retry: () => void): boolean {
  const box = instead(part, 'failed');
  box?.querySelector('[data-retry]')?.addEventListener('click', retry);
  return box !== undefined;
}

function ready(): void {
  revealCurrent();
  document.dispatchEvent(new Event('visibilitychange'));
  document.dispatchEvent(new Event('tickets'));
}

/** Opens a link of the tabs, ranges or chips: the address follows, the focus stays, the change is said. */
export async function follow(link: HTMLAnchorElement): Promise<void> {
  const { pathname, search, searchParams } = new URL(link.href);
  const address = pathname + search;
  if ('toTop' in link.dataset) {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    scrollTo({ top: 0, behavior: calm ? 'auto' : 'smooth' });
  }
  const part = await open(address, searchParams.get('tab') ?? 'calendar');
  if (!part) return;
  if (location.pathname + location.search !== address) history.pushState(null, '', address);
  const same = [...part.querySelectorAll<HTMLAnchorElement>('[data-in-place]')].find(
    (each) => each.textContent === link.textContent,
  );
  same?.focus({ preventScroll: true });
  const status = document.querySelector('[data-part-status]');
  if (status) status.textContent = link.textContent?.trim() ?? '';
}

/** Puts the next rows below those that are there; days that go on join their group. */
export async function loadMore(link: HTMLAnchorElement): Promise<void> {
  if (link.getAttribute('aria-busy') === 'true') return;
  link.setAttribute('aria-busy', 'true');
  try {
    const part = await fetchPart(link.href);
    const list = shown()?.querySelector('[data-list]');
    const rows = part.querySelector('[data-list]');
    const more = part.querySelector('[data-more]');
    if (!list || !rows) throw new Error('no list');
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
    first?.focus();
    const status = document.querySelector<HTMLElement>('[data-part-status]');
    if (status) status.textContent = status.dataset.moreShown ?? '';
    document.dispatchEvent(new Event('tickets'));
  } catch (error) {
    console.error(error);
    location.assign(link.href);
  }
}

/** Shows what the address bar says: after back and forward, and in the visitor's own zone. */
export async function showAddress(): Promise<void> {
  const { pathname, search } = location;
  await open(pathname + search, new URLSearchParams(search).get('tab') ?? 'calendar');
}
