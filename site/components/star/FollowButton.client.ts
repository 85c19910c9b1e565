/**
 * Follow buttons: following a star is choosing it for My Stars, with an account or without. The list is this browser's; for
 * whoever is logged in, `account-stars.ts` keeps the account's the same. Buttons are the same for everybody until they are
 * filled in here.
 */

import { onPress } from '../../client/press.ts';
import { showToast } from '../../client/toast.ts';
import { preferences, selectStars } from '../../stores/preferences.ts';

preferences.subscribe(({ selectedStarIds }) => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-follow]'))
    button.dataset.following = String(selectedStarIds.includes(Number(button.dataset.follow)));
});

/** Puts a button's star into the list, or takes it out. */
export function toggle({ dataset }: HTMLElement): void {
  const id = Number(dataset.follow);
  const { selectedStarIds } = preferences.get();
  const others = selectedStarIds.filter((other) => other !== id);
  const follows = others.length === selectedStarIds.length;
  selectStars(follows ? [...others, id] : others);
  showToast((follows ? dataset.followed : dataset.unfollowed) ?? '');
}

onPress('[data-follow]', toggle);
