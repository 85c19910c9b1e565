import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EventStage, StoryStage } from '../schema/newsroom.ts';
import { recordDecision } from './audit.ts';

/** How many things are at which stage. */
export interface QueueCounts {
  /** Entries of feeds that are not grouped yet. */
  collected: number;
  new: number;
  waiting: number;
  held: number;
  failed: number;
  /** Published in the last 24 hours. */
  published: number;
  /** Published articles whose events are still to be read. */
  events: number;
  /** Work given up that nobody has replayed. */
  failures: number;
}

/** One statement; `processingQueue` of §7 stats is collected + new + waiting + events. */
export async function countQueue(): Promise<QueueCounts> {
  const [row] = await database().execute<Record<string, unknown> & QueueCounts>(sql`
    select (select count(*)::int from items where stage <> 'grouped') as collected,
      count(*) filter (where stage = 'new')::int as new, count(*) filter (where stage = 'waiting')::int as waiting,
      count(*) filter (where stage = 'held')::int as held, count(*) filter (where stage = 'failed')::int as failed,
      count(*) filter (where stage = 'published' and updated_at > now() - interval '1 day')::int as published,
      count(*) filter (where event_stage = 'pending')::int as events,
      (select count(*)::int from newsroom_failures where replayed_at is null) as failures
    from stories`);
  if (!row) throw new Error('counting answered nothing');
  return row;
}

export interface StoryListRow {
  id: number;
  stage: StoryStage;
  reason: string | null;
  details: string | null;
  articleId: number | null;
  attempts: number;
  nextTryAt: Date;
  eventStage: EventStage;
  eventAttempts: number;
  /** When `stage` or `eventStage` changed last. */
  stepSince: Date;
  sourceChangedAt: Date | null;
  createdAt: Date;
  /** Of the first source. */
  title: string;
  outlet: string;
  sources: number;
  /** Languages that have a draft. */
  drafts: Lang[];
}

/** Stories of a stage, the newest first. `total` counts all of them. */
export async function listStories(
  stage: StoryStage,
  limit: number,
  offset: number,
): Promise<{ rows: StoryListRow[]; total: number }> {
  const rows = await database().execute<Record<string, unknown> & StoryListRow & { total: number }>(sql`
    select st.id, st.stage, st.reason, st.details, st.article_id as "articleId", st.attempts,
      st.next_try_at as "nextTryAt", st.event_stage as "eventStage", st.event_attempts as "eventAttempts",
      st.step_since as "stepSince", st.source_changed_at as "sourceChangedAt", st.created_at as "createdAt",
      lead.title, lead.outlet, (select count(*)::int from items i where i.story_id = st.id) as sources,
      (select coalesce(json_agg(d.language), '[]'::json) from story_drafts d where d.story_id = st.id and d.problem is null) as drafts,
      count(*) over ()::int as total
    from stories st join lateral (select i.title, s.outlet from items i join sources s on s.id = i.source_id
      where i.story_id = st.id order by i.id limit 1) lead on true
    where st.stage = ${stage} order by st.id desc limit ${limit} offset ${offset}`);
  return {
    rows: rows.map(({ total: _, ...row }) => ({
      ...row,
      nextTryAt: new Date(row.nextTryAt),
      stepSince: new Date(row.stepSince),
      createdAt: new Date(row.createdAt),
      sourceChangedAt: row.sourceChangedAt && new Date(row.sourceChangedAt),
    })),
    total: rows[0]?.total ?? 0,
  };
}

export interface StoryDetail {
  id: number;
  stage: StoryStage;
  reason: string | null;
  details: string | null;
  articleId: number | null;
  attempts: number;
  nextTryAt: Date;
  eventStage: EventStage;
  eventAttempts: number;
  /** When `stage` or `eventStage` changed last. */
  stepSince: Date;
  sources: { outlet: string; url: string; title: string; text: string; publishedAt: string }[];
  stars: { id: number; name: string; position: number }[];
  drafts: {
    language: Lang;
    title: string;
    summary: string;
    content: string;
    model: string | null;
    problem: string | null;
    createdAt: string;
  }[];
}

/** A story with all that an editor needs to write or judge its rewrites; undefined when there is none. One statement. */
export async function findStory(id: number): Promise<StoryDetail | undefined> {
  const [row] = await database().execute<Record<string, unknown> & StoryDetail>(sql`
    select st.id, st.stage, st.reason, st.details, st.article_id as "articleId", st.event_stage as "eventStage",
      st.attempts, st.next_try_at as "nextTryAt", st.event_attempts as "eventAttempts", st.step_since as "stepSince",
      (select coalesce(json_agg(json_build_object('outlet', s.outlet, 'url', i.url, 'title', i.title, 'text', i.text,
        'publishedAt', i.published_at) order by i.id), '[]'::json)
        from items i join sources s on s.id = i.source_id where i.story_id = st.id) as sources,
      (select coalesce(json_agg(json_build_object('id', ss.star_id, 'name', star.name, 'position', ss.position)
        order by ss.position), '[]'::json)
        from story_stars ss join stars star on star.id = ss.star_id where ss.story_id = st.id) as stars,
      (select coalesce(json_agg(json_build_object('language', d.language, 'title', d.title, 'summary', d.summary,
        'content', d.content, 'model', d.model, 'problem', d.problem, 'createdAt', d.created_at)), '[]'::json)
        from story_drafts d where d.story_id = st.id) as drafts
    from stories st where st.id = ${id}`);
  return row && { ...row, nextTryAt: new Date(row.nextTryAt), stepSince: new Date(row.stepSince) };
}

/** When a worker looked through the newsroom's rows last; undefined when none did within the hour. Two statements. */
export async function findLastSweep(): Promise<Date | undefined> {
  const [queue] = await database().execute<{ exists: boolean }>(
    sql`select to_regclass('pgboss.job') is not null as exists`,
  );
  if (!queue?.exists) return undefined;
  const [row] = await database().execute<{ at: Date | null }>(
    sql`select max(completed_on) as at from pgboss.job where name = 'newsroom-sweep' and state = 'completed'`,
  );
  return row?.at ? new Date(row.at) : undefined;
}

export interface FailureRow {
  id: number;
  stage: 'read' | 'rewrite' | 'events';
  itemId: number | null;
  storyId: number | null;
  title: string | null;
  outlet: string | null;
  error: string;
  attempts: number;
  createdAt: Date;
}

/** Work that was given up and not replayed, the newest first. */
export async function listFailures(
  limit: number,
  offset: number,
): Promise<{ rows: FailureRow[]; total: number }> {
  const rows = await database().execute<Record<string, unknown> & FailureRow & { total: number }>(sql`
    select f.id, f.stage, f.item_id as "itemId", f.story_id as "storyId", lead.title, lead.outlet, f.error, f.attempts,
      f.created_at as "createdAt", count(*) over ()::int as total
    from newsroom_failures f left join lateral (select i.title, s.outlet from items i join sources s on s.id = i.source_id
      where i.story_id = f.story_id or i.id = f.item_id order by i.id limit 1) lead on true
    where f.replayed_at is null order by f.created_at desc, f.id desc limit ${limit} offset ${offset}`);
  return {
    rows: rows.map(({ total: _, ...row }) => ({ ...row, createdAt: new Date(row.createdAt) })),
    total: rows[0]?.total ?? 0,
  };
}

/**
 * Takes a failure off the list and lets its work be tried anew, once: a second replay finds nothing.
 * @returns the story or item that is due again
 */
export function reopenFailure(
  id: number,
  actorId: number,
): Promise<{ storyId: number | null; itemId: number | null } | undefined> {
  return database().transaction(async (tx) => {
    const [failure] = await tx.execute<{ stage: string; storyId: number | null; itemId: number | null }>(sql`
      update newsroom_failures set replayed_at = now(), replayed_by = ${actorId}
      where id = ${id} and replayed_at is null returning stage, story_id as "storyId", item_id as "itemId"`);
    if (!failure) return undefined;
    const { stage, storyId, itemId } = failure;
    if (stage === 'rewrite') {
      await tx.execute(sql`update stories set stage = 'waiting', reason = null, details = null, attempts = 0,
        next_try_at = now(), updated_at = now() where id = ${storyId} and stage = 'failed'`);
    } else if (stage === 'events') {
      await tx.execute(sql`update stories set event_stage = 'pending', event_attempts = 0, reason = null, details = null,
        next_try_at = now()
        where id = ${storyId} and event_stage = 'failed'`);
    } else {
      await tx.execute(sql`update items set attempts = 0, next_try_at = now() where id = ${itemId}`);
    }
    await recordDecision(tx, {
      actorId,
      action: 'newsroom.replay',
      subject: 'failure',
      subjectId: id,
      details: { stage, storyId, itemId },
    });
    return { storyId, itemId };
  });
}
