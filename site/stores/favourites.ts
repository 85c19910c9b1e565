/**
 * The fan's favourite stars: My Stars and Follow show and change this one list (decision S11). It is kept with the language in
 * the one entry of §3.
 */
import { atom, type ReadableAtom } from 'nanostores';
import { preferences } from './preferences.ts';

const starIds = atom<readonly number[]>([]);
// Not `computed`, whose 150 bytes every page would load.
preferences.subscribe(({ selectedStarIds }) => starIds.set(selectedStarIds));

/** Ids of the stars, in the order in which they were chosen. */
export const favourites: ReadableAtom<readonly number[]> = starIds;

/** Replaces the list, each star once (§4 Star selection); saved at once. */
export function setFavourites(ids: readonly number[]): void {
  preferences.set({ ...preferences.get(), selectedStarIds: [...new Set(ids)] });
}
