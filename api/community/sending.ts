import { isUnreachable } from '#db/migrate.ts';
import type { MessageRow } from '#db/queries/community/messages.ts';
import { type Sending, type SendRate, type Sent, storeMessages } from '#db/queries/community/sending.ts';
import {
  ApiError,
  BadInput,
  Conflict,
  Forbidden,
  NotFound,
  TooManyRequests,
  Unavailable,
} from '../errors.ts';
import { readContent } from './content.ts';
import { noteActivity } from './freshness.ts';
import { messagesStored } from './live/live.ts';
import { toMessage } from './messages.ts';
import { type MessageAnswer, messageKeyPattern, type NewMessage } from './model.ts';

/** Messages of one account, and its calls with those that are refused or repeated, over all channels and processes (decision S7). */
const rates: Record<'account' | 'calls', SendRate> = {
  account: { count: 20, seconds: 10 },
  calls: { count: 240, seconds: 60 },
};
/** Messages that one statement stores. */
const largestBatch = 200;
/**
 * Milliseconds from one batch to the next while many write: streams are written to as seldom (`live/live.ts`), so what is stored
 * sooner would only wait there, and every batch costs the database a transaction.
 */
const gathering = 50;
/** Messages that may wait; beyond it the database cannot keep up. */
const longestQueue = 5_000;
/** A call with the same key that is not finished yet is finished soon. */
const mostTries = 20;

/** A moderator has muted the sender. */
class Muted extends ApiError {
  readonly status = 403;
  constructor(seconds: number) {
    super('muted', 'A moderator has muted you in this channel.', undefined, {
      'retry-after': String(seconds),
    });
  }
}

/** Slow mode: the sender's next message is let through in so many seconds. */
class TooSoon extends ApiError {
  readonly status = 429;
  constructor(seconds: number) {
    super('slow_mode', 'This channel is in slow mode.', undefined, { 'retry-after': String(seconds) });
  }
}

interface Waiting {
  sending: Sending;
  tries: number;
  done(sent: Sent): void;
  fail(error: unknown): void;
}

const queue: Waiting[] = [];
let isDraining = false;

/**
 * Sends a message (§5, decisions S5, S6). It is stored when the answer comes, once, however often the call is repeated with
 * its key. Calls that come while others are being stored are stored together after them.
 * @param header the value of `Idempotency-Key`
 * @throws BadInput, Forbidden (`not_member`), Muted, TooSoon, TooManyRequests, Conflict (`key_reused`), NotFound, Unavailable
 */
export async function sendMessage(
  userId: number,
  starId: number,
  input: NewMessage,
  header: string | null,
): Promise<MessageAnswer> {
  const sending = {
    starId,
    userId,
    clientId: readKey(header, input.clientId),
    content: readContent(input.content),
  };
  const sent = await new Promise<Sent>((done, fail) => enqueue({ sending, tries: 0, done, fail }));
  if ('refusal' in sent) throw refusalOf(sent);
  return { message: toMessage(sent.message), nextMessageAt: sent.nextMessageAt?.toISOString() ?? null };
}

const keyPattern = new RegExp(messageKeyPattern);

/** The key of a call: header and body name the same one. RFC 8941 writes the header's in quotes. */
function readKey(header: string | null, clientId: string | undefined): string | null {
  const key = header?.trim().replace(/^"(.*)"$/, '$1');
  if (key !== undefined && !keyPattern.test(key)) {
    throw new BadInput('Idempotency-Key', 'Must be 1 to 100 visible ASCII characters.');
  }
  if (key !== undefined && clientId !== undefined && key !== clientId) {
    throw new BadInput('clientId', 'Must be the same as Idempotency-Key.');
  }
  return key ?? clientId ?? null;
}

function refusalOf({ refusal, seconds }: Extract<Sent, { refusal: unknown }>): ApiError {
  switch (refusal) {
    case 'not_member':
      return new Forbidden('not_member', 'Join the channel to send messages.');
    case 'muted':
      return new Muted(seconds);
    case 'slow_mode':
      return new TooSoon(seconds);
    case 'rate_limited':
      return new TooManyRequests(seconds);
    case 'key_reused':
      return new Conflict('key_reused', 'This key was used for another message.');
  }
}

function enqueue(waiting: Waiting): void {
  if (queue.length >= longestQueue) {
    waiting.fail(new Unavailable('The chat is too busy.'));
    return;
  }
  queue.push(waiting);
  if (!isDraining) void drain();
}

/** Stores what waits, batch by batch, until nothing does. */
async function drain(): Promise<void> {
  isDraining = true;
  while (queue.length > 0) {
    const batch = takeBatch();
    const from = performance.now();
    try {
      await storeBatch(batch);
    } catch (error) {
      // One odd message must not take the others with it.
      if (batch.length === 1 || isUnreachable(error)) for (const { fail } of batch) fail(error);
      else for (const each of batch) await storeBatch([each]).catch(each.fail);
    }
    if (batch.length > 1) await Bun.sleep(Math.max(0, from + gathering - performance.now()));
  }
  isDraining = false;
}

/** The longest waiting, at most one per account: each is judged by what the account sent before. */
function takeBatch(): Waiting[] {
  const batch = new Map<number, Waiting>();
  const left: Waiting[] = [];
  for (const waiting of queue) {
    const { userId } = waiting.sending;
    if (batch.size < largestBatch && !batch.has(userId)) batch.set(userId, waiting);
    else left.push(waiting);
  }
  queue.splice(0, queue.length, ...left);
  return [...batch.values()];
}

async function storeBatch(batch: readonly Waiting[]): Promise<void> {
  const outcomes = await storeMessages(
    batch.map(({ sending }) => sending),
    rates,
  );
  const stored = new Map<number, { starId: number; previous: number; messages: MessageRow[] }>();
  for (const [place, waiting] of batch.entries()) {
    const outcome = outcomes[place] ?? 'again';
    if (outcome === 'again') tryAgain(waiting);
    else if (outcome === 'missing') waiting.fail(new NotFound('Channel'));
    else {
      if ('message' in outcome && outcome.previousEventId !== null) {
        const { channelId, message, previousEventId } = outcome;
        const known = stored.get(channelId);
        if (known) known.messages.push(message);
        else
          stored.set(channelId, {
            starId: waiting.sending.starId,
            previous: previousEventId,
            messages: [message],
          });
      }
      waiting.done(outcome);
    }
  }
  for (const [channelId, { starId, previous, messages }] of stored) {
    messagesStored(channelId, previous, messages);
    noteActivity(starId);
  }
}

function tryAgain(waiting: Waiting): void {
  waiting.tries += 1;
  if (waiting.tries > mostTries) waiting.fail(new Unavailable());
  else setTimeout(() => enqueue(waiting), 10 * waiting.tries);
}
