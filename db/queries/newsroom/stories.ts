import { and, asc, eq, inArray, isNotNull, isNull, notInArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { languages, translated } from '#content/locales.ts';
import { database, type Transaction } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { articleRewrites, articleStars, articles } from '../../schema/articles.ts';
import { type ArtSource, pictures } from '../../schema/media.ts';
import {
  items,
  newsroomFailures,
  type StoryStage,
  sources,
  stories,
  storyCandidates,
  storyDrafts,
  storyStars,
} from '../../schema/newsroom.ts';
import { starMembers, stars } from '../../schema/stars.ts';
import { coalesce, derived, execute, intArray, namesOf, nullable } from '../../sql.ts';
import { type AuditAction, recordDecision } from '../admin/audit.ts';
import { versionOf } from '../admin/version.ts';

/** A rewrite on its way (§3 rewrittenArticles): summary one sentence per line, content Markdown. */
type DraftRow = Omit<typeof storyDrafts.$inferSelect, 'storyId' | 'createdAt'>;

/** Stores what the machine wrote. A draft that stands, above all a person's, is never replaced. */
export async function insertDraft(
  storyId: number,
  { language, authorId, ...words }: DraftRow,
): Promise<void> {
  await database()
    .insert(storyDrafts)
    .values({ storyId, language, authorId, ...words })
    .onConflictDoUpdate({
      target: [storyDrafts.storyId, storyDrafts.language],
      set: { ...words, createdAt: sql`now()` },
      setWhere: and(isNotNull(storyDrafts.problem), isNull(storyDrafts.authorId)),
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
      starIds.map((starId) => ({ starId, score: 100 })),
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
 * An editor throws a story away, or lets the machine try it anew, which brings back one that was thrown away.
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
        stage,
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

/** Takes what the machine could not write off the list of failures. @param editorId undefined: nobody had to */
async function closeFailures(tx: Transaction, storyId: number, editorId?: number): Promise<void> {
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

/** What publishing needs to know and may not find out in db. */
export interface PublishRules {
  renderMarkdown(markdown: string): string;
  /** `shown`: the recipes of pictures that stand near in a reader's eyes, the nearest first. */
  picture(
    star: { name: string; fandomColor: string; members: number },
    key: string,
    shown: readonly string[],
  ): { art: ArtSource; placeholder: string };
}

export interface Published {
  articleId: number;
  starIds: number[];
}

/**
 * Publishes a story with its rewrite in every language, its stars, picture and provenance in one transaction, once: whoever comes
 * second finds it done. @returns undefined while a rewrite, a star or a person's decision is missing
 */
export function publishStory(storyId: number, rules: PublishRules): Promise<Published | undefined> {
  return database().transaction(async (tx) => {
    const [story] = await tx
      .select({ id: stories.id })
      .from(stories)
      .where(and(eq(stories.id, storyId), inArray(stories.stage, ['waiting', 'held', 'failed'])))
      .for('update');
    if (!story) return undefined;
    const drafts = await findPassedDrafts(tx, storyId);
    const starsOfStory = await findStoryStars(tx, storyId);
    const [lead] = starsOfStory;
    if (!lead || !languages.every((language) => drafts.some((draft) => draft.language === language)))
      return undefined;
    const key = `story-${storyId}`;
    const { art, placeholder } = rules.picture(lead, key, await findRecipesNear(tx, starsOfStory));
    await tx.insert(pictures).values({ key, art, aspect: '3:2', placeholder }).onConflictDoNothing();
    const articleId = await insertArticle(tx, storyId, { lead, key, drafts });
    if (articleId === undefined) {
      await tx
        .update(stories)
        .set({ stage: 'held', reason: 'known_article', updatedAt: sql`now()` })
        .where(eq(stories.id, storyId));
      return undefined;
    }
    await tx.insert(articleRewrites).values(
      drafts.map(({ language, title, summary, content }) => ({
        articleId,
        language,
        title,
        summary,
        content,
        contentHtml: rules.renderMarkdown(content),
      })),
    );
    const { starId, position, publishedAt } = articleStars;
    await tx.execute(sql`
      insert into ${articleStars} (${namesOf(articleStars.articleId, starId, position, publishedAt)})
      select ${articleId}::int, ${storyStars.starId}, ${storyStars.position}, now()
      from ${storyStars} where ${storyStars.storyId} = ${storyId}`);
    await tx
      .update(stories)
      .set({
        stage: 'published',
        reason: null,
        details: null,
        articleId,
        eventStage: 'pending',
        nextTryAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(eq(stories.id, storyId));
    await closeFailures(tx, storyId);
    return { articleId, starIds: starsOfStory.map(({ id }) => id) };
  });
}

type PassedDraft = Awaited<ReturnType<typeof findPassedDrafts>>[number];

function findPassedDrafts(tx: Transaction, storyId: number) {
  const { language, title, summary, content, model, promptVersion } = storyDrafts;
  const author = nullable(coalesce(users.displayName, users.username));
  return tx
    .select({ language, title, summary, content, model, promptVersion, author })
    .from(storyDrafts)
    .leftJoin(users, eq(users.id, storyDrafts.authorId))
    .where(and(eq(storyDrafts.storyId, storyId), isNull(storyDrafts.problem)));
}

/** The article of a story, as its first source told it. @returns its id; undefined: there is one of that address already */
async function insertArticle(
  tx: Transaction,
  storyId: number,
  { lead, key, drafts }: { lead: StoryStar; key: string; drafts: readonly PassedDraft[] },
): Promise<number | undefined> {
  const [telling] = await tx
    .select({
      outlet: sources.outlet,
      originalUrl: items.canonicalUrl,
      originalTitle: items.title,
      originalContent: items.text,
      originalPublishedAt: items.publishedAt,
    })
    .from(items)
    .innerJoin(sources, eq(sources.id, items.sourceId))
    .where(eq(items.storyId, storyId))
    .orderBy(asc(items.id))
    .limit(1);
  if (!telling) return undefined;
  const author = drafts.find((draft) => draft.author !== null)?.author;
  const machine = drafts.find((draft) => draft.model !== null);
  const [article] = await tx
    .insert(articles)
    .values({
      ...telling,
      entertainmentCategory: lead.category,
      pictureKey: key,
      model: machine?.model,
      promptVersion: machine?.promptVersion,
      reviewer: author ? translated(() => author) : null,
      publishedAt: sql`now()`,
    })
    .onConflictDoNothing({ target: articles.originalUrl })
    .returning({ id: articles.id });
  return article?.id;
}

/** Recipes of the feed's newest story, then of the nine newest of each star, the first star's before the next one's. */
async function findRecipesNear(tx: Transaction, starsOfStory: readonly { id: number }[]): Promise<string[]> {
  const a = alias(articles, 'a');
  const newest = alias(articleStars, 'newest');
  const near = derived('near', {
    place: sql<number>`0`,
    publishedAt: a.publishedAt,
    pictureKey: a.pictureKey,
  });
  const rows = await execute(
    { recipe: sql<string>`${pictures.art} ->> 'recipe'` },
    (columns) => sql`
      select ${columns} from (
        (select ${near.columns} from ${articles} ${a} where ${a.withdrawnAt} is null
          order by ${a.publishedAt} desc, ${a.id} desc limit 1)
        union all
        select chosen.place, ${newest.publishedAt}, ${a.pictureKey}
        from unnest(${intArray(starsOfStory.map(({ id }) => id))}) with ordinality as chosen(star, place),
          lateral (select * from ${articleStars} where ${articleStars.starId} = chosen.star
            order by ${articleStars.publishedAt} desc, ${articleStars.articleId} desc limit 9) newest
          join ${articles} ${a} on ${a.id} = ${newest.articleId}
      ) near join ${pictures} on ${pictures.key} = ${near.fields.pictureKey} where ${pictures.art} is not null
      order by ${near.fields.place}, ${near.fields.publishedAt} desc`,
    tx,
  );
  return rows.map(({ recipe }) => recipe);
}

type StoryStar = Awaited<ReturnType<typeof findStoryStars>>[number];

/** Stars of a story, the most important first; `members` counts those of a group. */
function findStoryStars(tx: Transaction, storyId: number) {
  return tx
    .select({
      id: stars.id,
      name: stars.name,
      category: stars.category,
      fandomColor: stars.fandomColor,
      members: sql<number>`(select count(*)::int from ${starMembers} where ${starMembers.groupId} = ${stars.id})`,
    })
    .from(storyStars)
    .innerJoin(stars, eq(stars.id, storyStars.starId))
    .where(eq(storyStars.storyId, storyId))
    .orderBy(asc(storyStars.position));
}
