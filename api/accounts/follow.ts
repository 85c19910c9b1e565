import { changeFollows, listFollows, setFollow } from '#db/queries/accounts/follows.ts';
import { missingStar } from '../directory/missing-star.ts';
import type { Visitor } from '../plugins/session.ts';
import { invalidateCounts } from '../throttled-invalidation.ts';
import type { FollowState, FollowsChange } from './model.ts';

/** The stars that an account follows (§3 selectedStarIds), in the order chosen, the same on every device. */
export function readFollows({ id }: Visitor): Promise<number[]> {
  return listFollows(id);
}

/**
 * Follows or unfollows a star; without `following` it toggles (§4 Follow).
 * @throws NotFound when there is no such star, Moved when it was merged
 */
export async function followStar(userId: number, starId: number, following?: boolean): Promise<FollowState> {
  const state = await setFollow(userId, starId, following);
  if (!state) throw await missingStar(starId);
  const { isFollowing, followerCount, changed } = state;
  if (changed) await invalidateCounts(`star:${starId}`);
  return { isFollowing, followerCount };
}

/**
 * Follows and unfollows many. A device sends what changed on it, never its whole list, so that what another device chose
 * meanwhile is not lost; at the first login it adds all of its own. A star that is in both lists is not followed.
 * @returns the whole list afterwards
 */
export async function changeOwnFollows({ id }: Visitor, { add, remove }: FollowsChange): Promise<number[]> {
  const additions = add.filter((star) => !remove.includes(star));
  const { starIds, changed } = await changeFollows(id, { add: additions, remove });
  if (changed.length > 0) await invalidateCounts(...changed.map((star) => `star:${star}` as const));
  return starIds;
}
