import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { type Lang, type Translated, translated } from '#content/locales.ts';
import { database, type Transaction } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { articleRewrites, articles } from '../../schema/articles.ts';
import { articleCorrections, stories } from '../../schema/newsroom.ts';
import { coalesce } from '../../sql.ts';
import { recordDecision } from '../admin/audit.ts';
import { versionOf } from '../admin/version.ts';
import { lockShownPictures, type UnavailableReason } from '../shown-picture.ts';
import { listEventsOf, listStarsOf, replaceArticleStars } from './article-stars.ts';

/** New words of a rewrite; `contentHtml` is the sanitised form of `content`. */
type AmendedRewrite = Pick<
  typeof articleRewrites.$inferSelect,
  'language' | 'title' | 'summary' | 'content' | 'contentHtml'
>;

type CorrectionKind = (typeof articleCorrections.$inferSelect)['kind'];

export interface Correction {
  kind: CorrectionKind;
  note: Translated | null;
  editorId: number;
  /** Which one was read; without one, whatever is there is overwritten. */
  version?: string | undefined;
}

/** What a correction changes of what an article says. */
interface Amended {
  rewrites?: readonly AmendedRewrite[];
  /** Whom it is about, the most important first; undefined: as before. */
  starIds?: readonly number[] | undefined;
}

/**
 * Corrects, withdraws or restores an article and marks it in every language, in one transaction with its place in the
 * audit log. @returns its stars, those of before too, and the events that show another link or picture of it now; or why not: `missing`, `state` when it is withdrawn (or not) already,
 * `changed` when it is not the version that was read, `unchanged` when nothing is another than it was, `star` when there is none of an id
 */
export function correctArticle(
  articleId: number,
  { kind, note, editorId, version }: Correction,
  { rewrites = [], starIds }: Amended = {},
): Promise<
  { starIds: number[]; eventIds: number[] } | 'missing' | 'state' | 'changed' | 'unchanged' | 'star'
> {
  return database().transaction(async (tx) => {
    const article = await lockArticle(tx, articleId);
    if (!article) return 'missing';
    if ((article.withdrawnAt !== null) !== (kind === 'restored')) return 'state';
    if (version !== undefined && version !== article.version) return 'changed';
    const standing = await listStarsOf(tx, articleId);
    const isAboutOthers = starIds !== undefined && !Bun.deepEquals(standing, [...starIds]);
    const amended = await amendedOf(tx, articleId, rewrites);
    if (kind === 'amended' && amended.length === 0 && !note && !isAboutOthers) return 'unchanged';
    const corrected = isAboutOthers ? await replaceArticleStars(tx, articleId, starIds) : undefined;
    if (isAboutOthers && !corrected) return 'star';
    for (const { language, ...words } of amended) {
      await tx
        .insert(articleRewrites)
        .values({ articleId, language, ...words })
        .onConflictDoUpdate({ target: [articleRewrites.articleId, articleRewrites.language], set: words });
    }
    await tx
      .update(articles)
      .set({
        amendedAt: sql`now()`,
        updatedAt: sql`now()`,
        ...(kind === 'withdrawn' && { withdrawnAt: sql`now()` }),
        ...(kind === 'restored' && { withdrawnAt: null }),
      })
      .where(eq(articles.id, articleId));
    await tx.insert(articleCorrections).values({ articleId, kind, note, editorId });
    await settleStory(tx, articleId, kind);
    await recordDecision(tx, {
      actorId: editorId,
      action: `article.${kind === 'amended' ? 'amend' : kind === 'withdrawn' ? 'withdraw' : 'restore'}`,
      subject: 'article',
      subjectId: articleId,
      notes: note?.ko,
      details: {
        languages: amended.map(({ language }) => language),
        ...(corrected && { stars: { before: corrected.before, after: corrected.after } }),
      },
    });
    return {
      starIds: [...new Set([...standing, ...(corrected?.after ?? [])])],
      eventIds: kind === 'amended' ? (corrected?.eventIds ?? []) : await listEventsOf(tx, articleId),
    };
  });
}

/** Those of the rewrites whose words are others than they were. */
async function amendedOf(
  tx: Transaction,
  articleId: number,
  rewrites: readonly AmendedRewrite[],
): Promise<AmendedRewrite[]> {
  if (rewrites.length === 0) return [];
  const { language, title, summary, content } = articleRewrites;
  const standing = await tx
    .select({ language, title, summary, content })
    .from(articleRewrites)
    .where(eq(articleRewrites.articleId, articleId));
  return rewrites.filter(
    ({ contentHtml: _, ...words }) => !standing.some((before) => Bun.deepEquals(before, words)),
  );
}

/** No events are read from what is withdrawn; what was not read yet is, once it is back. */
async function settleStory(tx: Transaction, articleId: number, kind: CorrectionKind): Promise<void> {
  const { eventStage } = stories;
  const changes = {
    amended: {},
    withdrawn: { eventStage: sql`case ${eventStage} when 'pending' then 'none' else ${eventStage} end` },
    restored: { eventStage: sql`case ${eventStage} when 'none' then 'pending' else ${eventStage} end` },
  };
  await tx
    .update(stories)
    .set({ sourceChangedAt: null, ...changes[kind] })
    .where(eq(stories.articleId, articleId));
}

export interface Withdrawal {
  at: Date;
  /** Why, in the language asked for. */
  note: string | null;
}

/** When and why an article was taken off the site; undefined for one that is public, or that never was. */
export async function findWithdrawal(articleId: number, language: Lang): Promise<Withdrawal | undefined> {
  const [article] = await database()
    .select({ at: articles.withdrawnAt, note: articleCorrections.note })
    .from(articles)
    .leftJoin(
      articleCorrections,
      and(eq(articleCorrections.articleId, articles.id), eq(articleCorrections.kind, 'withdrawn')),
    )
    .where(and(eq(articles.id, articleId), isNotNull(articles.withdrawnAt)))
    .orderBy(desc(articleCorrections.id))
    .limit(1);
  return article?.at ? { at: article.at, note: article.note?.[language] ?? null } : undefined;
}

/**
 * Shows a photograph in the place of an article's drawn art, or the art again, and notes it: no correction of what it says.
 * @param version which one was read; without one, whatever is there is overwritten
 * @returns its stars and the events that are shown with its picture, or why not
 */
export function writeArticlePhoto(
  articleId: number,
  photoKey: string | null,
  { editorId, version }: Pick<Correction, 'editorId' | 'version'>,
): Promise<
  { starIds: number[]; eventIds: number[] } | 'missing' | 'changed' | { unavailable: UnavailableReason }
> {
  return database().transaction(async (tx) => {
    const [article] = await tx
      .select({ version: versionOf(articles.updatedAt), photoKey: articles.photoKey })
      .from(articles)
      .where(eq(articles.id, articleId))
      .for('update');
    if (!article) return 'missing';
    if (version !== undefined && version !== article.version) return 'changed';
    if (photoKey !== null && photoKey !== article.photoKey) {
      const unavailable = (await lockShownPictures(tx, [photoKey], { isUpload: true })).get(photoKey);
      if (unavailable) return { unavailable };
    }
    await tx.update(articles).set({ photoKey, updatedAt: sql`now()` }).where(eq(articles.id, articleId));
    await recordDecision(tx, {
      actorId: editorId,
      action: 'article.picture',
      subject: 'article',
      subjectId: articleId,
      details: { before: article.photoKey, after: photoKey },
    });
    return { starIds: await listStarsOf(tx, articleId), eventIds: await listEventsOf(tx, articleId) };
  });
}

/** Keeps an article as it is until the transaction ends. @returns what a decision about it depends on; undefined when there is none */
async function lockArticle(tx: Transaction, articleId: number) {
  const [article] = await tx
    .select({ withdrawnAt: articles.withdrawnAt, version: versionOf(articles.updatedAt) })
    .from(articles)
    .where(eq(articles.id, articleId))
    .for('update');
  return article;
}

/**
 * Notes who read an article after the machine (decision P4).
 * @param version which one was read; without one, whatever is there is signed
 * @returns its stars, or why not: as of a correction
 */
export function reviewArticle(
  articleId: number,
  { editorId, version }: Pick<Correction, 'editorId' | 'version'>,
): Promise<{ starIds: number[] } | 'missing' | 'state' | 'changed'> {
  return database().transaction(async (tx) => {
    const article = await lockArticle(tx, articleId);
    if (!article) return 'missing';
    if (article.withdrawnAt !== null) return 'state';
    if (version !== undefined && version !== article.version) return 'changed';
    const [editor] = await tx
      .select({ name: coalesce(users.displayName, users.username) })
      .from(users)
      .where(eq(users.id, editorId));
    await tx
      .update(articles)
      .set({ updatedAt: sql`now()`, reviewer: editor ? translated(() => editor.name) : null })
      .where(eq(articles.id, articleId));
    await recordDecision(tx, {
      actorId: editorId,
      action: 'article.review',
      subject: 'article',
      subjectId: articleId,
    });
    return { starIds: await listStarsOf(tx, articleId) };
  });
}
