import { limits, storageKey } from '#content/site.ts';
import { fromStorage } from '../../client/storage.ts';
import { isFailure, type SendFailure } from './failures.ts';

/** A message on its way. `clientId` makes it the same message however often it is sent (decision S5). */
export interface Pending {
  clientId: string;
  content: string;
  /** When it was written, ms. */
  at: number;
  failure: SendFailure | undefined;
}

/** What is kept of a fan's own words in a channel until the server has them. */
export interface Outbox {
  /** Of each tab in which the channel is open, or was, the one that was typed last at the end. */
  drafts: readonly string[];
  pending: readonly Pending[];
}

const emptyOutbox: Outbox = { drafts: [], pending: [] };
const keyOf = (userId: number, starId: number) => `${storageKey}:chat:${userId}:${starId}`;

const isText = (value: unknown): value is string => typeof value === 'string';

function parsePending(value: unknown): Pending[] {
  if (typeof value !== 'object' || value === null) return [];
  const { clientId, content, at, failure }: { [Key in keyof Pending]?: unknown } = value;
  if (!isText(clientId) || !isText(content) || typeof at !== 'number') return [];
  return [{ clientId, content, at, failure: isFailure(failure) ? failure : 'network' }];
}

/** A day less than the server knows a key, for a device whose clock is not right. */
const longestOnWay = (limits.messageKeyDays - 1) * 86_400_000;

/**
 * Reads what a browser kept, whatever it is. What was on its way counts as not sent. When that is so long ago that the server may know
 * its key no more, it would be sent twice: it is a draft again.
 */
export function parseOutbox(text: string | null | undefined, now = Date.now()): Outbox {
  try {
    // Browsers still keep what the release before wrote, which had one draft.
    const value: { draft?: unknown; drafts?: unknown; pending?: unknown } | null = JSON.parse(text ?? 'null');
    const all = Array.isArray(value?.pending) ? value.pending.flatMap(parsePending) : [];
    const pending = all.filter(({ at }) => now - at < longestOnWay);
    const late = all.filter((each) => !pending.includes(each)).map(({ content }) => content);
    const drafts: unknown[] = Array.isArray(value?.drafts) ? value.drafts : [value?.draft];
    return { drafts: [...late, ...drafts.filter(isText).filter(Boolean)], pending };
  } catch {
    return emptyOutbox;
  }
}

export function readOutbox(userId: number, starId: number): Outbox {
  return parseOutbox(fromStorage(() => localStorage.getItem(keyOf(userId, starId))));
}

/**
 * Keeps it for after a reload, beside what other tabs of the channel keep. A full or forbidden store only costs that.
 * @param known what this tab has kept before: keys of messages, which grow by those of now, and drafts
 * @returns those on the way that no other tab has sent or discarded
 */
export function saveOutbox(
  userId: number,
  starId: number,
  { drafts, pending }: Outbox,
  known: { clientIds: Set<string>; drafts: readonly string[] },
): readonly Pending[] {
  try {
    const kept = readOutbox(userId, starId);
    const keptIds = new Set(kept.pending.map(({ clientId }) => clientId));
    const own = pending.filter(({ clientId }) => !known.clientIds.has(clientId) || keptIds.has(clientId));
    const ownIds = new Set(own.map(({ clientId }) => clientId));
    const others = kept.pending.filter(
      ({ clientId }) => !known.clientIds.has(clientId) && !ownIds.has(clientId),
    );
    const all: Outbox = {
      drafts: [...kept.drafts.filter((draft) => !known.drafts.includes(draft)), ...drafts],
      pending: [...others, ...own].sort((one, other) => one.at - other.at),
    };
    if (all.drafts.length + all.pending.length === 0) localStorage.removeItem(keyOf(userId, starId));
    else localStorage.setItem(keyOf(userId, starId), JSON.stringify(all));
    for (const clientId of ownIds) known.clientIds.add(clientId);
    return own;
  } catch (error) {
    console.warn('drafts are not kept', error);
    return pending;
  }
}

/** A key that nobody else makes; works also where `crypto.randomUUID` does not (http addresses in a local network). */
export function newClientId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
