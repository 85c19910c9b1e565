/** What two lists of stars differ by. */
interface Difference {
  add: number[];
  remove: number[];
}

/** What makes `after` of `before`. */
export function differenceOf(before: readonly number[], after: readonly number[]): Difference {
  return {
    add: after.filter((id) => !before.includes(id)),
    remove: before.filter((id) => !after.includes(id)),
  };
}

/** The list with a change on it; what is new goes to its end. */
export function withDifference(list: readonly number[], { add, remove }: Difference): number[] {
  return [...new Set([...list, ...add])].filter((id) => !remove.includes(id));
}

/** Whose list this browser last knew, as the server had it. */
export interface SyncedList {
  user: number;
  ids: readonly number[];
}

/**
 * What to tell the server about this browser's list: against what the account had, what changed here since; for an
 * account that is new here all of it is added, but for what belongs to the account that was here before.
 */
export function differenceToSend(
  user: number,
  synced: SyncedList | undefined,
  localIds: readonly number[],
): Difference {
  if (synced?.user === user) return differenceOf(synced.ids, localIds);
  return { add: localIds.filter((id) => !synced?.ids.includes(id)), remove: [] };
}
