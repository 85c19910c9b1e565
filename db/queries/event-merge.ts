import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { intArray } from '../statement.ts';
import { type Executor, recordDecision } from './audit.ts';
import { type Decided, lockEvent } from './event-lock.ts';

/** What a merge changed of the known event: enough to take it back. */
export interface MergeDetails extends Record<string, unknown> {
  into: number;
  /** Of the known event after the merge: it is only taken back while nobody has changed it since. */
  sequence: number;
  before: EventFields;
}

/** What a merge may carry over. */
interface EventFields {
  startTime: string;
  endTime: string | null;
  zone: string;
  precision: 'minute' | 'day';
  sourceArticleId: number | null;
  words: { language: Lang; venue: string | null; location: string | null }[];
}

async function fieldsOf(tx: Executor, id: number): Promise<EventFields | undefined> {
  const [row] = await tx.execute<Record<string, unknown> & EventFields>(sql`
    select start_time as "startTime", end_time as "endTime", zone, precision, source_article_id as "sourceArticleId",
      (select coalesce(json_agg(json_build_object('language', language, 'venue', venue, 'location', location)), '[]'::json)
        from event_translations where event_id = e.id) as words from events e where id = ${id}`);
  return row;
}

async function writeFields(tx: Executor, id: number, fields: EventFields): Promise<void> {
  await tx.execute(sql`update events set start_time = ${fields.startTime}, end_time = ${fields.endTime},
    zone = ${fields.zone}, precision = ${fields.precision}, source_article_id = ${fields.sourceArticleId},
    updated_at = now() where id = ${id}`);
  await tx.execute(sql`update event_translations t set venue = w.venue, location = w.location
    from jsonb_to_recordset(${JSON.stringify(fields.words)}::jsonb) as w(language text, venue text, location text)
    where t.event_id = ${id} and t.language = w.language`);
}

/** Gives the known event back what a merge changed; false when it was changed since. */
export async function takeBackMerge(
  tx: Executor,
  { into, sequence, before }: MergeDetails,
): Promise<boolean> {
  const known = await lockEvent(tx, into);
  if (known?.sequence !== sequence) return false;
  await writeFields(tx, into, before);
  return true;
}

/** Which parts of the pending event the known one takes over. */
export interface MergeWish {
  into: number;
  time: boolean;
  place: boolean;
}

/**
 * Merges an event that waits into a public one: it takes over time or place and, when it had none, the source; the
 * merged one counts as rejected and remembers where it went, so that it does not come back (decision E6).
 */
export function mergeEvents(
  id: number,
  actorId: number,
  wish: MergeWish,
  notes: string | null,
): Promise<Decided> {
  return database().transaction(async (tx): Promise<Decided> => {
    // Always in the order of the ids, as everywhere here.
    for (const each of [id, wish.into].sort((a, b) => a - b)) await lockEvent(tx, each);
    return mergeLocked(tx, id, actorId, wish, notes);
  });
}

/** The same in a transaction that has locked both events. */
async function mergeLocked(
  tx: Executor,
  id: number,
  actorId: number,
  { into, time, place }: MergeWish,
  notes: string | null,
): Promise<Decided> {
  const [event, known] = [await lockEvent(tx, id), await lockEvent(tx, into)];
  if (event?.verification !== 'pending') return { id, done: false, verification: event?.verification };
  const [fresh, before] = [await fieldsOf(tx, id), await fieldsOf(tx, into)];
  if (known?.verification !== 'approved' || !fresh || !before)
    return { id: into, done: false, verification: known?.verification };
  const placeOf = new Map(fresh.words.map((words) => [words.language, words]));
  const changed = {
    ...(time ? fresh : before),
    sourceArticleId: before.sourceArticleId ?? fresh.sourceArticleId,
    words: place
      ? before.words.map((words) => {
          const own = placeOf.get(words.language);
          // A source that names no place takes none away.
          return own?.venue || own?.location ? { ...own } : words;
        })
      : before.words,
  };
  await writeFields(tx, into, changed);
  const after = await lockEvent(tx, into);
  await tx.execute(sql`update events set verification = 'rejected', decided_at = now(), decided_by = ${actorId},
    decision_notes = ${notes}, merged_into_id = ${into}, updated_at = now() where id = ${id}`);
  const decision = await recordDecision(tx, {
    actorId,
    action: 'event.merge',
    subject: 'event',
    subjectId: id,
    notes,
    details: { into, time, place, sequence: after?.sequence ?? 0, before } satisfies MergeDetails,
  });
  const starIds = [...new Set([...event.starIds, ...known.starIds])];
  return { id, done: true, decision, starIds, mergedInto: into };
}

/**
 * Merges those of the events that wait as updates of a public one into it: that is what approving them means. They and
 * what they update are locked in the order of their ids. @returns what became of these; the others are left alone
 */
export async function mergeUpdates(
  tx: Executor,
  ids: readonly number[],
  actorId: number,
  notes: string | null,
): Promise<Decided[]> {
  await tx.execute(sql`select from events where id = any(${intArray(ids)})
    or id in (select update_of_id from events where id = any(${intArray(ids)}) and verification = 'pending')
    order by id for update`);
  // A day without a time says nothing new about an event on that day.
  const updates = await tx.execute<{ id: number; into: number; time: boolean }>(sql`
    select e.id, k.id as into, e.precision = 'minute'
      or (e.start_time at time zone e.zone)::date <> (k.start_time at time zone k.zone)::date as time
    from events e join events k on k.id = e.update_of_id and k.verification = 'approved'
    where e.id = any(${intArray(ids)}) and e.verification = 'pending' order by e.id`);
  const done: Decided[] = [];
  for (const { id, into, time } of updates)
    done.push(await mergeLocked(tx, id, actorId, { into, time, place: true }, notes));
  return done;
}
