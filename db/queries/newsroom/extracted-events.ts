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
    const ids: number[] = [];
    for (const event of newEvents) {
      const id = await storeEvent(tx, event, story.articleId);
      if (id !== undefined) ids.push(id);
    }
    return ids;
  });
}

async function storeEvent(
  tx: Transaction,
  event: NewEvent,
  articleId: number | null,
): Promise<number | undefined> {
  const existing = await findKnownEvent(tx, event);
  if (existing && (existing.verification === 'rejected' || !isNews(event, existing))) return undefined;
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
      extractionKey: keyOf(event),
      updateOfId: existing?.id ?? null,
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

/** The same event in the same words never comes twice, whichever story tells it. */
function keyOf({ type, starIds, start, precision, venue }: NewEvent): string {
  const parts = [type, starIds[0] ?? 0, start.toISOString(), precision, venue?.ko ?? ''];
  return new Bun.CryptoHasher('sha256').update(parts.join('|')).digest('hex');
}

/** The Korean words of `events e`. */
const korean = alias(eventTranslations, 'korean');
const joinKorean = sql`left join ${eventTranslations} ${korean} on ${korean.eventId} = ${e.id} and ${korean.language} = 'ko'`;

const knownFields = {
  id: e.id,
  verification: e.verification,
  startTime: e.startTime,
  precision: e.precision,
  venue: nullable(korean.venue),
};
type KnownEvent = RowOf<typeof knownFields>;

/**
 * The event that a new one is about: of the same star and kind on the same day, else one of the next weeks with nearly
 * the same title. A merged one stands for what it was merged into.
 */
async function findKnownEvent(
  tx: Transaction,
  { type, starIds, start, zone, title }: NewEvent,
): Promise<KnownEvent | undefined> {
  const [star] = starIds;
  if (star === undefined) return undefined;
  const at = sql`${start.toISOString()}::timestamptz`;
  const near = derived('near', {
    target: sql<number>`coalesce(${e.mergedIntoId}, ${e.id})`,
    isSameDay: sql<boolean>`(${e.startTime} at time zone ${zone})::date = (${at} at time zone ${zone})::date`,
    likeness: sql<number>`similarity(byeol_fold(${korean.title}), byeol_fold(${title.ko}))`,
  });
  const { target, isSameDay, likeness } = near.fields;
  const [row] = await execute(
    knownFields,
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
      order by ${isSameDay} desc, ${e.verification} = 'approved' desc, ${likeness} desc, ${e.id} limit 1`,
    tx,
  );
  return row;
}

/** Another day or time, or a place where there was none or another. */
function isNews(event: NewEvent, known: KnownEvent): boolean {
  const distance = Math.abs(known.startTime.getTime() - event.start.getTime());
  const otherTime = event.precision === 'minute' && distance > 0;
  const otherDay = distance >= 86_400_000;
  const tight = (text: string) => text.replace(/\s+/g, '').toLowerCase();
  const otherPlace =
    event.venue !== null && (known.venue === null || tight(known.venue) !== tight(event.venue.ko));
  return otherTime || otherDay || otherPlace;
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
