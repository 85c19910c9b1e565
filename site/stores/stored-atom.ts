/**
 * A store whose value this browser keeps for later visits, shared by every tab. Where it cannot, for want of room or of a storage,
 * the value is this page's. Of our own, because the package for it stops at the first write that fails, and is larger.
 */
import { atom, type WritableAtom } from 'nanostores';
import { fromStorage } from '../client/storage.ts';

/** `decode` may throw: what it cannot read is `initial`, as what is not there. What `encode` has no text for is removed. */
export function storedAtom<Value>(
  key: string,
  initial: Value,
  decode: (text: string) => Value = JSON.parse,
  encode: (value: Value) => string | undefined = JSON.stringify,
): WritableAtom<Value> {
  const read = () => fromStorage(() => localStorage.getItem(key));
  const decoded = (text: string | null | undefined) => (text && fromStorage(() => decode(text))) || initial;
  let stored = read();
  const store = atom(decoded(stored));
  const { set } = store;
  store.set = (value) => {
    const text = encode(value);
    fromStorage(() => (text ? localStorage.setItem(key, text) : localStorage.removeItem(key)));
    stored = read();
    set(value);
  };
  /** Takes what other tabs wrote, also while Back had this page put away; a value that could not be kept stays until they do. */
  const refresh = () => {
    const text = read();
    if (text === stored) return;
    stored = text;
    set(decoded(text));
  };
  for (const type of ['storage', 'pageshow']) addEventListener(type, refresh);
  return store;
}
