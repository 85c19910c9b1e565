import { and, eq, lt, sql } from 'drizzle-orm';
import { database } from '../../client.ts';
import { eventViews, viewSalts } from '../../schema/event-interest.ts';
import { events } from '../../schema/events.ts';
import { execute, namesOf } from '../../sql.ts';
import { isPublic } from './fields.ts';

/** The salt of a day (`YYYY-MM-DD`, UTC), made by whichever process asks first. */
export async function findViewSalt(day: string, proposed: Uint8Array): Promise<Uint8Array> {
  await database().insert(viewSalts).values({ day, salt: proposed }).onConflictDoNothing();
  const [row] = await database()
    .select({ salt: viewSalts.salt })
    .from(viewSalts)
    .where(eq(viewSalts.day, day));
  return row?.salt ?? proposed;
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
  const [row] = await execute(
    {
      exists: sql<boolean>`exists (select from event)`,
      isFirst: sql<boolean>`exists (select from added)`,
    },
    (columns) => sql`
      with event as (select ${events.id} as viewed from ${events} where ${and(eq(events.id, eventId), isPublic(events))}),
      added as (
        insert into ${eventViews} (${namesOf(eventViews.eventId, eventViews.day, eventViews.visitor)})
        select viewed, ${day}::date, ${sql.param(visitor, eventViews.visitor)}::bytea from event
        on conflict do nothing returning 1)
      select ${columns}`,
  );
  return row?.exists ? row.isFirst : undefined;
}

/** Throws the salts of days before this one away: from then on nobody can tell whose a view of them was. */
export async function deleteSaltsBefore(day: string): Promise<void> {
  await database().delete(viewSalts).where(lt(viewSalts.day, day));
}

/** Forgets who saw what before a day; how many it were stays. For days that have no part of their own. */
export async function deleteViewsBefore(day: string): Promise<void> {
  await database().delete(eventViews).where(lt(eventViews.day, day));
}
