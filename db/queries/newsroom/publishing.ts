import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { languages, type Translated } from '#content/locales.ts';
import { database, type Transaction } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { articleRewrites, articleStars, articles } from '../../schema/articles.ts';
import { type ArtSource, pictures } from '../../schema/media.ts';
import { items, sources, stories, storyDrafts, storyStars } from '../../schema/newsroom.ts';
import { starMembers, stars } from '../../schema/stars.ts';
import { coalesce, derived, execute, intArray, namesOf, nullable } from '../../sql.ts';

import { closeFailures } from './stories.ts';

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
  const reviewer = reviewersOf(drafts);
  const machine = drafts.find((draft) => draft.model !== null);
  const [article] = await tx
    .insert(articles)
    .values({
      ...telling,
      entertainmentCategory: lead.category,
      pictureKey: key,
      model: machine?.model,
      promptVersion: machine?.promptVersion,
      reviewer,
      publishedAt: sql`now()`,
    })
    .onConflictDoNothing({ target: articles.originalUrl })
    .returning({ id: articles.id });
  return article?.id;
}

/** Who wrote a language has read it; the other languages were read by nobody. */
function reviewersOf(drafts: readonly PassedDraft[]): Partial<Translated> | null {
  const written = drafts.flatMap(({ language, author }) => (author === null ? [] : [[language, author]]));
  return written.length > 0 ? Object.fromEntries(written) : null;
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
