import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

export interface FollowRow {
  isFollowing: boolean;
  followerCount: number;
  changed: boolean;
}

/**
 * Follows or unfollows a star; without `following` it toggles. Exact under races: the key decides, the counter is
 * kept by the statement that changes the row.
 * @returns the state afterwards, or undefined when there is no such star
 */
export async function setFollow(
  userId: number,
  starId: number,
  following?: boolean,
): Promise<FollowRow | undefined> {
  const [row] = await database().execute<{ isFollowing: boolean; changed: boolean }>(sql`
    with removed as (
      delete from follows where ${following !== true} and user_id = ${userId} and star_id = ${starId} returning 1),
    added as (
      insert into follows (user_id, star_id)
      select ${userId}::int, id from stars
      where ${following !== false} and id = ${starId} and not exists (select from removed)
      on conflict do nothing returning 1)
    select exists (select from added) or exists (select from removed) as changed,
      ${following !== false} and not exists (select from removed) as "isFollowing"`);
  // The counter is written by a trigger after the statement: a second one sees it.
  const [star] = await database().execute<{ followerCount: number }>(
    sql`select follower_count as "followerCount" from stars where id = ${starId}`,
  );
  return row && star && { ...row, ...star };
}
