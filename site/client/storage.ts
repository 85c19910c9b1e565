/**
 * Reads or writes what the browser keeps; undefined where it keeps nothing: storage that is forbidden or missing throws when it
 * is named already, full storage when it is written.
 */
export function fromStorage<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
