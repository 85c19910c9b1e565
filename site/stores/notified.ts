import { storageKey } from '#content/site.ts';
import { fromStorage } from '../client/storage.ts';
import { account } from './session.ts';

const key = `${storageKey}:notified`;

/** Remembers that the notifications of this browser are those of who is logged in. */
export function rememberNotifications(): void {
  const { id } = account.get() ?? {};
  if (id !== undefined) fromStorage(() => localStorage.setItem(key, `${id}`));
}

/** Whether they are another person's: nobody gets theirs here without asking. */
export function areOfAnother(): boolean {
  const id = fromStorage(() => localStorage.getItem(key));
  return Boolean(id) && id !== `${account.get()?.id}`;
}
