import { storageKey } from '#content/site.ts';
import { fromStorage } from '../client/storage.ts';
import { account } from './session.ts';

const key = `${storageKey}:notified`;
const idOfAccount = () => `${account.get()?.id}`;

/** Remembers that the notifications of this browser are those of who is logged in. */
export const rememberNotified = () => fromStorage(() => localStorage.setItem(key, idOfAccount()));

/** Whether they were those of the same person before: nobody else gets theirs here without asking. */
export const wasNotified = (): boolean => fromStorage(() => localStorage.getItem(key)) === idOfAccount();
