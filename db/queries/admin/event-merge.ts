import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { database, type Transaction } from '../../client.ts';
import { auditLog } from '../../schema/accounts.ts';
import { events, eventTranslations } from '../../schema/events.ts';
import { execute, isOneOf, jsonArray, jsonObject, type RowOf, selectValue } from '../../sql.ts';
import { e, isPublic } from '../events/fields.ts';
import { recordDecision } from './audit.ts';
import { type EditableEventRow, writeStars } from './event-edit.ts';
import { type EventDecision, lockEvent, starIdsOfEvent } from './event-lock.ts';

const k = alias(events, 'k');

/** What a merge changed of the known event: enough to take it back. Older ones tell fewer fields. */
export interface MergeDetails extends Record<string, unknown> {
  into: number;
  before: Partial<EventFields>;
  /** What it left: it is only taken back while the known event is like that. */
  after?: EventFields;
  /** Of the known event after the merge, in place of `after` where that was not kept yet. */
  sequence?: number;
}

/** As PostgreSQL says an instant: it goes through the audit log and must come back the same. */
const instantText = (instant: AnyPgColumn) => sql<string>`${instant}::text`;
const day = ({ startTime, zone }: Record<'startTime' | 'zone', AnyPgColumn>) =>
  sql`(${startTime} at time zone ${zone})::date`;

const { language, title, description, venue, location } = eventTranslations;
const carriedFields = {
  startTime: instantText(e.startTime),
  endTime: sql<string | null>`${instantText(e.endTime)}`,
  zone: e.zone,
  precision: e.precision,
  sourceArticleId: e.sourceArticleId,
  eventType: e.eventType,
  categoryId: e.categoryId,
  state: e.state,
  capacity: e.capacity,
  ticketUrl: e.ticketUrl,
  streamingUrl: e.streamingUrl,
  officialUrl: e.officialUrl,
  pictureKey: e.photoKey,
  primaryStarId: e.primaryStarId,
  starIds: starIdsOfEvent,
  words: selectValue(
    jsonArray(jsonObject({ language, title, description, venue, location }), { orderBy: sql`${language}` }),
    sql`from ${eventTranslations} where ${eventTranslations.eventId} = ${e.id}`,
  ),
};

/** What a merge may carry over. */
type EventFields = RowOf<typeof carriedFields>;

async function fieldsOf(tx: Transaction, id: number): Promise<EventFields | undefined> {
  const [fields] = await tx.select(carriedFields).from(e).where(eq(e.id, id));
  return fields;
}

/** Writes what differs in stars and all else that is given. */
async function writeFields(
  tx: Transaction,
  id: number,
  current: EventFields,
  { startTime, endTime, pictureKey: photoKey, starIds, words = [], ...fields }: Partial<EventFields>,
): Promise<void> {
  // Before the event itself: the triggers of its words and stars count no change of one that says it was changed just now.
  for (const { language: own, ...texts } of words) {
    await tx
      .update(eventTranslations)
      .set(texts)
      .where(and(eq(eventTranslations.eventId, id), eq(language, own)));
  }
  if (starIds && !Bun.deepEquals(starIds, current.starIds)) await writeStars(tx, id, starIds);
  const instantOf = (text: string | null) => sql`${text}::timestamptz`;
  await tx
    .update(events)
    .set({
      ...fields,
      photoKey,
      ...(startTime === undefined ? {} : { startTime: instantOf(startTime) }),
      ...(endTime === undefined ? {} : { endTime: instantOf(endTime) }),
      updatedAt: sql`now()`,
    })
    .where(eq(events.id, id));
}

/** Gives the known event back what a merge changed; false when that was changed since, by a later merge too. */
export async function undoMerge(
  tx: Transaction,
  { into, sequence, before, after }: MergeDetails,
): Promise<boolean> {
  const target = await lockEvent(tx, into);
  const current = await fieldsOf(tx, into);
  if (!target || !current) return false;
  if (after && Bun.deepEquals(before, after)) return true;
  const isAsLeft = after ? Bun.deepEquals(current, after) : target.sequence === sequence;
  if (isAsLeft) await writeFields(tx, into, current, before);
  return isAsLeft;
}

/** Which parts of the pending event the known one takes over. */
interface MergeRequest {
  into: number;
  time: boolean;
  place: boolean;
  /** Also what an editor changed of it besides. */
  edits: boolean;
}

/**
 * Merges an event that waits into a public one: it takes over time or place and, when it had none, the source; the
 * merged one counts as rejected and remembers where it went, so that it does not come back (decision E6).
 */
export function mergeEvents(
  id: number,
  actorId: number,
  request: Omit<MergeRequest, 'edits'>,
  notes: string | null,
): Promise<EventDecision> {
  return database().transaction(async (tx): Promise<EventDecision> => {
    // Always in the order of the ids, as everywhere here.
    for (const each of [id, request.into].sort((a, b) => a - b)) await lockEvent(tx, each);
    return mergeLocked(tx, id, actorId, { ...request, edits: false }, notes);
  });
}

/** The same in a transaction that has locked both events. */
async function mergeLocked(
  tx: Transaction,
  id: number,
  actorId: number,
  { into, time, place, edits }: MergeRequest,
  notes: string | null,
): Promise<EventDecision> {
  const [event, target] = [await lockEvent(tx, id), await lockEvent(tx, into)];
  if (event?.verification !== 'pending') return { id, done: false, verification: event?.verification };
  const [source, before] = [await fieldsOf(tx, id), await fieldsOf(tx, into)];
  if (target?.verification !== 'approved' || !source || !before)
    return { id: into, done: false, verification: target?.verification };
  const edited = edits ? await editsOf(tx, id) : {};
  const ownWords = new Map(source.words.map((words) => [words.language, words]));
  await writeFields(tx, into, before, {
    ...(time ? await timeOf(tx, id, into, source, before) : await endOf(tx, edited, source, before)),
    sourceArticleId: before.sourceArticleId ?? source.sourceArticleId,
    ...editedFields(edited, source, before),
    words: before.words.map((words) => {
      const own = ownWords.get(words.language);
      if (!own) return words;
      return {
        ...words,
        ...editedWords(edited, own),
        // A source that names no place takes none away.
        venue: (place ? own.venue : null) ?? words.venue,
        location: (place ? own.location : null) ?? words.location,
      };
    }),
  });
  const after = await fieldsOf(tx, into);
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
    details: { into, time, place, before, ...(after ? { after } : {}) } satisfies MergeDetails,
  });
  const starIds = [...new Set([...event.starIds, ...target.starIds])];
  return { id, done: true, decision, starIds, mergedInto: into };
}

/** The start of the source where it is another. An end that the source does not name stays as far from the start as it was. */
async function timeOf(
  tx: Transaction,
  id: number,
  into: number,
  source: EventFields,
  before: EventFields,
): Promise<Partial<EventFields>> {
  const { startTime, zone, precision } = source;
  const isSame = startTime === before.startTime && precision === before.precision;
  if (isSame) return { endTime: source.endTime ?? before.endTime };
  const movedEnd = sql`case when ${e.precision} = 'minute' and ${k.precision} = 'minute'
    then ${k.endTime} + (${e.startTime} - ${k.startTime})
    else (${k.endTime} at time zone ${k.zone} + interval '1 day' * (${day(e)} - ${day(k)})) at time zone ${e.zone} end`;
  const [kept] = await tx
    .select({ end: sql<string | null>`case when ${movedEnd} > ${e.startTime} then (${movedEnd})::text end` })
    .from(e)
    .innerJoin(k, eq(k.id, into))
    .where(eq(e.id, id));
  return { startTime, zone, precision, endTime: source.endTime ?? kept?.end ?? null };
}

/** What the fields that editors have changed were as the newsroom left them. */
type Unedited = Partial<EditableEventRow>;

async function editsOf(tx: Transaction, id: number): Promise<Unedited> {
  const edits = await tx
    .select({ details: sql<{ before?: Unedited } | null>`${auditLog.details}` })
    .from(auditLog)
    .where(and(eq(auditLog.subject, 'event'), eq(auditLog.subjectId, id), eq(auditLog.action, 'event.edit')))
    .orderBy(desc(auditLog.id));
  return Object.assign({}, ...edits.map(({ details }) => details?.before));
}

const editable = [
  'zone',
  'eventType',
  'state',
  'capacity',
  'ticketUrl',
  'streamingUrl',
  'officialUrl',
  'pictureKey',
  'primaryStarId',
] as const;

/** The end that an editor gave, where the known event begins before it or, when it is of whole days, on that day. */
async function endOf(
  tx: Transaction,
  unedited: Unedited,
  { endTime }: EventFields,
  { startTime, precision }: EventFields,
): Promise<Partial<EventFields>> {
  if (!('endTime' in unedited)) return {};
  const isAfter = sql.raw(precision === 'day' ? '>=' : '>');
  const isInOrder = sql<boolean>`coalesce(${endTime}::timestamptz ${isAfter} ${startTime}::timestamptz, true)`;
  const [given] = await execute({ isInOrder }, (columns) => sql`select ${columns}`, tx);
  return given?.isInOrder ? { endTime } : {};
}

/** What editors changed besides time, place and words; stars are added to those that the known event has. */
function editedFields(unedited: Unedited, source: EventFields, before: EventFields): Partial<EventFields> {
  const changed = editable.filter((key) => key in unedited && unedited[key] !== source[key]);
  const { starIds: foundStars = source.starIds } = unedited;
  const isAdded = (id: number) =>
    !foundStars.includes(id) || (changed.includes('primaryStarId') && id === source.primaryStarId);
  const addedStars = source.starIds.filter(isAdded);
  return {
    ...Object.fromEntries(changed.map((key) => [key, source[key]])),
    categoryId: changed.includes('eventType') ? source.categoryId : before.categoryId,
    starIds: [...new Set([...before.starIds, ...addedStars])].sort((a, b) => a - b),
  };
}

type Words = EventFields['words'][number];

/** Of the words in one language those that editors changed. */
function editedWords({ words }: Unedited, own: Words): Partial<Words> {
  if (!words) return {};
  const unedited = words[own.language];
  return {
    ...(own.title === unedited?.title ? {} : { title: own.title }),
    ...(own.description === (unedited?.description ?? null) ? {} : { description: own.description }),
  };
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
    merged.push(await mergeLocked(tx, id, actorId, { into, time, place: true, edits: true }, notes));
  return merged;
}
