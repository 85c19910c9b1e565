/**
 * The stars of somebody who is logged in are the account's: this browser's list and the account's become
 * one at login, then each tells the other what changed. Loaded only where there is a session.
 */
import { storageKey } from '#content/site.ts';
import { CallFailed, callApi } from '../../client/api.ts';
import { fromStorage } from '../../client/storage.ts';
import { showToast } from '../../client/toast.ts';
import { compactCount } from '../../i18n/format.ts';
import {
  differenceOf,
  differenceToSend,
  type SyncedList,
  withDifference,
} from '../../lib/stars/star-lists.ts';
import { favourites, setFavourites } from '../../stores/favourites.ts';
import { account, token } from '../../stores/session.ts';
import { storedAtom } from '../../stores/stored-atom.ts';

/** The account's list as the server last said it; what differs from it has not been sent yet. */
const accountListKey = `${storageKey}:follows`;
const accountList = storedAtom<SyncedList | undefined>(accountListKey, undefined);

/** Whether the next page finds the stars of this one: a browser without room for them keeps those that it had. */
function areStarsKept(): boolean {
  const ids = favourites.get();
  const kept = fromStorage(() => localStorage.getItem(`${storageKey}:preferences`));
  return ids.length === 0 || Boolean(kept?.includes(`[${ids.join()}]`));
}

/** Another device's change may show this late. */
const maxAge = 30_000;
const checkedAtKey = `${storageKey}:follows-asked`;
let lastExchange: Promise<void> | undefined;

/** One press is sent by the call of its star, whose answer counts the followers: the number on the star's page is then true. */
async function sendFollow(id: number, following: boolean): Promise<void> {
  const { followerCount } = await callApi('post', '/api/stars/:id/follow', {
    params: { id },
    body: { followType: 'follow', following },
    idempotent: true,
  });
  const place = document.querySelector<HTMLElement>(`[data-followers="${id}"]`);
  const number = place?.querySelector('dd');
  if (!place || !number) return;
  place.hidden = followerCount === 0;
  number.textContent = compactCount(followerCount);
}

/** Makes one of this browser's list and the account's; a change made meanwhile stays and is told next. */
async function exchange(user: number): Promise<void> {
  const ownList = favourites.get();
  const lastList = accountList.get();
  const change = differenceToSend(user, lastList, ownList);
  const { add, remove } = change;
  const [only, ...others] = [...add, ...remove];
  let ids: readonly number[];
  if (only !== undefined && others.length === 0 && lastList?.user === user) {
    await sendFollow(only, add.length > 0);
    ids = withDifference(lastList.ids, change);
  } else {
    fromStorage(() => sessionStorage.setItem(checkedAtKey, String(Date.now())));
    const { starIds } =
      only === undefined
        ? await callApi('get', '/api/auth/follows')
        : await callApi('put', '/api/auth/follows', { body: change, idempotent: true });
    ids = starIds;
  }
  if (account.get()?.id !== user || !token.get()) return;
  accountList.set({ user, ids });
  const merged = withDifference(ids, differenceOf(ownList, favourites.get()));
  if (merged.join() !== favourites.get().join()) setFavourites(merged);
  // Beside fewer stars the account's list would say that a fan has removed the others.
  if (!areStarsKept()) fromStorage(() => localStorage.removeItem(accountListKey));
}

/** What the server refused stays here and is told again; the fan hears that the account does not know it yet. */
function reportUnsent(error: unknown): void {
  console.error('The stars stay on this device for now', error);
  if (error instanceof CallFailed && hasUnsentChanges())
    showToast(document.querySelector<HTMLElement>('[data-follow]')?.dataset.failed ?? '');
}

/** Talks to the server when this browser has something to tell or to learn. */
function sync(): Promise<void> {
  const user = account.get()?.id;
  const checkedAt = Number(fromStorage(() => sessionStorage.getItem(checkedAtKey)) ?? 0);
  const isFresh = Date.now() - checkedAt < maxAge;
  const isSent = accountList.get()?.user === user && !hasUnsentChanges();
  if (!user || !token.get() || (isSent && isFresh)) return lastExchange ?? Promise.resolve();
  lastExchange = (lastExchange ?? Promise.resolve()).then(() => exchange(user)).catch(reportUnsent);
  return lastExchange;
}

/**
 * Before logging out: what has not been told is told.
 * @returns makes this browser forget the account's list, once the session has ended
 */
export async function stopFavouritesSync(): Promise<() => void> {
  if (hasUnsentChanges()) await sync();
  return () => {
    const list = accountList.get()?.ids ?? [];
    syncedUser = undefined;
    accountList.set(undefined);
    setFavourites(favourites.get().filter((id) => !list.includes(id)));
  };
}

function hasUnsentChanges(): boolean {
  const { add, remove } = differenceOf(accountList.get()?.ids ?? [], favourites.get());
  return add.length + remove.length > 0;
}

let syncedUser: number | undefined;
account.subscribe((user) => {
  if (user?.id === syncedUser) return;
  syncedUser = user?.id;
  if (syncedUser) void sync();
});
favourites.listen(() => {
  if (syncedUser && !document.hidden && hasUnsentChanges()) void sync();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void sync();
});
addEventListener('online', () => void sync());
