import { and, eq, isNotNull, isNull, notInArray, type SQLWrapper, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import {
  items,
  newsroomFailures,
  type StoryStage,
  stories,
  storyCandidates,
  storyDrafts,
  storyStars,
} from '../../schema/newsroom.ts';
import { stars } from '../../schema/stars.ts';
import { namesOf } from '../../sql.ts';
import { type AuditAction, recordDecision } from '../admin/audit.ts';
import { versionOf } from '../admin/version.ts';

/** A rewrite on its way (§3 rewrittenArticles): summary one sentence per line, content Markdown. */
type DraftRow = Omit<typeof storyDrafts.$inferSelect, 'storyId' | 'createdAt'>;

/** MD5 of a telling's words as they are now. `digest` is of the feed's words alone; a page may have replaced them. */
export const fingerprintOf = ({ title, text }: Record<'title' | 'text', SQLWrapper>) =>
  sql<string>`md5(${title} || chr(10) || ${text})`;

/** The article of a story; undefined before it is published. */
export async function findArticleOfStory(id: number): Promise<number | undefined> {
  const [story] = await database()
    .select({ articleId: stories.articleId })
    .from(stories)
    .where(eq(stories.id, id));
  return story?.articleId ?? undefined;
}

/**
 * Stores what the machine wrote. A draft that stands, above all a person's, is never replaced.
 * @param read the tellings that it was written from; others may have come since
 * @returns false, and nothing is stored, when one of them has other words by now, or the story is none that is open
 */
export function insertDraft(
  storyId: number,
  { language, authorId, ...words }: DraftRow,
  read: readonly { id: number; fingerprint: string }[],
): Promise<boolean> {
  return database().transaction(async (tx) => {
    if (!(await lockOpenStory(tx, storyId))) return false;
    const standing = await tx
      .select({ id: items.id, fingerprint: fingerprintOf(items) })
      .from(items)
      .where(eq(items.storyId, storyId));
    const fingerprints = new Map(standing.map(({ id, fingerprint }) => [id, fingerprint]));
    if (read.some(({ id, fingerprint }) => fingerprints.get(id) !== fingerprint)) return false;
    await tx
      .insert(storyDrafts)
      .values({ storyId, language, authorId, ...words })
      .onConflictDoUpdate({
        target: [storyDrafts.storyId, storyDrafts.language],
        set: { ...words, createdAt: sql`now()` },
        setWhere: and(isNotNull(storyDrafts.problem), isNull(storyDrafts.authorId)),
      });
    return true;
  });
}

/**
 * A person's rewrite of a story that is not published yet; it replaces what the machine wrote.
 * @param version the one that was read, empty when there was none; undefined: it is written anyway
 * @returns missing: the story is none that is open; changed: there is another version by now
 */
export function saveDraft(
  storyId: number,
  { language, title, summary, content }: Pick<DraftRow, 'language' | 'title' | 'summary' | 'content'>,
  editorId: number,
  version?: string,
): Promise<'missing' | 'changed' | 'saved'> {
  const words = { title, summary, content, authorId: editorId };
  return database().transaction(async (tx) => {
    if (!(await lockOpenStory(tx, storyId))) return 'missing';
    if (version !== undefined) {
      const [current] = await tx
        .select({ version: versionOf(storyDrafts.createdAt) })
        .from(storyDrafts)
        .where(and(eq(storyDrafts.storyId, storyId), eq(storyDrafts.language, language)));
      if ((current?.version ?? '') !== version) return 'changed';
    }
    await tx
      .insert(storyDrafts)
      .values({ storyId, language, ...words })
      .onConflictDoUpdate({
        target: [storyDrafts.storyId, storyDrafts.language],
        set: { ...words, problem: null, createdAt: sql`now()` },
      });
    await decided(tx, editorId, 'story.write', storyId, { language });
    return 'saved';
  });
}

/** Score of a star that an editor chose, by which it is kept when the story is tagged anew; one that was tagged has 90 at most. */
export const chosenScore = 100;

/** An editor's choice of the stars, the most important first. @returns false when the story is none that is open */
export function replaceStoryStars(
  storyId: number,
  starIds: readonly number[],
  editorId: number,
): Promise<boolean> {
  return database().transaction(async (tx) => {
    if (!(await lockOpenStory(tx, storyId))) return false;
    await writeStoryStars(
      tx,
      storyId,
      starIds.map((starId) => ({ starId, score: chosenScore })),
    );
    await tx.delete(storyCandidates).where(eq(storyCandidates.storyId, storyId));
    await tx
      .update(stories)
      .set({ stage: 'waiting', reason: null, details: null, nextTryAt: sql`now()`, updatedAt: sql`now()` })
      .where(
        and(
          eq(stories.id, storyId),
          sql`(${stories.stage} = 'new' or ${stories.reason} in ('no_star', 'namesakes'))`,
        ),
      );
    await decided(tx, editorId, 'story.stars', storyId, { starIds });
    return true;
  });
}

/** Replaces the stars of a story; ones that there are not are left out. */
export async function writeStoryStars(
  tx: Transaction,
  storyId: number,
  chosen: readonly { starId: number; score: number }[],
): Promise<void> {
  await tx.delete(storyStars).where(eq(storyStars.storyId, storyId));
  const { starId, position, score } = storyStars;
  const rows = chosen.map((star, place) => ({ ...star, place }));
  await tx.execute(sql`
    insert into ${storyStars} (${namesOf(storyStars.storyId, starId, position, score)})
    select ${storyId}::int, ${stars.id}, given.place, given.score
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given("starId" int, place int, score int)
    join ${stars} on ${stars.id} = given."starId" on conflict do nothing`);
}

/**
 * An editor throws a story away, or lets the machine try it anew, which brings back one that was thrown away. One without a star is tagged
 * first: written without one, it could not be published.
 * @returns false when the story is published, thrown away already, or none
 */
export function decideStory(
  storyId: number,
  stage: 'dismissed' | 'waiting',
  editorId: number,
  notes: string | null,
): Promise<boolean> {
  return database().transaction(async (tx) => {
    const closed = stage === 'waiting' ? (['published'] as const) : closedStages;
    if (!(await lockOpenStory(tx, storyId, closed))) return false;
    await tx.delete(storyCandidates).where(eq(storyCandidates.storyId, storyId));
    if (stage === 'waiting') {
      await tx
        .delete(storyDrafts)
        .where(
          and(eq(storyDrafts.storyId, storyId), isNotNull(storyDrafts.problem), isNull(storyDrafts.authorId)),
        );
      await closeFailures(tx, storyId, editorId);
    }
    await tx
      .update(stories)
      .set({
        stage: stage === 'waiting' ? sql`case when ${hasStars} then 'waiting' else 'new' end` : stage,
        reason: null,
        details: null,
        attempts: 0,
        nextTryAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(eq(stories.id, storyId));
    await decided(tx, editorId, stage === 'dismissed' ? 'story.dismiss' : 'story.retry', storyId, {}, notes);
    return true;
  });
}

const hasStars = sql`exists (select from ${storyStars} where ${storyStars.storyId} = ${stories.id})`;

/** Takes what the machine could not write off the list of failures. @param editorId undefined: nobody had to */
export async function closeFailures(tx: Transaction, storyId: number, editorId?: number): Promise<void> {
  const { stage, replayedAt } = newsroomFailures;
  await tx
    .update(newsroomFailures)
    .set({ replayedAt: sql`now()`, replayedBy: editorId })
    .where(and(eq(newsroomFailures.storyId, storyId), eq(stage, 'rewrite'), isNull(replayedAt)));
}

/** Stages of a story that nothing more is done with. */
const closedStages = ['published', 'dismissed'] as const;

export async function lockOpenStory(
  tx: Transaction,
  storyId: number,
  closed: readonly StoryStage[] = closedStages,
): Promise<boolean> {
  const open = await tx
    .select({ id: stories.id })
    .from(stories)
    .where(and(eq(stories.id, storyId), notInArray(stories.stage, [...closed])))
    .for('update');
  return open.length > 0;
}

export async function decided(
  tx: Transaction,
  actorId: number,
  action: Extract<AuditAction, `story.${string}`>,
  storyId: number,
  details: Record<string, unknown>,
  notes: string | null = null,
): Promise<void> {
  await recordDecision(tx, { actorId, action, subject: 'story', subjectId: storyId, notes, details });
}

/** Sets a waiting story aside: an editor decides. */
export async function holdStory(storyId: number, reason: string, details: string): Promise<void> {
  await database()
    .update(stories)
    .set({ stage: 'held', reason, details, updatedAt: sql`now()` })
    .where(and(eq(stories.id, storyId), eq(stories.stage, 'waiting')));
}
