import { log } from '#db/log.ts';
import {
  findItem,
  finishReading,
  groupItem,
  postponeItem,
  recordItemFailure,
  recordUnchanged,
  storeFetch,
} from '#db/queries/newsroom/items.ts';
import { planFetch, postponeFetch, recordFetchFailure } from '#db/queries/newsroom/sources.ts';
import { findArticleOfStory } from '#db/queries/newsroom/stories.ts';
import { invalidate } from '../invalidation.ts';
import { type Fetched, FetchRefused } from '../media/guarded-fetch.ts';
import { crawl } from './crawl.ts';
import { readFeedFile } from './feed.ts';
import { extractArticle } from './full-text.ts';
import { CrawlProblem, problemOf, TurnTaken } from './problem.ts';

/**
 * Reads a source's feed if it is due, and stores what is new. Whatever fails becomes the source's health, and its wait.
 * @returns ids of items to read
 */
export async function collect(sourceId: number): Promise<number[]> {
  const source = await planFetch(sourceId);
  if (!source) return [];
  try {
    const answer = await crawl(source.feedUrl, source);
    if (answer.status === 304) {
      await recordUnchanged(sourceId);
      return [];
    }
    const { entries, problem } = await readFeedFile(answer, new Date());
    // One that has a problem is read whole again: `unchanged` would say that it is well.
    const { etag, 'last-modified': lastModified } = problem ? {} : answer.headers;
    const note = { etag: etag ?? null, lastModified: lastModified ?? null };
    const storedIds = await storeFetch(sourceId, note, entries);
    if (problem) await recordFetchFailure(sourceId, `${problem.code}: ${problem.message}`);
    return storedIds;
  } catch (error) {
    if (error instanceof TurnTaken) {
      await postponeFetch(sourceId, error.until);
      return [];
    }
    // Also a fault of ours, which is logged: a source that is not made to wait is read again at once, for ever.
    const { code, message } = problemOf(error);
    await recordFetchFailure(
      sourceId,
      `${code}: ${message}`,
      error instanceof CrawlProblem ? error.until : undefined,
    );
    return [];
  }
}

/** A feed's text of so many characters is the article, not its summary. */
const fullTextLength = 400;
const maxAttempts = 3;
/** Milliseconds that an item waits for a turn at its host. */
const longestTurnWait = 15 * 60_000;

/**
 * Settles the text of an item, by its page where the feed has only a summary and the site allows it, and puts it into its
 * story. @returns the story, undefined when it has to wait
 */
export async function advanceItem(id: number): Promise<number | undefined> {
  const item = await findItem(id);
  if (!item) return undefined;
  // A process may have been killed before it queued the story.
  if (item.stage === 'grouped') return item.storyId ?? undefined;
  let canonical: string | undefined;
  if (item.stage === 'collected') {
    const needsPage = item.fullText && item.text.length < fullTextLength;
    const page = needsPage ? await readItemPage(item) : undefined;
    if (page === 'later') return undefined;
    canonical = page?.canonicalUrl;
    const isLonger = page && page.text.length > item.text.length;
    await finishReading(id, page && { text: isLonger ? page.text : item.text, canonicalUrl: canonical });
  }
  const storyId = await groupItem(id, canonical);
  const articleId = storyId && (await findArticleOfStory(storyId));
  // It names all outlets that told it.
  if (articleId) await invalidate([`article:${articleId}`]);
  return storyId;
}

async function readItemPage(item: {
  id: number;
  url: string;
  attempts: number;
  nextTryAt: Date;
  updatedAt: Date;
}) {
  let answer: Fetched;
  try {
    answer = await crawl(item.url, { accept: 'text/html, application/xhtml+xml' });
  } catch (error) {
    if (!(error instanceof CrawlProblem || error instanceof FetchRefused)) throw error;
    if (error instanceof TurnTaken) {
      if (item.nextTryAt.getTime() - item.updatedAt.getTime() > longestTurnWait) return undefined;
      await postponeItem(item.id, error.until);
      return 'later' as const;
    }
    const isTransient = error.code === 'later' || error.code === 'timeout' || error.code === 'network';
    // The feed's own words are enough to go on with when the page cannot be had.
    if (!isTransient || item.attempts >= maxAttempts) return undefined;
    const until = error instanceof CrawlProblem ? error.until : undefined;
    await recordItemFailure(item.id, until ?? new Date(Date.now() + 60_000 * 2 ** item.attempts));
    return 'later' as const;
  }
  try {
    return extractArticle(answer);
  } catch (error) {
    // Pages are anybody's: one that no parser can read is as one that cannot be had.
    log.error({ err: error, itemId: item.id, url: item.url }, 'the page of an item could not be read');
    return undefined;
  }
}
