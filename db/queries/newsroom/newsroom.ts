import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { defaultLanguage, type Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import { articles } from '../../schema/articles.ts';
import {
  items,
  newsroomFailures,
  type StoryStage,
  sources,
  stories,
  storyDrafts,
  storyStars,
} from '../../schema/newsroom.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import {
  derived,
  execute,
  jsonArray,
  jsonObject,
  nullable,
  type RowOf,
  selectValue,
  typedAs,
} from '../../sql.ts';
import { recordDecision } from '../admin/audit.ts';
import { versionOf } from '../admin/version.ts';
import { hasJobs } from '../queues.ts';
import { shownName, wordsIn } from '../stars/badge.ts';

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

const count = sql<number>`count(*)::int`;
const countAt = (stage: StoryStage) =>
  sql<number>`(count(*) filter (where ${stories.stage} = ${stage}))::int`;

/** One statement; `processingQueue` of §7 stats is collected + new + waiting + events. */
export async function countQueue(): Promise<QueueCounts> {
  const { stage, eventStage, updatedAt } = stories;
  const [counts] = await execute(
    {
      collected: selectValue(count, sql`from ${items} where ${items.stage} <> 'grouped'`),
      new: countAt('new'),
      waiting: countAt('waiting'),
      held: countAt('held'),
      failed: countAt('failed'),
      published: sql<number>`(count(*) filter (where ${stage} = 'published'
        and ${updatedAt} > now() - interval '1 day'))::int`,
      events: sql<number>`(count(*) filter (where ${eventStage} = 'pending'))::int`,
      failures: selectValue(
        count,
        sql`from ${newsroomFailures} where ${newsroomFailures.replayedAt} is null`,
      ),
    },
    (columns) => sql`select ${columns} from ${stories}`,
  );
  if (!counts) throw new Error('counting answered nothing');
  return counts;
}

/** What the model, or its endpoint, said last against a story that waits for it; undefined: none waits for that. */
export async function findModelTrouble(): Promise<{ details: string; at: Date } | undefined> {
  const [trouble] = await database()
    .select({ details: stories.details, at: stories.updatedAt })
    .from(stories)
    .where(
      and(
        inArray(stories.stage, ['new', 'waiting', 'failed']),
        inArray(stories.reason, ['error', 'limited', 'timeout']),
      ),
    )
    .orderBy(desc(stories.updatedAt))
    .limit(1);
  return trouble && { details: trouble.details ?? '', at: trouble.at };
}

const st = alias(stories, 'st');
const i = alias(items, 'i');
const s = alias(sources, 's');
const d = alias(storyDrafts, 'd');
const f = alias(newsroomFailures, 'f');
const ss = alias(storyStars, 'ss');
const star = alias(stars, 'star');

/** The first telling of a story. */
const lead = derived('lead', { title: i.title, outlet: s.outlet });
const tellings = sql`from ${items} ${i} join ${sources} ${s} on ${s.id} = ${i.sourceId}`;

const stepFields = {
  id: st.id,
  stage: st.stage,
  reason: st.reason,
  details: st.details,
  articleId: st.articleId,
  attempts: st.attempts,
  nextTryAt: st.nextTryAt,
  eventStage: st.eventStage,
  eventAttempts: st.eventAttempts,
  /** When `stage` or `eventStage` changed last. */
  stepSince: st.stepSince,
};

const listFields = {
  ...stepFields,
  sourceChangedAt: st.sourceChangedAt,
  createdAt: st.createdAt,
  /** Of the first source. */
  title: lead.fields.title,
  outlet: lead.fields.outlet,
  sources: selectValue(count, sql`from ${items} ${i} where ${i.storyId} = ${st.id}`),
  /** Languages that have a draft. */
  drafts: selectValue(
    jsonArray(d.language),
    sql`from ${storyDrafts} ${d} where ${d.storyId} = ${st.id} and ${d.problem} is null`,
  ),
};

export type StoryListRow = RowOf<typeof listFields>;

/** Stories of a stage that a source still tells, the newest first. `total` counts all of them. */
export async function listStories(
  stage: StoryStage,
  limit: number,
  offset: number,
): Promise<{ rows: StoryListRow[]; total: number }> {
  const ofStage = sql`from ${stories} ${st} where ${st.stage} = ${stage}
    and exists (select from ${items} ${i} where ${i.storyId} = ${st.id})`;
  const newestFirst = sql`${st.id} desc`;
  const [list] = await execute(
    {
      total: selectValue(count, ofStage),
      rows: selectValue(
        jsonArray(jsonObject(listFields), { orderBy: newestFirst }),
        sql`from page ${st} join lateral (
          select ${lead.columns} ${tellings} where ${i.storyId} = ${st.id} order by ${i.id} limit 1) lead on true`,
      ),
    },
    (columns) => sql`
      with page as (select ${st}.* ${ofStage} order by ${newestFirst} limit ${limit} offset ${offset})
      select ${columns}`,
  );
  return list ?? { rows: [], total: 0 };
}

const starWords = alias(starTranslations, 'star_words');

const detailFields = (language: Lang) => ({
  ...stepFields,
  sources: selectValue(
    jsonArray(
      jsonObject({ outlet: s.outlet, url: i.url, title: i.title, text: i.text, publishedAt: i.publishedAt }),
      { orderBy: sql`${i.id}` },
    ),
    sql`${tellings} where ${i.storyId} = ${st.id}`,
  ),
  stars: selectValue(
    jsonArray(jsonObject({ id: ss.starId, name: shownName(star, starWords), position: ss.position }), {
      orderBy: sql`${ss.position}`,
    }),
    sql`from ${storyStars} ${ss} join ${stars} ${star} on ${star.id} = ${ss.starId}
      left join ${starTranslations} ${starWords} on ${wordsIn(language, star, starWords)} where ${ss.storyId} = ${st.id}`,
  ),
  drafts: selectValue(
    jsonArray(
      jsonObject({
        language: d.language,
        title: d.title,
        summary: d.summary,
        content: d.content,
        model: d.model,
        problem: d.problem,
        createdAt: d.createdAt,
        version: versionOf(d.createdAt),
      }),
    ),
    sql`from ${storyDrafts} ${d} where ${d.storyId} = ${st.id}`,
  ),
});

export type StoryDetail = RowOf<ReturnType<typeof detailFields>>;

/** A story with all that an editor needs to write or judge its rewrites, its stars named in `language`; undefined when there is none. One statement. */
export async function findStory(
  id: number,
  language: Lang = defaultLanguage,
): Promise<StoryDetail | undefined> {
  const [story] = await execute(
    detailFields(language),
    (columns) => sql`select ${columns} from ${stories} ${st} where ${st.id} = ${id}`,
  );
  return story;
}

/** When a worker looked through the newsroom's rows last; undefined when none did within the hour. Two statements. */
export async function findLastSweep(): Promise<Date | undefined> {
  if (!(await hasJobs())) return undefined;
  const [sweep] = await execute(
    { at: nullable(typedAs(stories.updatedAt, sql`max(completed_on)`)) },
    (columns) => sql`select ${columns} from pgboss.job where name = 'newsroom-sweep' and state = 'completed'`,
  );
  return sweep?.at ?? undefined;
}

const failureFields = {
  id: f.id,
  stage: f.stage,
  itemId: f.itemId,
  storyId: f.storyId,
  title: nullable(lead.fields.title),
  outlet: nullable(lead.fields.outlet),
  error: f.error,
  attempts: f.attempts,
  createdAt: f.createdAt,
};

export type FailureRow = RowOf<typeof failureFields>;

/** Work that was given up and not replayed, the newest first. `total` counts all of it. */
export async function listFailures(
  limit: number,
  offset: number,
): Promise<{ rows: FailureRow[]; total: number }> {
  const isOpen = sql`from ${newsroomFailures} ${f} where ${f.replayedAt} is null`;
  const newestFirst = sql`${f.createdAt} desc, ${f.id} desc`;
  const [list] = await execute(
    {
      total: selectValue(count, isOpen),
      rows: selectValue(
        jsonArray(jsonObject(failureFields), { orderBy: newestFirst }),
        sql`from page ${f} left join lateral (select ${lead.columns} ${tellings}
          where ${i.storyId} = ${f.storyId} or ${i.id} = ${f.itemId} order by ${i.id} limit 1) lead on true`,
      ),
    },
    (columns) => sql`
      with page as (select ${f}.* ${isOpen} order by ${newestFirst} limit ${limit} offset ${offset})
      select ${columns}`,
  );
  return list ?? { rows: [], total: 0 };
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
    const [failure] = await tx
      .update(newsroomFailures)
      .set({ replayedAt: sql`now()`, replayedBy: actorId })
      .where(and(eq(newsroomFailures.id, id), isNull(newsroomFailures.replayedAt)))
      .returning({
        stage: newsroomFailures.stage,
        storyId: newsroomFailures.storyId,
        itemId: newsroomFailures.itemId,
      });
    if (!failure) return undefined;
    const { stage, storyId, itemId } = failure;
    if (stage === 'read') {
      if (itemId !== null)
        await tx.update(items).set({ attempts: 0, nextTryAt: sql`now()` }).where(eq(items.id, itemId));
    } else if (storyId !== null && stage === 'rewrite') {
      await tx
        .update(stories)
        .set({
          stage: 'waiting',
          reason: null,
          details: null,
          attempts: 0,
          nextTryAt: sql`now()`,
          updatedAt: sql`now()`,
        })
        .where(and(eq(stories.id, storyId), eq(stories.stage, 'failed')));
    } else if (storyId !== null) {
      await tx
        .update(stories)
        .set({
          // None are read from what was withdrawn; they are once it is back.
          eventStage: sql`case when exists (select from ${articles} where ${articles.id} = ${stories.articleId}
            and ${articles.withdrawnAt} is not null) then 'none' else 'pending' end`,
          eventAttempts: 0,
          reason: null,
          details: null,
          nextTryAt: sql`now()`,
        })
        .where(and(eq(stories.id, storyId), eq(stories.eventStage, 'failed')));
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
