import { sql } from 'drizzle-orm';
import { categories } from '#content/event-categories.ts';
import { languages, type Translated } from '#content/locales.ts';
import { type Database, database } from '../client.ts';
import type { EventType } from '../schema/events.ts';

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

type Executor = Pick<Database, 'execute'>;

/**
 * Stores what was read from a story as events that wait for verification and notes that the story is done, in one
 * transaction. What is known already, decided or not, does not come again (decision E6); what tells something new about a
 * known event waits as its update. @returns ids of the new events
 */
export function storeEvents(storyId: number, events: readonly NewEvent[]): Promise<number[]> {
  return database().transaction(async (tx) => {
    // Two stories about one concert at the same moment: one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('newsroom_events'))`);
    const [story] = await tx.execute<{ articleId: number | null }>(sql`
      update stories set event_stage = 'done', reason = null, details = null, updated_at = now() where id = ${storyId} and event_stage = 'pending'
      returning article_id as "articleId"`);
    if (!story) return [];
    const ids: number[] = [];
    for (const event of events) {
      const id = await storeEvent(tx, event, story.articleId);
      if (id !== undefined) ids.push(id);
    }
    return ids;
  });
}

async function storeEvent(
  tx: Executor,
  event: NewEvent,
  articleId: number | null,
): Promise<number | undefined> {
  const known = await findKnown(tx, event);
  if (known && (known.verification === 'rejected' || !tellsNew(event, known))) return undefined;
  const [row] = await tx.execute<{ id: number }>(sql`
    insert into events (event_type, category_id, start_time, zone, precision, primary_star_id, source_article_id,
      extraction_confidence, evidence, checks, extraction_key, update_of_id)
    values (${event.type}, ${await categoryOf(tx, event.type)}, ${event.start.toISOString()}, ${event.zone},
      ${event.precision}, ${event.starIds[0] ?? null}, ${articleId}, ${event.confidence},
      ${JSON.stringify(event.evidence)}::jsonb, ${JSON.stringify(event.checks)}::jsonb, ${keyOf(event)}, ${known?.id ?? null})
    on conflict (extraction_key) do nothing returning id`);
  if (!row) return undefined;
  for (const language of languages) {
    await tx.execute(sql`insert into event_translations (event_id, language, title, venue)
      values (${row.id}, ${language}, ${event.title[language]}, ${event.venue?.[language] ?? null})`);
  }
  for (const starId of event.starIds) {
    await tx.execute(
      sql`insert into event_stars (event_id, star_id) values (${row.id}, ${starId}) on conflict do nothing`,
    );
  }
  return row.id;
}

/** The same event in the same words never comes twice, whichever story tells it. */
function keyOf({ type, starIds, start, precision, venue }: NewEvent): string {
  const parts = [type, starIds[0] ?? 0, start.toISOString(), precision, venue?.ko ?? ''];
  return new Bun.CryptoHasher('sha256').update(parts.join('|')).digest('hex');
}

interface Known extends Record<string, unknown> {
  id: number;
  verification: 'pending' | 'approved' | 'rejected';
  startTime: string;
  precision: 'minute' | 'day';
  venue: string | null;
}

/**
 * The event that a new one is about: of the same star and kind on the same day, else one of the next weeks with nearly
 * the same title. A merged one stands for what it was merged into.
 */
async function findKnown(
  tx: Executor,
  { type, starIds, start, zone, title }: NewEvent,
): Promise<Known | undefined> {
  const [star] = starIds;
  if (star === undefined) return undefined;
  const at = start.toISOString();
  const [row] = await tx.execute<Known>(sql`
    with near as (
      select e.id, coalesce(e.merged_into_id, e.id) as target, e.start_time,
        (e.start_time at time zone ${zone})::date = (${at}::timestamptz at time zone ${zone})::date as same_day,
        similarity(byeol_fold(t.title), byeol_fold(${title.ko})) as likeness
      from events e left join event_translations t on t.event_id = e.id and t.language = 'ko'
      where (e.primary_star_id = ${star} or exists (
          select 1 from event_stars es where es.event_id = e.id and es.star_id = ${star}))
        and (e.event_type = ${type} or (e.event_type in ('comeback', 'release') and ${type} in ('comeback', 'release')))
        and e.start_time between ${at}::timestamptz - interval '45 days' and ${at}::timestamptz + interval '45 days')
    select e.id, e.verification, e.start_time as "startTime", e.precision, t.venue
    from near join events e on e.id = near.target left join event_translations t on t.event_id = e.id and t.language = 'ko'
    where near.same_day or near.likeness >= 0.6
    order by near.same_day desc, e.verification = 'approved' desc, near.likeness desc, e.id limit 1`);
  return row;
}

/** Another day or time, or a place where there was none or another. */
function tellsNew(event: NewEvent, known: Known): boolean {
  const otherTime = event.precision === 'minute' && Date.parse(known.startTime) !== event.start.getTime();
  const otherDay = Math.abs(Date.parse(known.startTime) - event.start.getTime()) >= 86_400_000;
  const tight = (text: string) => text.replace(/\s+/g, '').toLowerCase();
  const otherPlace =
    event.venue !== null && (known.venue === null || tight(known.venue) !== tight(event.venue.ko));
  return otherTime || otherDay || otherPlace;
}

/** The category of a kind of event; a database that was never seeded gets it when it is first needed. */
async function categoryOf(tx: Executor, type: EventType): Promise<number> {
  const find = () =>
    tx.execute<{ id: number }>(
      sql`select id from event_categories where event_type = ${type} order by id limit 1`,
    );
  const [known] = await find();
  if (known) return known.id;
  const wanted = categories.find((each) => each.eventType === type);
  await tx.execute(sql`insert into event_categories (slug, event_type, color)
    values (${wanted?.slug ?? type}, ${type}, ${wanted?.color ?? '#666666'}) on conflict do nothing`);
  const [made] = await find();
  if (!made) throw new Error(`there is no category for ${type}`);
  for (const language of languages) {
    await tx.execute(sql`insert into event_category_translations (category_id, language, name)
      values (${made.id}, ${language}, ${wanted?.names[language] ?? type}) on conflict do nothing`);
  }
  return made.id;
}
