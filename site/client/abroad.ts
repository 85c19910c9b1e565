/**
 * For a visitor outside Korea's time: events in the visitor's own (decision E3), posters by the visitor's calendar, and lists
 * that are grouped by day as the server groups them for that zone. One small file, because most fans are abroad.
 */
import { startPosters } from './posters.ts';
import { showOwnTimes } from './ticket-times.ts';

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The tab of upcoming events in the visitor's days; without an answer Seoul's stay. */
async function showOwnDays(): Promise<void> {
  const address = new URL(location.href);
  address.searchParams.set('tz', own);
  const answer = await fetch(address.pathname + address.search);
  const html = answer.ok ? await answer.text() : '';
  const part = new DOMParser().parseFromString(html, 'text/html').querySelector('[data-part]');
  if (!part || location.search !== new URL(address).search.replace(/[?&]tz=[^&]*/, '')) return;
  document.querySelector('[data-part]')?.replaceWith(part);
  document.dispatchEvent(new Event('tickets'));
}

let started = false;

/** Runs once per page, and again for events that are put into it later. */
export function startAbroad(): void {
  showOwnTimes();
  if (started) return;
  started = true;
  document.addEventListener('tickets', () => showOwnTimes());
  startPosters();
  if (document.querySelector('.segmented')) showOwnDays().catch(() => undefined);
}
