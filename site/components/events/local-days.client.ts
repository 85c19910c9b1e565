/**
 * The events page in the days of a visitor abroad (decision E3): those that remain on posters, and the calendar or the upcoming
 * events as the server groups them for that zone.
 */

import { dDay } from '../../i18n/d-day.ts';
import { visitorZone } from '../../stores/clock.ts';
import { calendarState, ticketRevision, ticketsAdded } from '../../stores/events.ts';
import { isAbroad } from './Ticket.client.ts';

const noon = (date: string | number) => new Date(date).setHours(12, 0, 0, 0);

/** The days that remain by the visitor's own calendar; the server counted Seoul's. */
function showPosters(): void {
  for (const days of document.querySelectorAll<HTMLElement>('[data-poster-start]')) {
    const left = Math.round((noon(days.dataset.posterStart ?? '') - noon(Date.now())) / 86_400_000);
    days.textContent = left > 0 ? dDay(left) : (days.dataset.today ?? '');
  }
}

/** Without an answer Seoul's days stay. */
async function showLocalDays(part: HTMLElement): Promise<void> {
  const { search } = location;
  const answer = await fetch(
    `${part.dataset.part}${search ? `${search}&` : '?'}tz=${encodeURIComponent(visitorZone())}`,
  );
  if (!answer.ok) return;
  const html = await answer.text();
  const calendar = part.querySelector('[data-calendar]') && (await import('./start-calendar.client.ts'));
  // Whoever touched the calendar meanwhile has the island's, which counts in own days.
  if (location.search !== search || calendarState.get() !== 'static') return;
  if (calendar) calendar.updateCalendar(part, html);
  else part.innerHTML = html;
  ticketsAdded();
}

const part = document.querySelector<HTMLElement>('[data-part]');
if (isAbroad) {
  showPosters();
  ticketRevision.listen(showPosters);
  // Further rows that the address asks for come in own days with them.
  if (part && !/[?&](t(z|ab=trending)|pages=)/.test(location.search)) showLocalDays(part).catch(() => {});
}
