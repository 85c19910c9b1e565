import { asc, eq, sql } from 'drizzle-orm';
import { type Lang, languages } from '#content/locales.ts';
import { type Database, database, type Transaction } from '../../client.ts';
import {
  eventCategories,
  eventStars,
  events,
  eventTranslations,
  type Verification,
} from '../../schema/events.ts';
import { stars } from '../../schema/stars.ts';
import {
  intArray,
  isOneOf,
  jsonObject,
  nameOf,
  namesOf,
  type RowOf,
  selectValue,
  type ValueOf,
} from '../../sql.ts';
import { e, overAt } from '../events/fields.ts';
import { lockShownPictures, type UnavailableReason } from '../shown-picture.ts';
import { recordDecision } from './audit.ts';
import { lockEvent, starIdsOfEvent } from './event-lock.ts';
import { versionOf } from './version.ts';

const { title, description, venue, location } = eventTranslations;
const words = jsonObject({ title, description, venue, location });

/** The words of an event in one language. */
export type EventWords = ValueOf<typeof words>;

const editableFields = {
  id: e.id,
  version: versionOf(e.updatedAt),
  verification: e.verification,
  eventType: e.eventType,
  state: e.state,
  startTime: e.startTime,
  endTime: e.endTime,
  overAt,
  zone: e.zone,
  precision: e.precision,
  capacity: e.capacity,
  primaryStarId: e.primaryStarId,
  starIds: starIdsOfEvent,
  ticketUrl: e.ticketUrl,
  streamingUrl: e.streamingUrl,
  officialUrl: e.officialUrl,
  pictureKey: e.photoKey,
  /** The known event that a pending one is taken for an update of. */
  updateOfId: e.updateOfId,
  words: selectValue(
    sql<
      Partial<Record<Lang, EventWords>>
    >`coalesce(json_object_agg(${eventTranslations.language}, ${words}), '{}'::json)`,
    sql`from ${eventTranslations} where ${eventTranslations.eventId} = ${e.id}`,
  ),
};

/** Everything of an event that an editor may change. */
export type EditableEventRow = RowOf<typeof editableFields>;

/** An event with its words in every language, to be edited; undefined when there is none. */
export async function findEditableEvent(
  id: number,
  db: Pick<Database, 'select'> = database(),
): Promise<EditableEventRow | undefined> {
  const [event] = await db.select(editableFields).from(e).where(eq(e.id, id));
  return event;
}

/** A change of an event; what is left out stays. */
export type EventChange = {
  [Key in keyof Omit<EditableEventRow, 'id' | 'version' | 'verification' | 'overAt'>]?:
    | EditableEventRow[Key]
    | undefined;
};

/** What the editor saw; without a version, whatever is there is overwritten. */
interface ExpectedEvent {
  expected: Verification;
  version: string | undefined;
}

/** What an edit came to; `primaryStar`, `star` and `category`: there is none such; `changed`: it is not the version that was seen. */
type EditOutcome =
  | { done: true; starIds: number[] }
  | { done: false; why: 'missing' | 'changed' | 'primaryStar' | 'star' | 'category' | 'order' }
  | { done: false; why: 'state'; verification: Verification }
  | { done: false; why: 'picture'; unavailable: UnavailableReason };

/**
 * Changes an event that is as the editor saw it. Triggers make a changed public one a new version for calendar programs
 * (decision E7).
 */
export function editEvent(
  id: number,
  actorId: number,
  { expected, version }: ExpectedEvent,
  change: EventChange,
): Promise<EditOutcome> {
  return database().transaction(async (tx): Promise<EditOutcome> => {
    const event = await lockEvent(tx, id);
    if (!event) return { done: false, why: 'missing' };
    if (event.verification !== expected)
      return { done: false, why: 'state', verification: event.verification };
    if (version !== undefined && version !== event.version) return { done: false, why: 'changed' };
    const before = await findEditableEvent(id, tx);
    if (!before) return { done: false, why: 'missing' };
    const after = { ...before, ...definedOf(change) };
    const [category] = await tx
      .select({ id: eventCategories.id })
      .from(eventCategories)
      .where(eq(eventCategories.eventType, after.eventType))
      .orderBy(asc(eventCategories.id))
      .limit(1);
    if (!category) return { done: false, why: 'category' };
    if (isMoved(before, after) && !isInOrder(after)) return { done: false, why: 'order' };
    const starIds = [
      ...new Set([...(after.primaryStarId === null ? [] : [after.primaryStarId]), ...after.starIds]),
    ];
    const knownStars = await tx.select({ id: stars.id }).from(stars).where(isOneOf(stars.id, starIds));
    const isUnknown = (star: number) => !knownStars.some(({ id }) => id === star);
    if (after.primaryStarId !== null && isUnknown(after.primaryStarId))
      return { done: false, why: 'primaryStar' };
    if (after.starIds.some(isUnknown)) return { done: false, why: 'star' };
    const { words: changedWords, starIds: changedStarIds, pictureKey: photoKey, ...columns } = change;
    if (photoKey && photoKey !== before.pictureKey) {
      const unavailable = (await lockShownPictures(tx, [photoKey], { isUpload: true })).get(photoKey);
      if (unavailable) return { done: false, why: 'picture', unavailable };
    }
    // Before the event itself: the triggers of its words and stars count no change of one that says it was changed just now.
    if (changedWords) await writeWords(tx, id, changedWords);
    if (changedStarIds || change.primaryStarId !== undefined) await writeStars(tx, id, starIds);
    await tx
      .update(events)
      .set({ ...columns, photoKey, categoryId: category.id, updatedAt: sql`now()` })
      .where(eq(events.id, id));
    const changed = Object.fromEntries(
      Object.keys(definedOf(change))
        // The form sends all it shows.
        .filter((key) => !Bun.deepEquals(Reflect.get(before, key), Reflect.get(after, key)))
        .map((key) => [key, Reflect.get(before, key)]),
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

/** What an edit leaves as it was is not judged by it. */
const isMoved = (before: EditableEventRow, after: EditableEventRow) =>
  (['startTime', 'endTime', 'precision'] as const).some((key) => !Bun.deepEquals(before[key], after[key]));

/** An event of known minutes lasts; one of whole days may end on the day on which it begins. */
const isInOrder = ({ startTime, endTime, precision }: EditableEventRow) =>
  endTime === null || endTime > startTime || (precision === 'day' && endTime >= startTime);

const definedOf = (change: EventChange): Partial<EditableEventRow> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

async function writeWords(
  tx: Transaction,
  eventId: number,
  wordsByLanguage: Partial<Record<Lang, EventWords>>,
): Promise<void> {
  const rows = languages.flatMap((language) => {
    const own = wordsByLanguage[language];
    return own ? [{ eventId, language, ...own }] : [];
  });
  if (rows.length === 0) return;
  await tx
    .insert(eventTranslations)
    .values(rows)
    .onConflictDoUpdate({
      target: [eventTranslations.eventId, eventTranslations.language],
      set: {
        title: sql`excluded.${nameOf(title)}`,
        description: sql`excluded.${nameOf(description)}`,
        venue: sql`excluded.${nameOf(venue)}`,
        location: sql`excluded.${nameOf(location)}`,
      },
    });
}

/** The stars of an event are exactly these; those that stay keep their role. */
export async function writeStars(tx: Transaction, id: number, starIds: readonly number[]): Promise<void> {
  const ids = intArray(starIds);
  await tx
    .delete(eventStars)
    .where(sql`${eventStars.eventId} = ${id} and ${eventStars.starId} <> all(${ids})`);
  await tx.execute(sql`
    insert into ${eventStars} (${namesOf(eventStars.eventId, eventStars.starId)})
    select ${id}::int, unnest(${ids}) on conflict do nothing`);
}
