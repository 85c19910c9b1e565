/**
 * The channel list in the browser: search as one types, order and pages put in place, fetched as the page that stands at
 * their address. Without JavaScript the form and the links do the same. Last-activity labels stay true (§9).
 */
import { isLang, type Lang } from '#content/locales.ts';
import { activityOf } from '../../lib/community/activity.ts';
import { minute } from '../../stores/clock.ts';
import { keepLanguageLinks } from '../common/language-links.client.ts';

const typingPause = 250;
const skeletonsAfter = 120;
/** §8: other failures than 4xx are tried three times again, with growing pauses. */
const pauses = [1000, 2000, 4000] as const;

const form = document.querySelector<HTMLFormElement>('[data-channel-controls]');
const field = form?.querySelector<HTMLInputElement>('input[type="search"]');
const order = form?.querySelector<HTMLSelectElement>('select');
const clear = form?.querySelector<HTMLElement>('.search-clear');
const status = document.querySelector<HTMLElement>('[data-channels-status]');
let request: AbortController | undefined;
let typingTimer: ReturnType<typeof setTimeout> | undefined;

class Refused extends Error {}

async function fetchChannels(address: string, signal: AbortSignal): Promise<HTMLElement> {
  for (const pause of [...pauses, undefined]) {
    try {
      const response = await fetch(address, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      });
      if (response.status >= 400 && response.status < 500) throw new Refused(String(response.status));
      // Not as a document, whose inline style our policy would refuse.
      const page = document.createElement('template');
      page.innerHTML = await response.text();
      const channels = page.content.querySelector<HTMLElement>('[data-channels]');
      if (!response.ok || !channels) throw new Error(String(response.status));
      return channels;
    } catch (error) {
      if (signal.aborted || error instanceof Refused || pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  throw new Error(address);
}

/** Puts what a template holds in the place of the channels. */
function showInstead(name: string): HTMLElement | undefined {
  const channels = document.querySelector<HTMLElement>('[data-channels]');
  const template = document.querySelector<HTMLTemplateElement>(`template[${name}]`);
  if (!channels || !template) return undefined;
  channels.replaceChildren(template.content.cloneNode(true));
  return channels;
}

/** Shows the list of an address. Only the last one asked for is shown. */
async function show(address: string): Promise<HTMLElement | undefined> {
  keepLanguageLinks();
  request?.abort();
  const control = new AbortController();
  request = control;
  const waiting = setTimeout(() => showInstead('data-channel-skeletons'), skeletonsAfter);
  document.querySelector('[data-channels]')?.setAttribute('aria-busy', 'true');
  try {
    const channels = await fetchChannels(address, control.signal);
    if (control.signal.aborted) return undefined;
    document.querySelector('[data-channels]')?.replaceWith(channels);
    if (status) status.textContent = channels.dataset.found ?? '';
    refreshActivity();
    return channels;
  } catch {
    if (control.signal.aborted) return undefined;
    clearTimeout(waiting);
    const failed = showInstead('data-channel-error');
    failed?.removeAttribute('aria-busy');
    failed?.querySelector('[data-retry]')?.addEventListener('click', () => void show(address));
    return undefined;
  } finally {
    clearTimeout(waiting);
  }
}

/** What the form says as an address; it begins at the first page (§5). */
function addressOfForm(): string {
  const query = new URLSearchParams();
  const text = field?.value.trim() ?? '';
  if (text) query.set('q', text);
  if (order && order.selectedIndex > 0) query.set('sort', order.value);
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname;
}

function go(address: string, entry: 'push' | 'replace'): Promise<HTMLElement | undefined> {
  clearTimeout(typingTimer);
  if (entry === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  return show(address);
}

function showClear(): void {
  if (clear) clear.hidden = field?.value === '';
}

/** The fields follow the address after back, forward and links. */
function readAddress(): void {
  const query = new URLSearchParams(location.search);
  if (field) field.value = query.get('q') ?? '';
  if (order) order.value = query.get('sort') ?? 'popular';
  if (order && order.selectedIndex < 0) order.selectedIndex = 0;
  showClear();
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void go(addressOfForm(), 'push');
});
order?.addEventListener('change', () => void go(addressOfForm(), 'push'));
field?.addEventListener('input', (event) => {
  showClear();
  clearTimeout(typingTimer);
  // A syllable that is still being composed is searched for like a whole one: 파돕 finds 파도반.
  if (event instanceof InputEvent || field.value === '')
    typingTimer = setTimeout(() => void go(addressOfForm(), 'replace'), typingPause);
});

document.addEventListener('click', async (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest<HTMLAnchorElement>('.pager a, .channels .state a, .search-clear');
  if (!link) return;
  const { pathname, search } = new URL(link.href);
  // An empty list also has ways that lead elsewhere.
  if (pathname !== location.pathname) return;
  event.preventDefault();
  const isPager = link.closest('.pager') !== null;
  const opening = go(pathname + search, 'push');
  readAddress();
  if (!isPager) {
    field?.focus();
    return;
  }
  const first = (await opening)?.querySelector<HTMLElement>('.card-link');
  first?.focus({ preventScroll: true });
  document.querySelector('.channels-page')?.scrollIntoView();
});

addEventListener('popstate', () => {
  readAddress();
  void show(location.pathname + location.search);
});

function refreshActivity(): void {
  const language = document.documentElement.lang;
  const place = document.querySelector<HTMLElement>('[data-activity-words]');
  if (!place || !isLang(language)) return;
  const words: Partial<Record<string, string>> = JSON.parse(place.dataset.activityWords ?? '{}');
  const now = new Date();
  for (const element of place.querySelectorAll<HTMLTimeElement>('time[data-activity]')) {
    const date = new Date(element.dateTime);
    const activity = activityOf(date, now);
    if (activity.unit === 'date') {
      if (element.dataset.activity !== 'date') void showDate(element, language, date);
      continue;
    }
    const number = 'number' in activity ? String(activity.number) : '';
    const text = words[activity.unit]?.replace('{n}', number);
    if (text && element.textContent !== text) element.textContent = text;
  }
}

/** A label that turned into a date while the page was open; the server wrote the others. */
async function showDate(element: HTMLElement, language: Lang, date: Date): Promise<void> {
  const { longDate } = await import('../../i18n/format.ts');
  element.dataset.activity = 'date';
  element.textContent = longDate(language, date);
}

readAddress();
minute.subscribe(refreshActivity);
