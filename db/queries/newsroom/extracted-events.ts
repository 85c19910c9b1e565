import { and, asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { categories } from '#content/event-categories.ts';
import { languages, type Translated } from '#content/locales.ts';
import { database, type Transaction } from '../../client.ts';
import {
  type EventType,
  eventCategories,
  eventCategoryTranslations,
  eventStars,
  events,
  eventTranslations,
} from '../../schema/events.ts';
import { stories } from '../../schema/newsroom.ts';
import { derived, execute, nullable, type RowOf } from '../../sql.ts';
import { e } from '../events/fields.ts';

/** An event that was read from a story and checked. */
export interface NewEvent {
  type: EventType;
  title: Translated;
  start: Date;
  zone: string;
  precision: 'minute' | 'day';
  venue: Translated | null;
  /** The source says that something takes place on another day than was said before. */
  isMoved: boolean;
  /** The primary star first. */
  starIds: number[];
  /** Source sentence per field. */
  evidence: Record<string, string>;
  checks: Record<string, boolean>;
  /** percent */
  confidence: number;
}

/**
 * Stores what was read from a story as events that wait for verification and notes that the story is done, in one
 * transaction. What is known already, decided or not, does not come again (decision E6); what tells something new about a
 * known event waits as its update. @returns ids of the new events
 */
export function storeEvents(storyId: number, newEvents: readonly NewEvent[]): Promise<number[]> {
  return database().transaction(async (tx) => {
    // Two stories about one concert at the same moment: one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('newsroom_events'))`);
    const [story] = await tx
      .update(stories)
      .set({ eventStage: 'done', reason: null, details: null, updatedAt: sql`now()` })
      .where(and(eq(stories.id, storyId), eq(stories.eventStage, 'pending')))
      .returning({ articleId: stories.articleId });
    if (!story) return [];
    return storeAnswer(tx, newEvents, story.articleId);
  });
}

/** The events of one answer. What it names apart is apart: a known event stands for one of them at most. */
async function storeAnswer(
  tx: Transaction,
  newEvents: readonly NewEvent[],
  articleId: number | null,
): Promise<number[]> {
  const taken = new Set<number>();
  const untold: NewEvent[] = [];
  for (const event of newEvents) {
    const told = (await findKnownEvents(tx, event)).find((known) => !isNews(event, known));
    if (told) taken.add(told.id);
    else untold.push(event);
  }
  const ids: number[] = [];
  for (const event of untold) {
    const known = await findKnownEvents(tx, event);
    // The answer itself may say one thing twice.
    if (known.some((each) => !isNews(event, each))) continue;
    const updated = known.find((each) => !taken.has(each.id) && mayBeUpdate(event, each));
    const id = await storeEvent(tx, event, articleId, updated);
    if (id === undefined) continue;
    ids.push(id);
    for (const each of [id, updated?.id]) if (each !== undefined) taken.add(each);
  }
  return ids;
}

/** Another day is another event (a second night, the next stop of a tour), unless the source speaks of a move. */
const mayBeUpdate = (event: NewEvent, known: KnownEvent) =>
  known.verification !== 'rejected' && (known.isSameDay || event.isMoved);

async function storeEvent(
  tx: Transaction,
  event: NewEvent,
  articleId: number | null,
  updated: KnownEvent | undefined,
): Promise<number | undefined> {
  const [inserted] = await tx
    .insert(events)
    .values({
      eventType: event.type,
      categoryId: await categoryOf(tx, event.type),
      startTime: event.start,
      zone: event.zone,
      precision: event.precision,
      primaryStarId: event.starIds[0] ?? null,
      sourceArticleId: articleId,
      extractionConfidence: event.confidence,
      evidence: event.evidence,
      checks: event.checks,
      extractionKey: keyOf(event, articleId, updated),
      updateOfId: updated?.id ?? null,
    })
    .onConflictDoNothing({ target: events.extractionKey })
    .returning({ id: events.id });
  if (!inserted) return undefined;
  const eventId = inserted.id;
  await tx.insert(eventTranslations).values(
    languages.map((language) => ({
      eventId,
      language,
      title: event.title[language],
      venue: event.venue?.[language] ?? null,
    })),
  );
  for (const starId of event.starIds)
    await tx.insert(eventStars).values({ eventId, starId }).onConflictDoNothing();
  return eventId;
}

/**
 * The same event in the same words never comes twice, whichever story tells it, nor the same change of an event from one story. Another
 * story may tell it again, after a change back: what is known of the change says whether it does.
 */
function keyOf(
  { type, starIds, start, precision, venue }: NewEvent,
  articleId: number | null,
  updated?: KnownEvent,
): string {
  const parts = [type, starIds[0] ?? 0, start.toISOString(), precision, venue?.ko ?? ''];
  if (updated) parts.push(updated.id, updated.startTime.toISOString(), articleId ?? 0);
  return new Bun.CryptoHasher('sha256').update(parts.join('|')).digest('hex');
}

/** The Korean words of `events e`. */
const korean = alias(eventTranslations, 'korean');
const joinKorean = sql`left join ${eventTranslations} ${korean} on ${korean.eventId} = ${e.id} and ${korean.language} = 'ko'`;

/**
 * The events that a new one may be about, the likeliest first: of the same star and kind on the same day, else one of the
 * weeks around with nearly the same title. A merged one stands for what it was merged into.
 */
async function findKnownEvents(
  tx: Transaction,
  { type, starIds, start, zone, title }: NewEvent,
): Promise<KnownEvent[]> {
  const [star] = starIds;
  if (star === undefined) return [];
  const at = sql`${start.toISOString()}::timestamptz`;
  const near = derived('near', {
    target: sql<number>`coalesce(${e.mergedIntoId}, ${e.id})`,
    likeness: sql<number>`similarity(byeol_fold(${korean.title}), byeol_fold(${title.ko}))`,
  });
  const { target, likeness } = near.fields;
  const isSameDay = sql<boolean>`(${e.startTime} at time zone ${zone})::date = (${at} at time zone ${zone})::date`;
  return execute(
    { ...knownFields, isSameDay },
    (columns) => sql`
      with ${near.name} as (
        select ${near.columns} from ${events} ${e} ${joinKorean}
        where (${e.primaryStarId} = ${star} or exists (select 1 from ${eventStars}
            where ${eventStars.eventId} = ${e.id} and ${eventStars.starId} = ${star}))
          and (${e.eventType} = ${type}
            or (${e.eventType} in ('comeback', 'release') and ${type} in ('comeback', 'release')))
          and ${e.startTime} between ${at} - interval '45 days' and ${at} + interval '45 days')
      select ${columns} from ${near.name} join ${events} ${e} on ${e.id} = ${target} ${joinKorean}
      where ${isSameDay} or ${likeness} >= 0.6
      order by ${isSameDay} desc, ${e.verification} = 'approved' desc, ${likeness} desc, ${e.id}`,
    tx,
  );
}

const knownFields = {
  id: e.id,
  verification: e.verification,
  startTime: e.startTime,
  precision: e.precision,
  venue: nullable(korean.venue),
};
type KnownEvent = RowOf<typeof knownFields> & {
  /** In the new event's zone. */
  isSameDay: boolean;
};

/** Another day or time, or a place where there was none or another; of one that was rejected another spelling of its place is none. */
function isNews(event: NewEvent, known: KnownEvent): boolean {
  const otherTime =
    event.precision === 'minute' &&
    (known.precision === 'day' || known.startTime.getTime() !== event.start.getTime());
  const tight = (text: string) => text.replace(/\s+/g, '').toLowerCase();
  const otherPlace =
    known.verification !== 'rejected' &&
    event.venue !== null &&
    (known.venue === null || tight(known.venue) !== tight(event.venue.ko));
  return !known.isSameDay || otherTime || otherPlace;
}

/** The category of a kind of event; a database that was never seeded gets it when it is first needed. */
export async function categoryOf(tx: Transaction, eventType: EventType): Promise<number> {
  const find = () =>
    tx
      .select({ id: eventCategories.id })
      .from(eventCategories)
      .where(eq(eventCategories.eventType, eventType))
      .orderBy(asc(eventCategories.id))
      .limit(1);
  const [existing] = await find();
  if (existing) return existing.id;
  const content = categories.find((each) => each.eventType === eventType);
  const { slug = eventType, color = '#666666' } = content ?? {};
  await tx.insert(eventCategories).values({ slug, eventType, color }).onConflictDoNothing();
  const [added] = await find();
  if (!added) throw new Error(`there is no category for ${eventType}`);
  await tx
    .insert(eventCategoryTranslations)
    .values(
      languages.map((language) => ({
        categoryId: added.id,
        language,
        name: content?.names[language] ?? eventType,
      })),
    )
    .onConflictDoNothing();
  return added.id;
}
