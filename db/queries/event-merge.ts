import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { type Executor, recordDecision } from './audit.ts';
import { type Decided, type Locked, lockEvent } from './event-lock.ts';

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
  { into, time, place }: MergeWish,
  notes: string | null,
): Promise<Decided> {
  return database().transaction(async (tx): Promise<Decided> => {
    // Always in the order of the ids, as everywhere here.
    const locked = new Map<number, Locked | undefined>();
    for (const each of [id, into].sort((a, b) => a - b)) locked.set(each, await lockEvent(tx, each));
    const [event, known] = [locked.get(id), locked.get(into)];
    if (event?.verification !== 'pending') return { id, done: false, verification: event?.verification };
    const [fresh, before] = [await fieldsOf(tx, id), await fieldsOf(tx, into)];
    if (known?.verification !== 'approved' || !fresh || !before)
      return { id: into, done: false, verification: known?.verification };
    const placeOf = new Map(fresh.words.map((words) => [words.language, words]));
    const changed = {
      ...(time ? fresh : before),
      sourceArticleId: before.sourceArticleId ?? fresh.sourceArticleId,
      words: place ? before.words.map((words) => placeOf.get(words.language) ?? words) : before.words,
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
    return { id, done: true, decision, starIds: [...new Set([...event.starIds, ...known.starIds])] };
  });
}
