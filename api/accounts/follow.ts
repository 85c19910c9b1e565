import { setFollow } from '#db/queries/follows.ts';
import { NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { FollowState } from './model.ts';

/**
 * Follows or unfollows a star; without `following` it toggles (§4 Follow, decision S5).
 * @throws NotFound when there is no such star
 */
export async function follow(userId: number, starId: number, following?: boolean): Promise<FollowState> {
  const state = await setFollow(userId, starId, following);
  if (!state) throw new NotFound('Star');
  const { isFollowing, followerCount, changed } = state;
  if (changed) await invalidate([`star:${starId}`]);
  return { isFollowing, followerCount };
}
