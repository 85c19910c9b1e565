/**
 * Follow buttons: following a star is choosing it for My Stars, with an account or without. The list is this browser's; for
 * whoever is logged in, `sync-favourites.client.ts` keeps the account's the same. Buttons are the same for everybody until they are
 * filled in here.
 */

import { onPress } from '../../client/press.ts';
import { showToast } from '../../client/toast.ts';
import { favourites, setFavourites } from '../../stores/favourites.ts';

favourites.subscribe((starIds) => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-follow]'))
    button.dataset.following = String(starIds.includes(Number(button.dataset.follow)));
});

/** Puts a button's star into the list, or takes it out. */
export function toggle({ dataset }: HTMLElement): void {
  const id = Number(dataset.follow);
  const starIds = favourites.get();
  const others = starIds.filter((other) => other !== id);
  const follows = others.length === starIds.length;
  setFavourites(follows ? [...others, id] : others);
  showToast((follows ? dataset.followed : dataset.unfollowed) ?? '');
}

onPress('[data-follow]', toggle);
