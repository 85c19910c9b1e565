import { callApi } from '../../client/api.ts';
import { subscriptions } from '../../stores/events.ts';
import { token } from '../../stores/session.ts';

let request: { proof: string; answer: Promise<void> } | undefined;

/**
 * Asks which events the fan is subscribed to, once per page and fan; the answer is in the store.
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

// Whoever comes next has other ones.
token.listen(() => subscriptions.set(undefined));
