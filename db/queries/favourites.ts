import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

const favouritesOf = (userId: number) => sql`
  select coalesce(json_agg(star_id order by created_at, star_id), '[]'::json) as "starIds"
  from favourites where user_id = ${userId}`;

/** The stars that an account chose to see, in the order in which they were chosen. */
export async function listFavourites(userId: number): Promise<number[]> {
  const [row] = await database().execute<{ starIds: number[] }>(favouritesOf(userId));
  return row?.starIds ?? [];
}

/**
 * Adds and removes favourites; stars that there are not are left out, and so is what would make it more than `most`. The
 * same change again changes nothing.
 * @returns the list afterwards
 */
export async function changeFavourites(
  userId: number,
  { add, remove, most }: { add: readonly number[]; remove: readonly number[]; most: number },
): Promise<number[]> {
  const ids = (list: readonly number[]) => sql`select value::int as id, ordinality as place
    from json_array_elements_text(${JSON.stringify(list)}::json) with ordinality`;
  return database().transaction(async (tx) => {
    // Two devices that change the list at once queue here, so that its length is known.
    await tx.execute(sql`select 1 from users where id = ${userId} for update`);
    await tx.execute(
      sql`delete from favourites where user_id = ${userId} and star_id in (select id from (${ids(remove)}) r)`,
    );
    await tx.execute(sql`
      insert into favourites (user_id, star_id, created_at)
      select ${userId}::int, wanted.id, clock_timestamp() + wanted.place * interval '1 microsecond'
      from (${ids(add)}) wanted join stars s on s.id = wanted.id
      where not exists (select from favourites f where f.user_id = ${userId} and f.star_id = wanted.id)
      order by wanted.place
      limit greatest(0, ${most}::int - (select count(*)::int from favourites where user_id = ${userId}))
      on conflict do nothing`);
    const [row] = await tx.execute<{ starIds: number[] }>(favouritesOf(userId));
    return row?.starIds ?? [];
  });
}
