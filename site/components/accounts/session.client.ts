/**
 * The shell of somebody who is logged in (§2 Header, §4 Authentication): name and menu in the place of the login button,
 * kept true by the server. Loaded only where there is a session: a token in the storage, or the mark of a cookie.
 */
import type { User } from '#api/accounts/model.ts';
import { sessionMark, storageKey } from '#content/site.ts';
import { CallFailed, callApi } from '../../client/api.ts';
import { fromStorage } from '../../client/storage.ts';
import { showToast } from '../../client/toast.ts';
import { account, token } from '../../stores/session.ts';
import { stopFavouritesSync } from './sync-favourites.client.ts';

const slots = document.querySelectorAll<HTMLElement>('[data-user-slot]');
const root = document.documentElement;

let shownUser = '';

function show(user: User | undefined): void {
  delete root.dataset.user;
  const key = user ? `${user.username}\n${user.displayName}` : '';
  if (key === shownUser) return;
  shownUser = key;
  for (const slot of slots) {
    const template = slot.nextElementSibling;
    if (!(template instanceof HTMLTemplateElement)) continue;
    if (slot.hidden) template.nextElementSibling?.remove();
    slot.hidden = user !== undefined;
    const menu = template.content.firstElementChild?.cloneNode(true);
    if (!user || !(menu instanceof HTMLElement)) continue;
    for (const name of menu.querySelectorAll('[data-user-name]'))
      name.textContent = user.displayName || user.username;
    // §6: the username "admin", and whoever has that role; the server guards what they lead to.
    if (user.username !== 'admin' && user.role !== 'admin')
      for (const entry of menu.querySelectorAll('[data-admin]')) entry.remove();
    template.after(menu);
  }
}

const isMarked = () => document.cookie.includes(`${sessionMark}=`);
const isSignedOut = (error: unknown) =>
  error instanceof CallFailed && (error.status === 401 || error.status === 403);

/** §4: 401 and 403 clear the token; any other failure says nothing about who this is. */
async function fetchUser(proof: string): Promise<void> {
  try {
    const { user } = await callApi('get', '/api/auth/me');
    if (token.get() === proof) account.set(user);
  } catch (cause) {
    if (token.get() !== proof) return;
    if (!isSignedOut(cause)) throw new Error('Failed to fetch user', { cause });
    token.set(undefined);
  }
}

/** The session in the cookie outlives a storage that was cleared: it tells the token again. */
async function restoreFromCookie(): Promise<void> {
  try {
    if (!isMarked()) return forget();
    const { token: proof, user } = await callApi('post', '/api/auth/token', { idempotent: true });
    token.set(proof);
    account.set(user);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    // Of whoever logged in meanwhile the answer says nothing.
    if (!token.get()) forget();
  }
}

/** A session that ended by itself leaves this browser's list of stars as it is. */
function forget(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `${sessionMark}=; Path=/; Max-Age=0`;
  token.set(undefined);
  account.set(undefined);
  show(undefined);
}

/** Clears what was kept for this person, whose session has ended. */
function forgetPerson(forgetAccountList: () => void): void {
  forgetAccountList();
  forget();
  fromStorage(() => {
    sessionStorage.clear();
    for (const key of Object.keys(localStorage))
      if (key.startsWith(`${storageKey}:chat:`) || key.startsWith(`${storageKey}:draft:`))
        localStorage.removeItem(key);
  });
}

/** For a session that the server ended when its person asked for it by a form. */
export async function forgetEnded(): Promise<void> {
  // Nothing is told with it any more.
  token.set(undefined);
  forgetPerson(await stopFavouritesSync());
}

/** Ends the session here and on the server, clears what was kept for this person, and goes to the front page. */
async function logOut(form: HTMLFormElement): Promise<void> {
  const forgetAccountList = await stopFavouritesSync();
  try {
    await callApi('post', '/api/auth/logout', { idempotent: true });
  } catch {
    showToast(form.dataset.failed ?? '');
    return;
  }
  forgetPerson(forgetAccountList);
  location.assign('/');
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.getAttribute('action') !== '/logout' || !token.get()) return;
  event.preventDefault();
  void logOut(form);
});

account.subscribe((user) => {
  if (user) show(token.get() ? user : undefined);
});
function reportFailure(error: unknown): void {
  console.error(error);
  delete root.dataset.user;
}

const identify = (proof: string | undefined) =>
  (proof ? fetchUser(proof) : restoreFromCookie()).catch(reportFailure);
token.listen(identify);
/** Done when it is known who this is, as far as the server could be asked. */
export const identified = identify(token.get());
