import { t } from 'elysia';
import type { Transaction } from '#db/client.ts';
import { isUnreachable } from '#db/database-errors.ts';
import { log } from '#db/log.ts';
import { giveBackKey, type KeyedCall, renewKey, storeAnswer, takeKey } from '#db/queries/idempotency.ts';
import { BadInput, Conflict } from '../errors.ts';

/** Any short text of visible ASCII, a UUID at best. */
const keyPattern = /^[\x21-\x7e]{1,100}$/;
/**
 * A call that has neither answered nor renewed its key for so long has ended with its process. An upload that waits for its turn, or an
 * import, takes minutes: it renews its key as long as it is under way.
 */
const keyLease = { seconds: 60, renewEverySeconds: 15 };
/** A repeat waits for the first call to answer, looking so often. */
const waits = { milliseconds: 100, times: 100 };

/** For the `headers` of a route whose handler calls `makeOnce`: OpenAPI tells of it. */
export const IdempotencyHeaders = t.Object({
  'idempotency-key': t.Optional(
    t.String({
      description: 'A repeat with the same key within a day makes nothing and has the same answer.',
    }),
  ),
});

/**
 * Stores a call's answer in the transaction that makes the thing: a process that ends in between leaves both or neither. Needed where
 * no unique key keeps a second one out.
 */
export type KeepAnswer<Answer> = (tx: Transaction, answer: Answer) => Promise<void>;

/** Another call with the key has answered, or none has it any more: what this one made is rolled back. */
class KeyLost extends Error {}

/**
 * Makes something once, however often the call is repeated with its `Idempotency-Key` (decision S5): a repeat answers what the first
 * one did, also while that is under way, and a call that failed may be tried again. Without a key it is simply made.
 * @param content what was sent, in any form that is the same when it is sent again
 * @param make with a key, hands its answer to `keepAnswer` in the transaction that writes
 * @param lease when a key that has no answer counts as abandoned, and how often one that is under way is renewed
 * @throws BadInput for a key that is none; Conflict (`key_reused`) when it was used for another call
 */
export async function makeOnce<Answer>(
  request: Request,
  userId: number,
  content: unknown,
  make: (keepAnswer?: KeepAnswer<unknown>) => Promise<Answer>,
  lease = keyLease,
): Promise<Answer> {
  const key = request.headers
    .get('idempotency-key')
    ?.trim()
    .replace(/^"(.*)"$/, '$1');
  if (key === undefined) return make();
  if (!keyPattern.test(key))
    throw new BadInput('Idempotency-Key', 'Must be 1 to 100 visible ASCII characters.');
  const call = { userId, key, request: hashOf(request, content) };
  for (let times = 0; times < waits.times; times += 1) {
    const earlier = await takeKey(call, lease.seconds);
    if (!earlier) {
      const made = await makeFirst(call, make, lease.renewEverySeconds);
      if (made instanceof KeyLost) continue;
      return made;
    }
    if (earlier.request !== call.request)
      throw new Conflict('key_reused', 'This key was used for another call.', 'Idempotency-Key');
    // It passed this very route's contract, as it will again.
    if (earlier.answer !== null) return earlier.answer as Answer;
    await Bun.sleep(waits.milliseconds);
  }
  throw new Conflict('under_way', 'The first call with this key has not answered yet. Try again.');
}

async function makeFirst<Answer>(
  call: KeyedCall,
  make: (keepAnswer: KeepAnswer<unknown>) => Promise<Answer>,
  renewEverySeconds: number,
): Promise<Answer | KeyLost> {
  const renewing = setInterval(() => {
    renewKey(call).catch((error: unknown) => {
      if (!isUnreachable(error)) log.error({ err: error }, 'a key is not renewed');
    });
  }, renewEverySeconds * 1000);
  const keepAnswer: KeepAnswer<unknown> = async (tx, answer) => {
    if (!(await storeAnswer(call, answer, tx))) throw new KeyLost();
  };
  try {
    const answer = await make(keepAnswer);
    // For those that made it without a transaction of ours; does nothing where it is kept.
    await storeAnswer(call, answer);
    return answer;
  } catch (error) {
    if (error instanceof KeyLost) return error;
    await giveBackKey(call);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

function hashOf({ method, url }: Request, content: unknown): string {
  const what = `${method} ${new URL(url).pathname}\n${JSON.stringify(content)}`;
  return new Bun.CryptoHasher('sha256').update(what).digest('hex');
}
