/** The keys of a table in its order; the type says that there is at least one, as a list of choices wants it. */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  Object.keys(table) as [Key, ...Key[]];
