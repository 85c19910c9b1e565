import { sql } from 'drizzle-orm';
import { type Lang, languages } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EventType, Verification } from '../schema/events.ts';
import { intArray } from '../statement.ts';
import { type Executor, recordDecision } from './audit.ts';
import { lockEvent, starIdsOfEvent } from './event-lock.ts';

/** The words of an event in one language. */
export interface EventWords {
  title: string;
  description: string | null;
  venue: string | null;
  location: string | null;
}

/** Everything of an event that an editor may change. */
export interface EditableEvent {
  id: number;
  verification: Verification;
  eventType: EventType;
  state: 'scheduled' | 'cancelled';
  startTime: string;
  endTime: string | null;
  zone: string;
  precision: 'minute' | 'day';
  capacity: number | null;
  primaryStarId: number | null;
  starIds: number[];
  ticketUrl: string | null;
  streamingUrl: string | null;
  officialUrl: string | null;
  words: Partial<Record<Lang, EventWords>>;
}

/** An event with its words in every language, to be edited; undefined when there is none. */
export async function findEditableEvent(
  id: number,
  from: Executor = database(),
): Promise<EditableEvent | undefined> {
  const [row] = await from.execute<Record<string, unknown> & EditableEvent>(sql`
    select e.id, e.verification, e.event_type as "eventType", e.state,
      to_json(e.start_time)#>>'{}' as "startTime", to_json(e.end_time)#>>'{}' as "endTime", e.zone, e.precision, e.capacity,
      e.primary_star_id as "primaryStarId", ${starIdsOfEvent} as "starIds", e.ticket_url as "ticketUrl",
      e.streaming_url as "streamingUrl", e.official_url as "officialUrl",
      (select coalesce(json_object_agg(language, json_build_object('title', title, 'description', description,
        'venue', venue, 'location', location)), '{}'::json) from event_translations where event_id = e.id) as words
    from events e where e.id = ${id}`);
  return row;
}

/** A change of an event; what is left out stays. Dates are ISO texts. */
export type EventChange = {
  [Key in keyof Omit<EditableEvent, 'id' | 'verification'>]?: EditableEvent[Key] | undefined;
};

/** What an edit came to; `star` and `category`: there is none such. */
export type Edited =
  | { done: true; starIds: number[] }
  | { done: false; why: 'missing' | 'star' | 'category' | 'order' }
  | { done: false; why: 'state'; verification: Verification };

/**
 * Changes an event that is in the state the editor saw. Triggers make a changed public one a new version for calendar programs (decision E7).
 */
export function editEvent(
  id: number,
  actorId: number,
  expected: Verification,
  change: EventChange,
): Promise<Edited> {
  return database().transaction(async (tx): Promise<Edited> => {
    const event = await lockEvent(tx, id);
    if (!event) return { done: false, why: 'missing' };
    if (event.verification !== expected)
      return { done: false, why: 'state', verification: event.verification };
    const before = await findEditableEvent(id, tx);
    if (!before) return { done: false, why: 'missing' };
    const after = { ...before, ...definedOf(change) };
    const [category] = await tx.execute<{ id: number }>(
      sql`select id from event_categories where event_type = ${after.eventType} order by id limit 1`,
    );
    if (!category) return { done: false, why: 'category' };
    if (after.endTime !== null && Date.parse(after.endTime) < Date.parse(after.startTime))
      return { done: false, why: 'order' };
    const starIds = [
      ...new Set([...(after.primaryStarId === null ? [] : [after.primaryStarId]), ...after.starIds]),
    ];
    if (!(await starsExist(tx, starIds))) return { done: false, why: 'star' };
    await tx.execute(sql`update events set event_type = ${after.eventType}, category_id = ${category.id},
      state = ${after.state}, start_time = ${after.startTime}, end_time = ${after.endTime}, zone = ${after.zone},
      precision = ${after.precision}, capacity = ${after.capacity}, primary_star_id = ${after.primaryStarId},
      ticket_url = ${after.ticketUrl}, streaming_url = ${after.streamingUrl}, official_url = ${after.officialUrl},
      updated_at = now() where id = ${id}`);
    if (change.words) await writeWords(tx, id, change.words);
    if (change.starIds || change.primaryStarId !== undefined) await writeStars(tx, id, starIds);
    const changed = Object.fromEntries(
      Object.keys(definedOf(change)).map((key) => [key, Reflect.get(before, key)]),
    );
    await recordDecision(tx, {
      actorId,
      action: 'event.edit',
      subject: 'event',
      subjectId: id,
      details: { before: changed },
    });
    return { done: true, starIds: [...new Set([...event.starIds, ...starIds])] };
  });
}

const definedOf = (change: EventChange): Partial<EditableEvent> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

async function starsExist(tx: Executor, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const [row] = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from stars where id = any(${intArray(ids)})`,
  );
  return row?.count === ids.length;
}

async function writeWords(tx: Executor, id: number, words: Partial<Record<Lang, EventWords>>): Promise<void> {
  const rows = languages.flatMap((language) => {
    const own = words[language];
    return own ? [{ language, ...own }] : [];
  });
  await tx.execute(sql`insert into event_translations (event_id, language, title, description, venue, location)
    select ${id}::int, w.language, w.title, w.description, w.venue, w.location
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as w(language text, title text, description text, venue text, location text)
    on conflict (event_id, language) do update set title = excluded.title, description = excluded.description,
      venue = excluded.venue, location = excluded.location`);
}

/** The stars of an event are exactly these; those that stay keep their role. */
async function writeStars(tx: Executor, id: number, starIds: readonly number[]): Promise<void> {
  const ids = intArray(starIds);
  await tx.execute(sql`delete from event_stars where event_id = ${id} and star_id <> all(${ids})`);
  await tx.execute(
    sql`insert into event_stars (event_id, star_id) select ${id}::int, unnest(${ids}) on conflict do nothing`,
  );
}
