import { and, asc, eq, gte, inArray, or, sql } from 'drizzle-orm';
import { alias, type PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { database, type Transaction } from '../../client.ts';
import {
  items,
  newsroomFailures,
  sources,
  stories,
  storyCandidates,
  storyDrafts,
  storyStars,
} from '../../schema/newsroom.ts';
import { execute, jsonArray, jsonObject, type RowOf, selectValue } from '../../sql.ts';
import { chosenScore, fingerprintOf, writeStoryStars } from './stories.ts';

const st = alias(stories, 'st');
const i = alias(items, 'i');
const s = alias(sources, 's');
const d = alias(storyDrafts, 'd');
const ss = alias(storyStars, 'ss');

const workFields = {
  id: st.id,
  stage: st.stage,
  reason: st.reason,
  attempts: st.attempts,
  articleId: st.articleId,
  eventStage: st.eventStage,
  eventAttempts: st.eventAttempts,
  /** Its tellings, the first one first. */
  tellings: selectValue(
    jsonArray(
      jsonObject({
        id: i.id,
        fingerprint: fingerprintOf(i),
        title: i.title,
        text: i.text,
        language: s.sourceLanguage,
        publishedAt: i.publishedAt,
      }),
      { orderBy: sql`${i.id}` },
    ),
    sql`from ${items} ${i} join ${sources} ${s} on ${s.id} = ${i.sourceId} where ${i.storyId} = ${st.id}`,
  ),
  /** Whether a telling has other words than when the story was opened for them: it is reopened once they are read. */
  isChanging: selectValue(
    sql<boolean>`count(*) > 0`,
    sql`from ${items} ${i} where ${i.storyId} = ${st.id} and ${i.stage} <> 'grouped'`,
  ),
  /** Languages with a draft, and whether it passed. */
  drafts: selectValue(
    jsonArray(jsonObject({ language: d.language, problem: d.problem })),
    sql`from ${storyDrafts} ${d} where ${d.storyId} = ${st.id}`,
  ),
  starIds: selectValue(
    jsonArray(ss.starId, { orderBy: sql`${ss.position}` }),
    sql`from ${storyStars} ${ss} where ${ss.storyId} = ${st.id}`,
  ),
};

/** What the machine needs to know of a story to go on with it. */
export type StoryWork = RowOf<typeof workFields>;

/** One statement; undefined when there is no such story. */
export async function findWork(id: number): Promise<StoryWork | undefined> {
  const [work] = await execute(
    workFields,
    (columns) => sql`select ${columns} from ${stories} ${st} where ${st.id} = ${id}`,
  );
  return work;
}

const isDue = sql`${stories.nextTryAt} <= now()`;
/** Written out, because a plan for any stage cannot use the index of those whose events are to be read. */
const isReadForEvents = sql`${stories.eventStage} = 'pending'`;

/** Ids of stories that wait for the machine and whose time has come, the longest waiting first. */
export async function listDueStories(withAi: boolean, limit: number): Promise<number[]> {
  const due = await database()
    .select({ id: stories.id })
    .from(stories)
    .where(and(isDue, withAi ? sql`${stories.stage} in ('new', 'waiting')` : sql`${stories.stage} = 'new'`))
    .orderBy(asc(stories.nextTryAt), asc(stories.id))
    .limit(limit);
  return due.map(({ id }) => id);
}

/** Ids of published stories whose events are to be read. */
export async function listDueEventStories(limit: number): Promise<number[]> {
  const due = await database()
    .select({ id: stories.id })
    .from(stories)
    .where(and(isReadForEvents, isDue))
    .orderBy(asc(stories.nextTryAt), asc(stories.id))
    .limit(limit);
  return due.map(({ id }) => id);
}

/** What the machine does next with a story, and in how many milliseconds; undefined when it waits for a person. */
export async function findNextStep(
  id: number,
): Promise<{ step: 'write' | 'events'; wait: number } | undefined> {
  const [next] = await database()
    .select({
      step: sql<'write' | 'events'>`case when ${isReadForEvents} then 'events' else 'write' end`,
      wait: sql<number>`greatest(0, extract(epoch from ${stories.nextTryAt} - now()) * 1000)::float`,
    })
    .from(stories)
    .where(and(eq(stories.id, id), or(inArray(stories.stage, ['new', 'waiting']), isReadForEvents)));
  return next;
}

/** Lets what waits for an AI or its budget be tried: the settings of a process that starts may be others. */
export async function makeStalledDue(): Promise<void> {
  await database()
    .update(stories)
    .set({ nextTryAt: sql`now()` })
    .where(
      and(
        sql`${stories.nextTryAt} > now()`,
        inArray(stories.reason, ['no_ai', 'budget']),
        or(eq(stories.stage, 'waiting'), isReadForEvents),
      ),
    );
}

/** Whom a story names: those who are certain, and whom its other names may mean. */
interface Tags {
  stars: readonly { starId: number; score: number }[];
  candidates: readonly { name: string; starId: number; score: number }[];
}

/** What is known of whom a story is about, once it is tagged. */
interface Tagged {
  hasStars: boolean;
  /** Names of which it is open whom they mean. */
  openNames: readonly string[];
}

/**
 * Notes the stars of a new story, whom its other names may mean, and what becomes of it, in one transaction. Where an editor chose stars
 * before another telling came, these and the names still open stay as they are.
 * @param nextOf what becomes of the story
 */
export function tagStory(
  id: number,
  found: Tags,
  nextOf: (tagged: Tagged) => { stage: 'waiting' | 'held'; reason: string | null; details: string | null },
): Promise<void> {
  return database().transaction(async (tx) => {
    const [story] = await tx
      .select({ id: stories.id })
      .from(stories)
      .where(and(eq(stories.id, id), eq(stories.stage, 'new')))
      .for('update');
    if (!story) return;
    const tagged = (await findChosen(tx, id)) ?? (await writeTags(tx, id, found));
    await tx
      .update(stories)
      .set({ ...nextOf(tagged), nextTryAt: sql`now()`, updatedAt: sql`now()` })
      .where(eq(stories.id, id));
  });
}

/** What an editor left of a story; undefined when none chose a star of it. */
async function findChosen(tx: Transaction, id: number): Promise<Tagged | undefined> {
  const [chosen] = await tx
    .select({ starId: storyStars.starId })
    .from(storyStars)
    .where(and(eq(storyStars.storyId, id), gte(storyStars.score, chosenScore)))
    .limit(1);
  if (!chosen) return undefined;
  const open = await tx
    .selectDistinct({ name: storyCandidates.name })
    .from(storyCandidates)
    .where(eq(storyCandidates.storyId, id))
    .orderBy(asc(storyCandidates.name));
  return { hasStars: true, openNames: open.map(({ name }) => name) };
}

/** Writes what was found over what an earlier telling said. */
async function writeTags(tx: Transaction, id: number, { stars, candidates }: Tags): Promise<Tagged> {
  await writeStoryStars(tx, id, stars);
  await tx.delete(storyCandidates).where(eq(storyCandidates.storyId, id));
  if (candidates.length > 0)
    await tx.insert(storyCandidates).values(candidates.map((candidate) => ({ ...candidate, storyId: id })));
  return { hasStars: stars.length > 0, openNames: [...new Set(candidates.map(({ name }) => name))] };
}

/** What went wrong with the machine's work on a story, and when it is tried again. */
interface StepFailure {
  stage: 'rewrite' | 'events';
  reason: string;
  details: string;
  until: Date;
  /** After so many failures it goes to the list of failures. */
  maxAttempts: number;
}

/** Notes a failure of the machine: the story waits, or goes to the list of failures, once. */
export function recordStepFailure(
  id: number,
  { stage, reason, details, until, maxAttempts }: StepFailure,
): Promise<void> {
  const setback = { reason, details, nextTryAt: until, updatedAt: sql`now()` } satisfies PgUpdateSetSource<
    typeof stories
  >;
  return database().transaction(async (tx) => {
    const [failed] =
      stage === 'rewrite'
        ? await tx
            .update(stories)
            .set({
              ...setback,
              attempts: sql`${stories.attempts} + 1`,
              stage: sql`case when ${stories.attempts} + 1 >= ${maxAttempts} then 'failed' else ${stories.stage} end`,
            })
            .where(and(eq(stories.id, id), eq(stories.stage, 'waiting')))
            .returning({ attempts: stories.attempts })
        : await tx
            .update(stories)
            .set({
              ...setback,
              eventAttempts: sql`${stories.eventAttempts} + 1`,
              eventStage: sql`case when ${stories.eventAttempts} + 1 >= ${maxAttempts} then 'failed'
                else ${stories.eventStage} end`,
            })
            .where(and(eq(stories.id, id), isReadForEvents))
            .returning({ attempts: stories.eventAttempts });
    if (!failed || failed.attempts < maxAttempts) return;
    await tx
      .insert(newsroomFailures)
      .values({ stage, storyId: id, error: `${reason}: ${details}`, attempts: failed.attempts })
      .onConflictDoNothing();
  });
}

/** Lets a story wait without counting it as a failure: the budget is used up, there is no model, or it is away. */
export async function postponeStep(id: number, reason: string, details: string, until: Date): Promise<void> {
  await database()
    .update(stories)
    .set({ reason, details, nextTryAt: until, updatedAt: sql`now()` })
    .where(and(eq(stories.id, id), or(eq(stories.stage, 'waiting'), isReadForEvents)));
}
