import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { database, type Transaction } from '../../client.ts';
import { events, eventTranslations } from '../../schema/events.ts';
import { isOneOf, jsonArray, jsonObject, type RowOf, selectValue } from '../../sql.ts';
import { e, isPublic } from '../events/fields.ts';
import { recordDecision } from './audit.ts';
import { type EventDecision, lockEvent } from './event-lock.ts';

const k = alias(events, 'k');

/** What a merge changed of the known event: enough to take it back. */
export interface MergeDetails extends Record<string, unknown> {
  into: number;
  /** Of the known event after the merge: it is only taken back while nobody has changed it since. */
  sequence: number;
  before: EventFields;
}

/** As PostgreSQL says an instant: it goes through the audit log and must come back the same. */
const instantText = (instant: AnyPgColumn) => sql<string>`${instant}::text`;

const { language, venue, location } = eventTranslations;
const carriedFields = {
  startTime: instantText(e.startTime),
  endTime: sql<string | null>`${instantText(e.endTime)}`,
  zone: e.zone,
  precision: e.precision,
  sourceArticleId: e.sourceArticleId,
  words: selectValue(
    jsonArray(jsonObject({ language, venue, location })),
    sql`from ${eventTranslations} where ${eventTranslations.eventId} = ${e.id}`,
  ),
};

/** What a merge may carry over. */
type EventFields = RowOf<typeof carriedFields>;

async function fieldsOf(tx: Transaction, id: number): Promise<EventFields | undefined> {
  const [fields] = await tx.select(carriedFields).from(e).where(eq(e.id, id));
  return fields;
}

async function writeFields(
  tx: Transaction,
  id: number,
  { startTime, endTime, words, ...fields }: EventFields,
): Promise<void> {
  await tx
    .update(events)
    .set({
      ...fields,
      startTime: sql`${startTime}::timestamptz`,
      endTime: sql`${endTime}::timestamptz`,
      updatedAt: sql`now()`,
    })
    .where(eq(events.id, id));
  for (const { language: own, ...place } of words) {
    await tx
      .update(eventTranslations)
      .set(place)
      .where(and(eq(eventTranslations.eventId, id), eq(language, own)));
  }
}

/** Gives the known event back what a merge changed; false when it was changed since. */
export async function undoMerge(tx: Transaction, { into, sequence, before }: MergeDetails): Promise<boolean> {
  const target = await lockEvent(tx, into);
  if (target?.sequence !== sequence) return false;
  await writeFields(tx, into, before);
  return true;
}

/** Which parts of the pending event the known one takes over. */
interface MergeRequest {
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
  request: MergeRequest,
  notes: string | null,
): Promise<EventDecision> {
  return database().transaction(async (tx): Promise<EventDecision> => {
    // Always in the order of the ids, as everywhere here.
    for (const each of [id, request.into].sort((a, b) => a - b)) await lockEvent(tx, each);
    return mergeLocked(tx, id, actorId, request, notes);
  });
}

/** The same in a transaction that has locked both events. */
async function mergeLocked(
  tx: Transaction,
  id: number,
  actorId: number,
  { into, time, place }: MergeRequest,
  notes: string | null,
): Promise<EventDecision> {
  const [event, target] = [await lockEvent(tx, id), await lockEvent(tx, into)];
  if (event?.verification !== 'pending') return { id, done: false, verification: event?.verification };
  const [source, before] = [await fieldsOf(tx, id), await fieldsOf(tx, into)];
  if (target?.verification !== 'approved' || !source || !before)
    return { id: into, done: false, verification: target?.verification };
  const placeOf = new Map(source.words.map((words) => [words.language, words]));
  const changed = {
    ...(time ? source : before),
    sourceArticleId: before.sourceArticleId ?? source.sourceArticleId,
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
  await tx
    .update(events)
    .set({
      verification: 'rejected',
      decidedAt: sql`now()`,
      decidedBy: actorId,
      decisionNotes: notes,
      mergedIntoId: into,
      updatedAt: sql`now()`,
    })
    .where(eq(events.id, id));
  const decision = await recordDecision(tx, {
    actorId,
    action: 'event.merge',
    subject: 'event',
    subjectId: id,
    notes,
    details: { into, time, place, sequence: after?.sequence ?? 0, before } satisfies MergeDetails,
  });
  const starIds = [...new Set([...event.starIds, ...target.starIds])];
  return { id, done: true, decision, starIds, mergedInto: into };
}

/**
 * Merges those of the events that wait as updates of a public one into it: that is what approving them means. They and
 * what they update are locked in the order of their ids. @returns what became of these; the others are left alone
 */
export async function mergeUpdates(
  tx: Transaction,
  ids: readonly number[],
  actorId: number,
  notes: string | null,
): Promise<EventDecision[]> {
  const isAmongIds = isOneOf(events.id, ids);
  const updated = tx
    .select({ id: e.updateOfId })
    .from(e)
    .where(sql`${isOneOf(e.id, ids)} and ${e.verification} = 'pending'`);
  await tx
    .select({ id: events.id })
    .from(events)
    .where(or(isAmongIds, inArray(events.id, updated)))
    .orderBy(asc(events.id))
    .for('update');
  const day = (event: Record<'startTime' | 'zone', AnyPgColumn>) =>
    sql`(${event.startTime} at time zone ${event.zone})::date`;
  const updates = await tx
    .select({
      id: events.id,
      into: k.id,
      // A day without a time says nothing new about an event on that day.
      time: sql<boolean>`${events.precision} = 'minute' or ${day(events)} <> ${day(k)}`,
    })
    .from(events)
    .innerJoin(k, and(eq(k.id, events.updateOfId), isPublic(k)))
    .where(and(isAmongIds, eq(events.verification, 'pending')))
    .orderBy(asc(events.id));
  const merged: EventDecision[] = [];
  for (const { id, into, time } of updates)
    merged.push(await mergeLocked(tx, id, actorId, { into, time, place: true }, notes));
  return merged;
}
