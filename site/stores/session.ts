import type { User } from '#api/accounts/model.ts';
import { storageKey } from '#content/site.ts';
import { storedAtom } from './stored-atom.ts';

/** §3 Session: the token that proves who asks, under the key that is named there; shared by every tab. */
export const token = storedAtom<string | undefined>(
  'auth_token',
  undefined,
  (text) => text,
  (proof) => proof,
);

/** Who that is, as the server last said: shown at once on the next page, then asked for again. */
export const account = storedAtom<User | undefined>(`${storageKey}:user`, undefined);
