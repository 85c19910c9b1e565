/** What the scripts of a page share of the events in it. */
import { atom } from 'nanostores';

/** Counts how often tickets were put into the page: who fills in countdowns, local times or hearts does so again. */
export const ticketRevision = atom(0);

/** Says that tickets were put into the page. */
export function ticketsAdded(): void {
  ticketRevision.set(ticketRevision.get() + 1);
}

/**
 * What the calendar in the page is: `static` is the server's, whose days are links; so it stays while the island is `loading`,
 * and when that has `failed`; `interactive` is the island.
 */
export const calendarState = atom<'static' | 'loading' | 'interactive' | 'failed'>('static');
