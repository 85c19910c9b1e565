import { persistentAtom } from '@nanostores/persistent';
import type { User } from '#api/accounts/model.ts';
import { storageKey } from '#content/site.ts';

/** §3 Session: the token that proves who asks, under the key that is named there; shared by every tab. */
export const token = persistentAtom<string | undefined>('auth_token');

/** Who that is, as the server last said: shown at once on the next page, then asked for again. */
export const account = persistentAtom<User | undefined>(`${storageKey}:user`, undefined, {
  encode: JSON.stringify,
  decode: (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  },
});
