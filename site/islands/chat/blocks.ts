import type { WritableAtom } from 'nanostores';
import { storageKey } from '#content/site.ts';
import { callApi } from '../../client/api.ts';
import { fromStorage } from '../../client/storage.ts';

/** Whom a reader does not want to hear (decision C4). */

/** @throws what `callApi` throws, like the other */
export const readBlocks = () => callApi('get', '/api/community/blocks');

/** Firefox forbids it together with storage. */
const tabs = fromStorage(() => new BroadcastChannel(`${storageKey}:blocks`));

/** Calls back when another tab of this browser has blocked somebody, or ended that. */
export function onBlocksChanged(react: () => void): void {
  tabs?.addEventListener('message', react);
}

/** Blocks a person, or ends it, and notes it in what the chat and other tabs know; the same when it arrives twice. */
export async function setBlocked(
  blocked: WritableAtom<ReadonlySet<number>>,
  userId: number,
  isBlocked: boolean,
): Promise<void> {
  const options = { params: { userId }, idempotent: true };
  if (isBlocked) await callApi('put', '/api/community/blocks/:userId', options);
  else await callApi('delete', '/api/community/blocks/:userId', options);
  const next = new Set(blocked.get());
  if (isBlocked) next.add(userId);
  else next.delete(userId);
  blocked.set(next);
  tabs?.postMessage(null);
}
