import { and, asc, eq, notInArray, sql } from 'drizzle-orm';
import { placeholderOf } from '#content/art/ramp.ts';
import type { Transaction } from '../../client.ts';
import { articleStars, articles } from '../../schema/articles.ts';
import { events } from '../../schema/events.ts';
import { pictures } from '../../schema/media.ts';
import { stories } from '../../schema/newsroom.ts';
import { starMembers, stars } from '../../schema/stars.ts';
import { isOneOf, nameOf } from '../../sql.ts';
import { isShown } from '../stars/badge.ts';
import { chosenScore, writeStoryStars } from './stories.ts';

/** Stars of an article in their order. */
export async function listStarsOf(tx: Transaction, articleId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: articleStars.starId })
    .from(articleStars)
    .where(eq(articleStars.articleId, articleId))
    .orderBy(asc(articleStars.position), asc(articleStars.starId));
  return rows.map(({ id }) => id);
}

/** Events that were read from an article: they lead to it, and are shown with its picture. */
export async function listEventsOf(tx: Transaction, articleId: number): Promise<number[]> {
  const rows = await tx.select({ id: events.id }).from(events).where(eq(events.sourceArticleId, articleId));
  return rows.map(({ id }) => id);
}

/** What a correction of the stars came to. */
export interface StarsCorrected {
  before: number[];
  after: number[];
  /** Events that are shown with the picture of the article, which is another one now. */
  eventIds: number[];
}

/**
 * Corrects whom an article is about, the most important first: lists and counts of its stars, its category, and the art that was drawn
 * from the name of the first. @returns undefined when one that is new to it is no star that readers see
 */
export async function replaceArticleStars(
  tx: Transaction,
  articleId: number,
  starIds: readonly number[],
): Promise<StarsCorrected | undefined> {
  const before = await listStarsOf(tx, articleId);
  const after = [...starIds];
  if (Bun.deepEquals(before, after)) return { before, after, eventIds: [] };
  // In order, and before the triggers count: two corrections at once wait for each other, and neither for ever.
  const known = await tx
    .select({ id: stars.id, isShown: sql<boolean>`${isShown(stars)}` })
    .from(stars)
    .where(isOneOf(stars.id, [...new Set([...before, ...after])]))
    .orderBy(asc(stars.id))
    .for('no key update');
  const isChoosable = (id: number) =>
    known.some((star) => star.id === id && (star.isShown || before.includes(id)));
  if (!after.every(isChoosable)) return undefined;
  await tx
    .delete(articleStars)
    .where(and(eq(articleStars.articleId, articleId), notInArray(articleStars.starId, after)));
  const publishedAt = sql`(select ${articles.publishedAt} from ${articles} where ${articles.id} = ${articleId})`;
  await tx
    .insert(articleStars)
    .values(after.map((starId, position) => ({ articleId, starId, position, publishedAt })))
    .onConflictDoUpdate({
      target: [articleStars.articleId, articleStars.starId],
      set: { position: sql`excluded.${nameOf(articleStars.position)}` },
    });
  const [story] = await tx.select({ id: stories.id }).from(stories).where(eq(stories.articleId, articleId));
  if (story)
    await writeStoryStars(
      tx,
      story.id,
      after.map((starId) => ({ starId, score: chosenScore })),
    );
  const [lead] = after;
  const isOtherLead = lead !== undefined && lead !== before[0];
  return { before, after, eventIds: isOtherLead ? await followLead(tx, articleId, lead) : [] };
}

/** Category and drawn art of an article are its first star's. @returns the events that are shown with that art */
async function followLead(tx: Transaction, articleId: number, starId: number): Promise<number[]> {
  const [lead] = await tx
    .select({
      name: stars.name,
      category: stars.category,
      fandomColor: stars.fandomColor,
      members: sql<number>`(select count(*)::int from ${starMembers} where ${starMembers.groupId} = ${stars.id})`,
    })
    .from(stars)
    .where(eq(stars.id, starId));
  const [drawn] = await tx
    .select({ art: pictures.art, aspect: pictures.aspect })
    .from(articles)
    .leftJoin(pictures, eq(pictures.key, articles.pictureKey))
    .where(eq(articles.id, articleId));
  if (!lead) return [];
  await tx.update(articles).set({ entertainmentCategory: lead.category }).where(eq(articles.id, articleId));
  if (!drawn?.art) return [];
  const { figures: _, ...recipe } = drawn.art;
  const { name, fandomColor, members } = lead;
  const art = { ...recipe, name, fandomColor, ...(members > 0 && { figures: members }) };
  // Under a name of its own: copies of the old one live for a month. A star has one as long as it looks the same.
  const print = Bun.hash.crc32(JSON.stringify(art)).toString(36);
  const key = `article-${articleId}-${print}`;
  const picture = { key, art, aspect: drawn.aspect ?? '3:2', placeholder: placeholderOf(fandomColor) };
  await tx.insert(pictures).values(picture).onConflictDoNothing();
  await tx.update(articles).set({ pictureKey: key }).where(eq(articles.id, articleId));
  const shown = await tx.select({ id: events.id }).from(events).where(eq(events.sourceArticleId, articleId));
  return shown.map(({ id }) => id);
}
