/**
 * The stars of somebody who is logged in are the account's: this browser's list and the account's become
 * one at login, then each tells the other what changed. Loaded only where there is a session.
 */
import { persistentAtom } from '@nanostores/persistent';
import { site } from '#content/site.ts';
import { CallFailed, callApi } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { compactCount } from '../../i18n/format.ts';
import {
  differenceOf,
  differenceToSend,
  type SyncedList,
  withDifference,
} from '../../lib/stars/star-lists.ts';
import { preferences, selectStars } from '../../stores/preferences.ts';
import { account, token } from '../../stores/session.ts';

/** The account's list as the server last said it; what differs from it has not been told yet. */
const known = persistentAtom<SyncedList | undefined>(`${site.storageKey}:follows`, undefined, {
  encode: JSON.stringify,
  decode: (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  },
});

const here = () => preferences.get().selectedStarIds;
/** Another device's change may show this late. */
const freshFor = 30_000;
const askedKey = `${site.storageKey}:follows-asked`;
let running: Promise<void> | undefined;

/** One press is told by the call of its star, whose answer counts the followers; the number on the star's page is then true. */
async function tellOne(id: number, following: boolean): Promise<void> {
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
  const before = here();
  const last = known.get();
  const change = differenceToSend(user, last, before);
  const { add, remove } = change;
  const [only, ...others] = [...add, ...remove];
  let ids: readonly number[];
  if (only !== undefined && others.length === 0 && last?.user === user) {
    await tellOne(only, add.length > 0);
    ids = withDifference(last.ids, change);
  } else {
    sessionStorage.setItem(askedKey, String(Date.now()));
    const { starIds } =
      only === undefined
        ? await callApi('get', '/api/auth/follows')
        : await callApi('put', '/api/auth/follows', { body: change, idempotent: true });
    ids = starIds;
  }
  if (account.get()?.id !== user || !token.get()) return;
  known.set({ user, ids });
  const merged = withDifference(ids, differenceOf(before, here()));
  if (merged.join() !== here().join()) selectStars(merged);
}

/** What the server refused stays here and is told again; the fan hears that the account does not know it yet. */
function keepForLater(error: unknown): void {
  console.error('The stars stay on this device for now', error);
  if (error instanceof CallFailed && differs())
    showToast(document.querySelector<HTMLElement>('[data-follow]')?.dataset.failed ?? '');
}

/** Talks to the server when this browser has something to tell or to learn. */
function sync(): Promise<void> {
  const person = account.get()?.id;
  const isFresh = Date.now() - Number(sessionStorage.getItem(askedKey)) < freshFor;
  const isTold = known.get()?.user === person && !differs();
  if (!person || !token.get() || (isTold && isFresh)) return running ?? Promise.resolve();
  running = (running ?? Promise.resolve()).then(() => exchange(person)).catch(keepForLater);
  return running;
}

/**
 * Before logging out: what has not been told is told.
 * @returns makes this browser forget the account's list, once the session has ended
 */
export async function leaveAccountStars(): Promise<() => void> {
  if (differs()) await sync();
  return () => {
    const list = known.get()?.ids ?? [];
    user = undefined;
    known.set(undefined);
    selectStars(here().filter((id) => !list.includes(id)));
  };
}

function differs(): boolean {
  const { add, remove } = differenceOf(known.get()?.ids ?? [], here());
  return add.length + remove.length > 0;
}

let user: number | undefined;
account.subscribe((person) => {
  if (person?.id === user) return;
  user = person?.id;
  if (user) void sync();
});
preferences.listen(() => {
  if (user && !document.hidden && differs()) void sync();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void sync();
});
addEventListener('online', () => void sync());
