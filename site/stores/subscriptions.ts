/** The events that the fan is subscribed to: shared by hearts and reminder settings. */
import { atom } from 'nanostores';
import type { Subscription } from '#api/events/subscription-model.ts';
import { callApi } from '../client/api.ts';
import { token } from './session.ts';

/** How each event reminds, by its id, as the server last said; undefined for guests and until it has said so. */
export const subscriptions = atom<ReadonlyMap<number, Subscription> | undefined>(undefined);

let request: { proof: string; answer: Promise<void> } | undefined;

/**
 * Asks for the subscriptions of whoever is logged in, once per page and fan.
 * @throws what `callApi` throws; the next call asks again
 */
export function readSubscriptions(proof: string): Promise<void> {
  if (request?.proof === proof) return request.answer;
  const answer = callApi('get', '/api/events/subscriptions', { retries: 1 }).then((read) => {
    if (token.get() === proof)
      subscriptions.set(new Map(read.subscriptions.map((each) => [each.eventId, each])));
  });
  answer.catch(() => {
    if (request?.answer === answer) request = undefined;
  });
  request = { proof, answer };
  return answer;
}

/** Notes what the server answered to a change: a subscription, or that there is none. */
export function setSubscription(eventId: number, subscription: Subscription | undefined): void {
  const next = new Map(subscriptions.get());
  if (subscription) next.set(eventId, subscription);
  else next.delete(eventId);
  subscriptions.set(next);
}

// Whoever comes next has other ones.
token.listen(() => subscriptions.set(undefined));
