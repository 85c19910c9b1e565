/**
 * The frame of somebody who is logged in (§2 Header, §4 Authentication): name and menu in the place of the login button,
 * kept true by the server. Loaded only where there is a token.
 */
import type { User } from '#api/accounts/model.ts';
import { site } from '#content/site.ts';
import { account, token } from '../stores/session.ts';
import { CallFailed, callApi } from './api.ts';
import { leaveFavourites } from './favourites.ts';
import { showToast } from './toast.ts';

const slots = document.querySelectorAll<HTMLElement>('[data-user-slot]');
const root = document.documentElement;

let shownFor = '';

function show(user: User | undefined): void {
  delete root.dataset.user;
  const key = user ? `${user.username}\n${user.displayName}` : '';
  if (key === shownFor) return;
  shownFor = key;
  for (const slot of slots) {
    const template = slot.nextElementSibling;
    if (!(template instanceof HTMLTemplateElement)) continue;
    if (slot.hidden) template.nextElementSibling?.remove();
    slot.hidden = user !== undefined;
    const shown = template.content.firstElementChild?.cloneNode(true);
    if (!user || !(shown instanceof HTMLElement)) continue;
    for (const name of shown.querySelectorAll('[data-user-name]'))
      name.textContent = user.displayName || user.username;
    // §6: the username "admin", and whoever has that role; the server guards what they lead to.
    if (user.username !== 'admin' && user.role !== 'admin')
      for (const entry of shown.querySelectorAll('[data-admin]')) entry.remove();
    template.after(shown);
  }
}

/** §4: 401 and 403 clear the token; any other failure says nothing about who this is. */
async function ask(proof: string): Promise<void> {
  try {
    const { user } = await callApi('get', '/api/auth/me');
    if (token.get() === proof) account.set(user);
  } catch (cause) {
    if (token.get() !== proof) return;
    if (!(cause instanceof CallFailed && (cause.status === 401 || cause.status === 403)))
      throw new Error('Failed to fetch user', { cause });
    forget();
  }
}

/** A session that ended by itself leaves this browser's list of stars as it is. */
function forget(): void {
  token.set(undefined);
  account.set(undefined);
}

/** Ends the session here and on the server, clears what was kept for this person, and goes to the front page. */
async function logOut(form: HTMLFormElement): Promise<void> {
  const leave = await leaveFavourites();
  try {
    await callApi('post', '/api/auth/logout', { idempotent: true });
  } catch {
    showToast(form.dataset.failed ?? '');
    return;
  }
  leave();
  forget();
  sessionStorage.clear();
  for (const key of Object.keys(localStorage))
    if (key.startsWith(`${site.storageKey}:chat:`)) localStorage.removeItem(key);
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
token.subscribe((proof) => {
  if (!proof) show(undefined);
  else {
    ask(proof).catch((error: unknown) => {
      console.error(error);
      delete root.dataset.user;
    });
  }
});
