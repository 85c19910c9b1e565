import { limits } from '#content/site.ts';
import { changeFavourites, listFavourites } from '#db/queries/favourites.ts';
import type { Visitor } from '../plugins/session.ts';
import type { FavouritesChange } from './model.ts';

/** The favourite stars of an account (§3 selectedStarIds), the same on every device. */
export function readFavourites({ id }: Visitor): Promise<number[]> {
  return listFavourites(id);
}

/**
 * Adds and removes favourites. A device sends what changed on it, never its whole list, so that what another device
 * chose meanwhile is not lost; at the first login it adds all of its own.
 */
export function changeOwnFavourites({ id }: Visitor, { add, remove }: FavouritesChange): Promise<number[]> {
  const kept = add.filter((star) => !remove.includes(star));
  return changeFavourites(id, { add: kept, remove, most: limits.maxPage });
}
