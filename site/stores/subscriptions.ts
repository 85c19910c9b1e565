/** The events that the fan is subscribed to: shared by hearts and reminder settings. */
import { atom } from 'nanostores';
import type { NotificationSettings, ReminderChannels, Subscription } from '#api/events/subscription-model.ts';
import { callApi } from '../client/api.ts';
import { token } from './session.ts';

/** How each event reminds, by its id, as the server last said; undefined for guests and until it has said so. */
export const subscriptions = atom<ReadonlyMap<number, Subscription> | undefined>(undefined);

/** What would keep a reminder from reaching the fan, as the server last said; undefined until then. */
export const reminderChannels = atom<ReminderChannels | undefined>(undefined);

/** Why reminders that the fan wants would not arrive; each of these has its words, `hearts:missing_…`. */
export type MissingReason = Exclude<ReminderChannels[keyof ReminderChannels], 'ready'>;

/** What keeps the wanted channels from reaching the fan; empty when nothing is known to. */
export function missingReasons(wanted: Pick<NotificationSettings, 'email' | 'push'>): MissingReason[] {
  const channels = reminderChannels.get();
  return (['email', 'push'] as const).flatMap((channel) => {
    const state = channels?.[channel] ?? 'ready';
    return wanted[channel] && state !== 'ready' ? [state] : [];
  });
}

let request: { proof: string; answer: Promise<void> } | undefined;

/**
 * Asks for the subscriptions of whoever is logged in, once per page and fan.
 * @throws what `callApi` throws; the next call asks again
 */
export function readSubscriptions(proof: string): Promise<void> {
  if (request?.proof === proof) return request.answer;
  const answer = callApi('get', '/api/events/subscriptions', { retries: 1 }).then((read) => {
    if (token.get() !== proof) return;
    reminderChannels.set(read.channels);
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

// A page that Back brings out of memory says what was true when it was left.
window.addEventListener('pageshow', ({ persisted }) => {
  const proof = token.get();
  if (!persisted || !request || !proof) return;
  request = undefined;
  readSubscriptions(proof).catch((error: unknown) => console.error('subscriptions:', error));
});

// Whoever comes next has other ones.
token.listen(() => {
  reminderChannels.set(undefined);
  subscriptions.set(undefined);
});
