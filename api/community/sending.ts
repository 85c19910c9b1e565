import { isDeadlock, isLockedByOthers, isPassing, isUnreachable } from '#db/database-errors.ts';
import type { MessageRow } from '#db/queries/community/messages.ts';
import {
  listLockedChannels,
  type Sending,
  type SendOutcome,
  type SendRate,
  storeMessages,
} from '#db/queries/community/sending.ts';
import { currentWork, doFor, type Work } from '#db/work.ts';
import { missingStar } from '../directory/missing-star.ts';
import { ApiError, BadInput, Conflict, Forbidden, TooManyRequests, Unavailable } from '../errors.ts';
import { countOrRefuse } from '../plugins/rate-limits.ts';
import { invalidateChannel } from '../throttled-invalidation.ts';
import { readContent } from './content.ts';
import { publishMessages } from './live/live.ts';
import { toMessage } from './messages.ts';
import { type MessageAnswer, messageKeyPattern, type NewMessage } from './model.ts';

/** Messages of one account, and its calls with those that are refused or repeated, over all channels and processes (decision S7). */
const rates: Record<'account' | 'calls', SendRate> = {
  account: { count: 20, seconds: 10 },
  calls: { count: 240, seconds: 60 },
};
/** Messages that one statement stores. */
const maxBatchSize = 200;
/**
 * Milliseconds from one batch to the next while many write: every batch costs the database a transaction, and each stream a write.
 * With 2,000 readers at 400 messages a second more of either takes so much of two cores that messages come later.
 */
const batchInterval = 40;
/** Milliseconds for which messages wait for a lock once more; others store theirs in less. */
const retryLockWait = 200;
/** Messages that may wait; beyond it the database cannot keep up. */
const maxQueueLength = 5_000;
/**
 * Messages of one account that may wait, twice what it may send in ten seconds: a batch takes one of them, so that those of a flood
 * would stay in the queue for minutes and leave others no place.
 */
const maxWaitingOfAccount = 40;
/** A call with the same key that is not finished yet is finished soon. */
const maxAttempts = 20;

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

interface QueuedMessage {
  sending: Sending;
  /** For what it was called. */
  work: Work;
  attempts: number;
  resolve(sent: SendOutcome): void;
  reject(error: unknown): void;
}

const queue: QueuedMessage[] = [];
/** How many of the queue are of each account. */
const waitingByAccount = new Map<number, number>();
let isDraining = false;

/**
 * Sends a message (§5, decisions S5, S6). It is stored when the answer comes, once, however often the call is repeated with
 * its key. Calls that come while others are being stored are stored together after them.
 * @param header the value of `Idempotency-Key`
 * @throws BadInput, Forbidden (`not_member`), Muted, TooSoon, TooManyRequests, Conflict (`key_reused`), NotFound, Moved, Unavailable
 */
export async function sendMessage(
  userId: number,
  starId: number,
  input: NewMessage,
  header: string | null,
): Promise<MessageAnswer> {
  const sending = { starId, userId, ...(await readOrCount(userId, input, header)) };
  const outcome = await new Promise<SendOutcome>((resolve, reject) =>
    enqueueMessage({ sending, work: currentWork() ?? {}, attempts: 0, resolve, reject }),
  );
  if ('refusal' in outcome) throw refusalOf(outcome);
  return { message: toMessage(outcome.message), nextMessageAt: outcome.nextMessageAt?.toISOString() ?? null };
}

/** What a call says. One that cannot be read reaches no statement that counts it: it is counted here. @throws BadInput, TooManyRequests */
async function readOrCount(userId: number, input: NewMessage, header: string | null) {
  try {
    return { clientId: readKey(header, input.clientId), content: readContent(input.content) };
  } catch (error) {
    await countOrRefuse({ name: 'unread-messages', ...rates.calls }, `account:${userId}`);
    throw error;
  }
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

function refusalOf({ refusal, seconds }: Extract<SendOutcome, { refusal: unknown }>): ApiError {
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

function enqueueMessage(queued: QueuedMessage): void {
  if (queue.length >= maxQueueLength) {
    queued.reject(new Unavailable('The chat is too busy.'));
    return;
  }
  const { userId } = queued.sending;
  const waiting = waitingByAccount.get(userId) ?? 0;
  if (waiting >= maxWaitingOfAccount) {
    queued.reject(new TooManyRequests(rates.account.seconds));
    return;
  }
  waitingByAccount.set(userId, waiting + 1);
  queue.push(queued);
  if (!isDraining) void drain();
}

/** Stores what waits, batch by batch, until nothing does. */
async function drain(): Promise<void> {
  isDraining = true;
  while (queue.length > 0) {
    const batch = takeBatch();
    const startedAt = performance.now();
    try {
      await storeFor(batch);
    } catch (error) {
      await storeOthers(batch, error);
    }
    if (batch.length > 1) await Bun.sleep(Math.max(0, startedAt + batchInterval - performance.now()));
  }
  isDraining = false;
}

/** Stores what can be stored of a batch that failed. One by which the database was lost may be stored: it is not tried again. */
async function storeOthers(batch: readonly QueuedMessage[], error: unknown): Promise<void> {
  if (batch.length === 1 || isUnreachable(error)) rejectAll(batch, error);
  else if (isLockedByOthers(error)) await storeUnlocked(batch, error);
  else if (isDeadlock(error)) await storeOrReject(batch);
  else if (isPassing(error)) rejectAll(batch, error);
  // One odd message must not take the others with it.
  else for (const queued of batch) await storeOrReject([queued]);
}

/**
 * Stores what others do not keep locked. A channel may be held by another process that waits for the next one of its batch: so each
 * is asked for by itself, and for a moment only. Where none is locked it is another row, such as that of one account.
 */
async function storeUnlocked(batch: readonly QueuedMessage[], error: unknown): Promise<void> {
  const starOf = ({ sending }: QueuedMessage) => sending.starId;
  const locked = await listLockedChannels([...new Set(batch.map(starOf))]).catch(() => undefined);
  if (!locked) rejectAll(batch, error);
  else if (locked.length === 0) for (const queued of batch) await storeOrReject([queued], retryLockWait);
  else for (const group of Map.groupBy(batch, starOf).values()) await storeOrReject(group, retryLockWait);
}

const storeOrReject = (batch: readonly QueuedMessage[], lockWait?: number): Promise<void> =>
  storeFor(batch, lockWait).catch((error: unknown) => rejectAll(batch, error));

function rejectAll(batch: readonly QueuedMessage[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

/** The longest waiting, at most one per account: each is judged by what the account sent before. */
function takeBatch(): QueuedMessage[] {
  const batch = new Map<number, QueuedMessage>();
  const remaining: QueuedMessage[] = [];
  for (const queued of queue) {
    const { userId } = queued.sending;
    if (batch.size < maxBatchSize && !batch.has(userId)) batch.set(userId, queued);
    else remaining.push(queued);
  }
  queue.splice(0, queue.length, ...remaining);
  for (const userId of batch.keys()) {
    const waiting = (waitingByAccount.get(userId) ?? 0) - 1;
    if (waiting > 0) waitingByAccount.set(userId, waiting);
    else waitingByAccount.delete(userId);
  }
  return [...batch.values()];
}

/** In traces and logs a batch belongs to whoever asked first. */
const storeFor = (batch: readonly QueuedMessage[], lockWait?: number): Promise<void> =>
  doFor(batch[0]?.work ?? {}, () => storeBatch(batch, lockWait));

async function storeBatch(batch: readonly QueuedMessage[], lockWait?: number): Promise<void> {
  const outcomes = await storeMessages(
    batch.map(({ sending }) => sending),
    rates,
    lockWait,
  );
  const storedByChannel = new Map<number, { starId: number; previous: number; messages: MessageRow[] }>();
  for (const [place, queued] of batch.entries()) {
    const outcome = outcomes[place] ?? 'again';
    if (outcome === 'again') retry(queued);
    else if (outcome === 'missing') void refuseMissing(queued);
    else {
      if ('message' in outcome && outcome.previousEventId !== null) {
        const { channelId, message, previousEventId } = outcome;
        const group = storedByChannel.get(channelId);
        if (group) group.messages.push(message);
        else
          storedByChannel.set(channelId, {
            starId: queued.sending.starId,
            previous: previousEventId,
            messages: [message],
          });
      }
      queued.resolve(outcome);
    }
  }
  for (const [channelId, { starId, previous, messages }] of storedByChannel) {
    publishMessages(channelId, previous, messages);
    invalidateChannel(starId);
  }
}

/** Not awaited: what goes wrong here must not have the others stored twice. */
const refuseMissing = ({ sending, reject }: QueuedMessage): Promise<void> =>
  missingStar(sending.starId, 'Channel').then(reject, reject);

function retry(queued: QueuedMessage): void {
  queued.attempts += 1;
  if (queued.attempts > maxAttempts) queued.reject(new Unavailable());
  else setTimeout(() => enqueueMessage(queued), 10 * queued.attempts);
}
