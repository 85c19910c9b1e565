import { findPasswordHash } from '#db/queries/accounts/accounts.ts';
import { eraseAccount } from '#db/queries/accounts/erasure.ts';
import {
  endDevice,
  endDevices,
  exportAccount,
  exportMessages,
  listDevices,
  listWrittenChannels,
} from '#db/queries/accounts/own-data.ts';
import { config } from '../config.ts';
import { BadInput, Conflict, NotAuthenticated, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import { deleteLettersOf, outboxOf } from '../mail/outbox.ts';
import { countOrRefuse } from '../plugins/rate-limits.ts';
import type { Visitor } from '../plugins/session.ts';
import { type Tag, tagsOfEvents } from '../tags.ts';
import type { DeviceItem } from './model.ts';
import { asPassword, problems } from './rules.ts';

/** The devices on which an account is logged in, newest first; `current` is the one that asks. */
export async function readDevices({ id, sessionId }: Visitor): Promise<DeviceItem[]> {
  const rows = await listDevices(id);
  return rows.map(({ sessionId: deviceSession, createdAt, expiresAt, ...device }) => ({
    ...device,
    current: deviceSession === sessionId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** Logs one device out. @throws NotFound */
export async function logOutDevice({ id }: Visitor, device: string): Promise<void> {
  if (!(await endDevice(id, device))) throw new NotFound('Device');
}

/** Logs every device out, this one too. */
export function logOutEverywhere({ id }: Visitor): Promise<void> {
  return endDevices(id);
}

/**
 * Everything that the site holds about an account, as the text of one JSON object in pieces that are made as they are read: whoever
 * has written 50,000 messages would take hundreds of megabytes at once. Messages come by channel, newest first.
 * @throws NotAuthenticated
 */
export async function readOwnData({ id }: Visitor): Promise<ReadableStream<Uint8Array>> {
  const data = await exportAccount(id);
  if (!data) throw new NotAuthenticated();
  const pieces = writeOwnData(id, { exportedAt: new Date().toISOString(), ...data });
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await pieces.return()),
  });
}

async function* writeOwnData(userId: number, data: object): AsyncGenerator<string, void, void> {
  yield `${JSON.stringify(data).slice(0, -1)},"messages":[`;
  let separator = '';
  for (const { id, starId } of await listWrittenChannels(userId)) {
    let page = await exportMessages(userId, id, Number.MAX_SAFE_INTEGER);
    for (let last = page.at(-1); last; last = page.at(-1)) {
      yield separator + page.map((message) => JSON.stringify({ starId, ...message })).join();
      separator = ',';
      page = await exportMessages(userId, id, last.id);
    }
  }
  yield ']}';
}

/**
 * The hash of an account's password, if this is it. A stolen session must not serve to guess it: 10 tries an hour.
 * @param field what the caller called it, for the error
 */
export async function provePassword(id: number, password: string, field: string): Promise<string> {
  if (password === '') throw new BadInput(field, problems.required, 'required');
  await countOrRefuse({ name: 'current-password', count: 10, seconds: 3600 }, `account:${id}`);
  const hash = await hashIfPassword(id, password);
  if (hash === undefined) throw new BadInput(field, problems.password_wrong, 'password_wrong');
  return hash;
}

/** The hash of an account's password; undefined where this is not the password. */
export async function hashIfPassword(id: number, password: string): Promise<string | undefined> {
  const hash = await findPasswordHash(id);
  return hash && (await Bun.password.verify(asPassword(password), hash)) ? hash : undefined;
}

/**
 * Ends the account for good; its messages stay as "deleted user". Letters in the outbox of another machine go with its next `forgetting`.
 * @throws BadInput when the password is wrong, TooManyRequests; Conflict for the last admin (`last_admin`) or when the account changed
 * meanwhile
 */
export async function deleteAccount({ id }: Visitor, password: string): Promise<void> {
  const erased = await eraseAccount(id, await provePassword(id, password, 'currentPassword'));
  if (erased === 'last_admin')
    throw new Conflict(
      'last_admin',
      'The last admin cannot be deleted: somebody else must become one first.',
    );
  if (!erased) throw new Conflict('changed', 'The account was changed meanwhile. Try again.');
  await deleteLettersOf(outboxOf(config()), [id]);
  await invalidate([
    ...erased.followed.map((star) => `star:${star}` as const),
    ...tagsOfEvents(erased.subscribed),
    ...tagsOfAuthor(erased.channels),
  ]);
}

/** Invalidates the pages that show this account's name or badge beside its messages. */
export async function invalidateAuthor(userId: number): Promise<void> {
  const channels = await listWrittenChannels(userId);
  await invalidate(tagsOfAuthor(channels.map(({ starId }) => starId)));
}

/** Tags of the pages that name an author of these channels. */
const tagsOfAuthor = (channels: readonly number[]): Tag[] =>
  channels.length === 0 ? [] : [...channels.map((star) => `channel:${star}` as const), 'channels', 'talk'];
