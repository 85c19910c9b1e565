import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EventStage, StoryStage } from '../schema/newsroom.ts';
import { writeStoryStars } from './stories.ts';

/** What the machine needs to know of a story to go on with it. */
export interface StoryWork {
  id: number;
  stage: StoryStage;
  reason: string | null;
  attempts: number;
  articleId: number | null;
  eventStage: EventStage;
  eventAttempts: number;
  /** Its tellings, the first one first. */
  tellings: { title: string; text: string; language: string; publishedAt: string }[];
  /** Languages with a draft, and whether it passed. */
  drafts: { language: Lang; problem: string | null }[];
  starIds: number[];
}

/** One statement; undefined when there is no such story. */
export async function findWork(id: number): Promise<StoryWork | undefined> {
  const [row] = await database().execute<Record<string, unknown> & StoryWork>(sql`
    select st.id, st.stage, st.reason, st.attempts, st.article_id as "articleId", st.event_stage as "eventStage",
      st.event_attempts as "eventAttempts",
      (select coalesce(json_agg(json_build_object('title', i.title, 'text', i.text, 'language', s.source_language,
        'publishedAt', i.published_at) order by i.id), '[]'::json)
        from items i join sources s on s.id = i.source_id where i.story_id = st.id) as tellings,
      (select coalesce(json_agg(json_build_object('language', d.language, 'problem', d.problem)), '[]'::json)
        from story_drafts d where d.story_id = st.id) as drafts,
      array(select star_id from story_stars where story_id = st.id order by position) as "starIds"
    from stories st where st.id = ${id}`);
  return row;
}

/** Ids of stories that wait for the machine and whose time has come, the longest waiting first. */
export async function listDueStories(withAi: boolean, limit: number): Promise<number[]> {
  const rows = await database().execute<{ id: number }>(sql`
    select id from stories
    where next_try_at <= now() and (stage = 'new' or (stage = 'waiting' and ${withAi}))
    order by next_try_at, id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Ids of published stories whose events are to be read. */
export async function listDueEventStories(limit: number): Promise<number[]> {
  const rows = await database().execute<{ id: number }>(sql`
    select id from stories where event_stage = 'pending' and next_try_at <= now() order by next_try_at, id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** What the machine does next with a story, and in how many milliseconds; undefined when it waits for a person. */
export async function findNextStep(
  id: number,
): Promise<{ step: 'write' | 'events'; wait: number } | undefined> {
  const [row] = await database().execute<{ step: 'write' | 'events'; wait: number }>(sql`
    select case when event_stage = 'pending' then 'events' else 'write' end as step,
      greatest(0, extract(epoch from next_try_at - now()) * 1000)::float as wait
    from stories where id = ${id} and (stage in ('new', 'waiting') or event_stage = 'pending')`);
  return row;
}

/** Lets what waits for an AI or its budget be tried: the settings of a process that starts may be others. */
export async function hurryStalled(): Promise<void> {
  await database().execute(sql`update stories set next_try_at = now()
    where next_try_at > now() and reason in ('no_ai', 'budget') and (stage = 'waiting' or event_stage = 'pending')`);
}

/** Notes the stars of a new story and what becomes of it, in one transaction. */
export function tagStory(
  id: number,
  stars: readonly { starId: number; score: number }[],
  next: { stage: 'waiting' | 'held'; reason: string | null; details: string | null },
): Promise<void> {
  return database().transaction(async (tx) => {
    const rows = await tx.execute(sql`
      update stories set stage = ${next.stage}, reason = ${next.reason}, details = ${next.details}, next_try_at = now(),
        updated_at = now() where id = ${id} and stage = 'new' returning id`);
    if (rows.length > 0) await writeStoryStars(tx, id, stars);
  });
}

/** What went wrong with the machine's work on a story, and when it is tried again. */
export interface Setback {
  stage: 'rewrite' | 'events';
  reason: string;
  details: string;
  until: Date;
  /** After so many failures it goes to the list of failures. */
  mostAttempts: number;
}

/** Notes a failure of the machine: the story waits, or goes to the list of failures, once. */
export function noteSetback(
  id: number,
  { stage, reason, details, until, mostAttempts }: Setback,
): Promise<void> {
  return database().transaction(async (tx) => {
    const [row] = await tx.execute<{ attempts: number }>(
      stage === 'rewrite'
        ? sql`update stories set attempts = attempts + 1, reason = ${reason}, details = ${details},
            next_try_at = ${until.toISOString()}, updated_at = now(),
            stage = case when attempts + 1 >= ${mostAttempts} then 'failed' else stage end
            where id = ${id} and stage = 'waiting' returning attempts`
        : sql`update stories set event_attempts = event_attempts + 1, reason = ${reason}, details = ${details},
            next_try_at = ${until.toISOString()}, updated_at = now(),
            event_stage = case when event_attempts + 1 >= ${mostAttempts} then 'failed' else event_stage end
            where id = ${id} and event_stage = 'pending' returning event_attempts as attempts`,
    );
    if (!row || row.attempts < mostAttempts) return;
    await tx.execute(sql`insert into newsroom_failures (stage, story_id, error, attempts)
      values (${stage}, ${id}, ${`${reason}: ${details}`}, ${row.attempts}) on conflict do nothing`);
  });
}

/** Lets a story wait without counting it as a failure: the budget is used up, or there is no machine. */
export async function postpone(id: number, reason: string, until: Date): Promise<void> {
  await database().execute(sql`update stories set reason = ${reason}, details = null,
    next_try_at = ${until.toISOString()}, updated_at = now()
    where id = ${id} and (stage = 'waiting' or event_stage = 'pending')`);
}
