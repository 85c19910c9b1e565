import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

/** The salt of a day (`YYYY-MM-DD`, UTC), made by whichever process asks first. */
export async function findViewSalt(day: string, proposed: Uint8Array): Promise<Uint8Array> {
  const hex = Buffer.from(proposed).toString('hex');
  await database().execute(
    sql`insert into view_salts (day, salt) values (${day}, decode(${hex}, 'hex')) on conflict do nothing`,
  );
  const [row] = await database().execute<{ salt: string }>(
    sql`select encode(salt, 'hex') as salt from view_salts where day = ${day}`,
  );
  return Buffer.from(row?.salt ?? hex, 'hex');
}

/**
 * Notes that a visitor saw a public event on a day; the counters follow by trigger.
 * @returns whether it is the visitor's first view of that day, or undefined when there is no such public event
 */
export async function addEventView(
  eventId: number,
  day: string,
  visitor: Uint8Array,
): Promise<boolean | undefined> {
  const hex = Buffer.from(visitor).toString('hex');
  const [row] = await database().execute<{ known: boolean; added: boolean }>(sql`
    with public as (select id from events where id = ${eventId} and verification = 'approved'),
    added as (
      insert into event_views (event_id, day, visitor) select id, ${day}::date, decode(${hex}, 'hex') from public
      on conflict do nothing returning 1)
    select exists (select from public) as known, exists (select from added) as added`);
  return row?.known ? row.added : undefined;
}

/** Forgets who saw what before a day; how many it were stays. */
export async function deleteViewsBefore(day: string): Promise<void> {
  await database().execute(sql`delete from event_views where day < ${day}::date`);
  await database().execute(sql`delete from view_salts where day < ${day}::date`);
}
