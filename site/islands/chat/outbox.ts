import { storageKey } from '#content/site.ts';

/** Why a message is not sent. `network`: nobody answered, it goes by itself when the connection is back. */
export type Failure = 'network' | 'slow' | 'notMember' | 'muted' | 'login' | 'refused';

/** A message on its way. `clientId` makes it the same message however often it is sent (decision S5). */
export interface Pending {
  clientId: string;
  content: string;
  /** When it was written, ms. */
  at: number;
  failure: Failure | undefined;
}

/** What is kept of a fan's own words in a channel until the server has them. */
export interface Kept {
  draft: string;
  pending: readonly Pending[];
}

const nothing: Kept = { draft: '', pending: [] };
const keyOf = (userId: number, starId: number) => `${storageKey}:chat:${userId}:${starId}`;

const isText = (value: unknown): value is string => typeof value === 'string';

function readPending(value: unknown): Pending[] {
  if (typeof value !== 'object' || value === null) return [];
  const { clientId, content, at }: { clientId?: unknown; content?: unknown; at?: unknown } = value;
  if (!isText(clientId) || !isText(content) || typeof at !== 'number') return [];
  return [{ clientId, content, at, failure: 'network' }];
}

/** Reads what a browser kept, whatever it is. What was on its way counts as not sent. */
export function decodeKept(text: string | null): Kept {
  try {
    const value: { draft?: unknown; pending?: unknown } | null = JSON.parse(text ?? 'null');
    return {
      draft: isText(value?.draft) ? value.draft : '',
      pending: Array.isArray(value?.pending) ? value.pending.flatMap(readPending) : [],
    };
  } catch {
    return nothing;
  }
}

export function readKept(userId: number, starId: number): Kept {
  return decodeKept(localStorage.getItem(keyOf(userId, starId)));
}

/** Keeps it for after a reload. A full or forbidden store only costs that. */
export function keep(userId: number, starId: number, kept: Kept): void {
  try {
    if (kept.draft === '' && kept.pending.length === 0) localStorage.removeItem(keyOf(userId, starId));
    else localStorage.setItem(keyOf(userId, starId), JSON.stringify(kept));
  } catch (error) {
    console.warn('drafts are not kept', error);
  }
}

/** A key that nobody else makes; works also where `crypto.randomUUID` does not (http addresses in a local network). */
export function newClientId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
