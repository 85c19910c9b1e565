import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { type Database, database } from '../../client.ts';
import { follows, lateFollowCounts, users } from '../../schema/accounts.ts';
import { stars } from '../../schema/stars.ts';
import { execute, intArray, isOneOf, nameOf, namesOf } from '../../sql.ts';
import { isShown, isShownById } from '../stars/badge.ts';

/** The stars that an account follows, in the order in which they were chosen; one that is hidden waits until it is shown again. */
export async function listFollows(
  userId: number,
  db: Pick<Database, 'select'> = database(),
): Promise<number[]> {
  const rows = await db
    .select({ starId: follows.starId })
    .from(follows)
    .where(and(eq(follows.userId, userId), isShownById(follows.starId)))
    .orderBy(asc(follows.createdAt), asc(follows.starId));
  return rows.map(({ starId }) => starId);
}

/** Stars that are counted anew in one transaction. */
const countedAtOnce = 100;

interface FollowRow {
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
  // Of toggles of one account the second sees what the first one did.
  if (following === undefined)
    return database().transaction(async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
      return writeFollow(tx, userId, starId, undefined);
    });
  return writeFollow(database(), userId, starId, following);
}

async function writeFollow(
  db: Pick<Database, 'select' | 'execute'>,
  userId: number,
  starId: number,
  following: boolean | undefined,
): Promise<FollowRow | undefined> {
  const mayRemove = sql`${following !== true}::boolean`;
  const mayAdd = sql`${following !== false}::boolean`;
  const [state] = await execute(
    {
      changed: sql<boolean>`exists (select from added) or exists (select from removed)`,
      isFollowing: sql<boolean>`${mayAdd} and not exists (select from removed)`,
    },
    (columns) => sql`
      with removed as (
        delete from ${follows}
        where ${mayRemove} and ${follows.userId} = ${userId} and ${follows.starId} = ${starId} and ${isShownById(follows.starId)}
        returning 1),
      added as (
        insert into ${follows} (${namesOf(follows.userId, follows.starId)})
        select ${userId}::int, ${stars.id} from ${stars}
        where ${mayAdd} and ${stars.id} = ${starId} and ${isShown(stars)} and not exists (select from removed)
        on conflict do nothing returning 1)
      select ${columns}`,
    db,
  );
  // The counter is written by a trigger after the statement: a second one sees it.
  const [star] = await db
    .select({ followerCount: stars.followerCount })
    .from(stars)
    .where(and(eq(stars.id, starId), isShown(stars)));
  return state && star && { ...state, ...star };
}

/**
 * Counts the followers of stars whose counter could not be written when these came or went; a star that is still kept by somebody stays for
 * the next time.
 * @returns the stars
 */
export function countLateFollows(): Promise<number[]> {
  return database().transaction(async (tx) => {
    // Locked by a statement of its own: what counts sees all that had changed the counter before.
    const held = await tx
      .select({ id: stars.id })
      .from(stars)
      .where(inArray(stars.id, tx.select({ id: lateFollowCounts.starId }).from(lateFollowCounts)))
      .orderBy(asc(stars.id))
      .limit(countedAtOnce)
      .for('no key update', { skipLocked: true });
    const starIds = held.map(({ id }) => id);
    await tx.delete(lateFollowCounts).where(isOneOf(lateFollowCounts.starId, starIds));
    await tx
      .update(stars)
      .set({
        followerCount: sql`(select count(*)::int from ${follows} where ${follows.starId} = ${stars.id})`,
      })
      .where(isOneOf(stars.id, starIds));
    return starIds;
  });
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
  return database().transaction(async (tx) => {
    // One that is being deleted or merged is waited for, in order; one that is being written is not.
    await tx
      .select({ id: stars.id })
      .from(stars)
      .where(isOneOf(stars.id, [...add, ...remove]))
      .orderBy(asc(stars.id))
      .for('key share');
    const removed = await tx
      .delete(follows)
      .where(and(eq(follows.userId, userId), isOneOf(follows.starId, remove)))
      .returning({ id: follows.starId });
    const added = await execute(
      { id: sql<number>`${nameOf(follows.starId)}` },
      (columns) => sql`
        insert into ${follows} (${namesOf(follows.userId, follows.starId, follows.createdAt)})
        select ${userId}::int, ${stars.id}, clock_timestamp() + wanted.place * interval '1 microsecond'
        from unnest(${intArray(add)}) with ordinality as wanted(star, place) join ${stars} on ${stars.id} = wanted.star and ${isShown(stars)}
        order by wanted.place
        on conflict do nothing returning ${columns}`,
      tx,
    );
    return { starIds: await listFollows(userId, tx), changed: [...removed, ...added].map(({ id }) => id) };
  });
}
