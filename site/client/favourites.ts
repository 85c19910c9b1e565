/**
 * Favourites of somebody who is logged in live on the account as well: this browser's list and the account's become one at
 * login, then each tells the other what changed. Loaded only where there is a token.
 */
import { persistentAtom } from '@nanostores/persistent';
import { site } from '#content/site.ts';
import { differenceOf, type KnownList, whatToTell, withDifference } from '../lib/favourites.ts';
import { preferences, selectStars } from '../stores/preferences.ts';
import { account, token } from '../stores/session.ts';
import { callApi } from './api.ts';

/** The account's list as the server last said it; what differs from it has not been told yet. */
const known = persistentAtom<KnownList | undefined>(`${site.storageKey}:favourites`, undefined, {
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
const askedKey = `${site.storageKey}:favourites-asked`;
let running: Promise<void> | undefined;

/** Makes one of this browser's list and the account's; a change made meanwhile stays and is told next. */
async function exchange(user: number): Promise<void> {
  const before = here();
  const change = whatToTell(user, known.get(), before);
  const told = change.add.length + change.remove.length > 0;
  sessionStorage.setItem(askedKey, String(Date.now()));
  const { starIds } = told
    ? await callApi('put', '/api/auth/favourites', { body: change, idempotent: true })
    : await callApi('get', '/api/auth/favourites');
  if (account.get()?.id !== user || !token.get()) return;
  known.set({ user, ids: starIds });
  const merged = withDifference(starIds, differenceOf(before, here()));
  if (merged.join() !== here().join()) selectStars(merged);
}

/** Talks to the server when this browser has something to tell or to learn. */
function sync(): Promise<void> {
  const person = account.get()?.id;
  const isFresh = Date.now() - Number(sessionStorage.getItem(askedKey)) < freshFor;
  const isTold = known.get()?.user === person && !differs();
  if (!person || !token.get() || (isTold && isFresh)) return running ?? Promise.resolve();
  running = (running ?? Promise.resolve())
    .then(() => exchange(person))
    .catch((error: unknown) => console.error('Favourites stay on this device for now', error));
  return running;
}

/**
 * Before logging out: what has not been told is told.
 * @returns makes this browser forget the account's list, once the session has ended
 */
export async function leaveFavourites(): Promise<() => void> {
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
