/**
 * Makes each thing once, when it is first asked for: the statements of `prepare` by what their text depends on. For keys of which
 * there are few, because nothing is forgotten.
 */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const text = JSON.stringify(key);
    const value = values.get(text) ?? make(key);
    values.set(text, value);
    return value;
  };
}
