/** What the scripts of a page share of its events. Without calls of the API: every page with an event loads it. */
import { atom } from 'nanostores';
import type { Subscription } from '#api/events/subscription-model.ts';

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

/** How the fan is subscribed to events, by their ids, as the server last said; undefined for guests and until it has said so. */
export const subscriptions = atom<ReadonlyMap<number, Subscription> | undefined>(undefined);

/** Notes what the server answered to a change: a subscription, or that there is none. */
export function setSubscription(eventId: number, subscription: Subscription | undefined): void {
  const next = new Map(subscriptions.get());
  if (subscription) next.set(eventId, subscription);
  else next.delete(eventId);
  subscriptions.set(next);
}
