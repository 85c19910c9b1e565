import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

const followedBy = (userId: number) => sql`
  select coalesce(json_agg(star_id order by created_at, star_id), '[]'::json) as "starIds"
  from follows where user_id = ${userId}`;

/** The stars that an account follows, in the order in which they were chosen. */
export async function listFollows(userId: number): Promise<number[]> {
  const [row] = await database().execute<{ starIds: number[] }>(followedBy(userId));
  return row?.starIds ?? [];
}

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

/**
 * Follows and unfollows many stars at once, in the order given; stars that there are not are left out. The same change
 * again changes nothing.
 * @returns the whole list afterwards, and the stars whose followers are now others
 */
export async function changeFollows(
  userId: number,
  { add, remove }: { add: readonly number[]; remove: readonly number[] },
): Promise<{ starIds: number[]; changed: number[] }> {
  const ids = (list: readonly number[]) => sql`select value::int as id, ordinality as place
    from json_array_elements_text(${JSON.stringify(list)}::json) with ordinality`;
  return database().transaction(async (tx) => {
    // Counters of many stars change: whoever changes them in another order at the same time waits instead of locking us out.
    await tx.execute(sql`select 1 from stars
      where id in (select value::int from json_array_elements_text(${JSON.stringify([...add, ...remove])}::json))
      order by id for no key update`);
    const gone = await tx.execute<{ id: number }>(sql`
      delete from follows where user_id = ${userId} and star_id in (select id from (${ids(remove)}) r)
      returning star_id as id`);
    const come = await tx.execute<{ id: number }>(sql`
      insert into follows (user_id, star_id, created_at)
      select ${userId}::int, wanted.id, clock_timestamp() + wanted.place * interval '1 microsecond'
      from (${ids(add)}) wanted join stars s on s.id = wanted.id
      order by wanted.place
      on conflict do nothing returning star_id as id`);
    const [row] = await tx.execute<{ starIds: number[] }>(followedBy(userId));
    return { starIds: row?.starIds ?? [], changed: [...gone, ...come].map(({ id }) => id) };
  });
}
