import type { Lang } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { readSpending, type Spending } from '#db/queries/newsroom/ai-calls.ts';
import { chooseCandidate, listOpenNames, type OpenName } from '#db/queries/newsroom/candidates.ts';
import {
  countQueue,
  type FailureRow,
  findLastSweep,
  findModelTrouble,
  findStory,
  listFailures,
  listStories,
  type QueueCounts,
  reopenFailure,
  type StoryDetail,
  type StoryListRow,
} from '#db/queries/newsroom/newsroom.ts';
import { decideStory, replaceStoryStars, saveDraft } from '#db/queries/newsroom/stories.ts';
import { starExists } from '#db/queries/stars/stars.ts';
import type { StoryStage } from '#db/schema/newsroom.ts';
import { hasUnsafeCharacters } from '../accounts/names.ts';
import { isTangled } from '../articles/markdown.ts';
import { config } from '../config.ts';
import { BadInput, ChangedSince, Conflict, NotFound } from '../errors.ts';
import { enqueue } from '../jobs/jobs.ts';
import { enqueueNextStep, readItem } from './jobs.ts';
import { tryPublish } from './publish.ts';

/** What the dashboard says of the newsroom. */
interface Newsroom {
  queue: QueueCounts;
  /** Things on their way: §7 stats' `processingQueue`. */
  processingQueue: number;
  /** Whether an AI endpoint is set; without one stories wait for an editor. */
  ai: { model: string; dailyTokens: number } | null;
  spending: Spending;
}

/** The newsroom's queue by stage and its budget of today. */
export async function readNewsroom(): Promise<Newsroom> {
  const [queue, spending] = [await countQueue(), await readSpending()];
  const { ai } = config();
  return {
    queue,
    processingQueue: queue.collected + queue.new + queue.waiting + queue.events,
    ai: ai ? { model: ai.model, dailyTokens: ai.dailyTokens } : null,
    spending,
  };
}

/** The stage in which the news desk opens: where stories wait, for a person before the machine. */
export async function readOpeningStage(): Promise<StoryStage> {
  const queue = await countQueue();
  return (['held', 'failed', 'waiting', 'new'] as const).find((stage) => queue[stage] > 0) ?? 'held';
}

/** Stories of a stage, the newest first. */
export function readStories(
  stage: StoryStage,
  limit: number,
  offset: number,
): Promise<{ rows: StoryListRow[]; total: number }> {
  return listStories(stage, limit, offset);
}

/** A story, its stars named in `language`. @throws NotFound */
export async function readStory(id: number, language?: Lang): Promise<StoryDetail> {
  const story = await findStory(id, language);
  if (!story) throw new NotFound('Story');
  return story;
}

/** Whether a worker is there to go on with what is due, and when one was last seen. */
export async function readWorkerStatus(): Promise<{ works: boolean; seenAt: Date | undefined }> {
  const seenAt = await findLastSweep();
  // A sweep comes every minute, and up to a quarter of one late.
  return { works: seenAt !== undefined && Date.now() - seenAt.getTime() < 150_000, seenAt };
}

/** What the model said last against a story that waits for it; undefined: none does. */
export const readModelTrouble = () => findModelTrouble();

/** Work that was given up, the newest first. */
export function readFailures(limit: number, offset: number): Promise<{ rows: FailureRow[]; total: number }> {
  return listFailures(limit, offset);
}

/**
 * Lets the work of a failure be tried anew, at once.
 * @throws NotFound when it is not on the list (any more)
 */
export async function replayFailure(id: number, editorId: number): Promise<void> {
  const due = await reopenFailure(id, editorId);
  if (!due) throw new NotFound('Failure');
  if (due.storyId !== null) await enqueueNextStep(due.storyId);
  else if (due.itemId !== null)
    await enqueue(readItem, { itemId: due.itemId }, { key: `item-${due.itemId}` });
}

/** What an editor writes by hand: up to three sentences of summary, Markdown. */
export interface Draft {
  title: string;
  summary: readonly string[];
  content: string;
}

const draftLimits = { title: 200, sentence: 400, content: 20_000 } as const;

/**
 * Stores an editor's rewrite of a story in one language. With the last language the story is published.
 * @returns the article, once there is one
 * @throws BadInput for a draft that is empty or too long
 * @throws Conflict when the story is published or dismissed (amend the article instead)
 * @throws ChangedSince when `version` was given and is not that of the language any more; empty: nothing was written in it
 */
export async function writeRewrite(
  storyId: number,
  language: Lang,
  draft: Draft & { version?: string | undefined },
  editorId: number,
): Promise<{ articleId: number | null }> {
  const { title, summary, content } = checkDraft(draft);
  const words = { language, title, summary: summary.join('\n'), content };
  const outcome = await saveDraft(storyId, words, editorId, draft.version);
  if (outcome === 'missing') throw await notOpen(storyId);
  if (outcome === 'changed') throw new ChangedSince();
  const published = await tryPublish(storyId);
  await enqueueNextStep(storyId);
  return { articleId: published?.articleId ?? null };
}

/**
 * Trims and bounds a rewrite.
 * @param prefix what stands before its fields in the request
 * @throws BadInput naming the field
 */
export function checkDraft(draft: Draft, prefix = ''): Draft {
  const refusal = (field: keyof Draft, message: string, code: string, most?: number) =>
    new BadInput(`${prefix}${field}`, message, code, most);
  const clean = (text: string) => normalized(text).replaceAll('\r\n', '\n').trim();
  const title = clean(draft.title).replace(/\s+/g, ' ');
  const summary = draft.summary.map((sentence) => clean(sentence).replace(/\s+/g, ' ')).filter(Boolean);
  const content = clean(draft.content);
  for (const [field, text] of [
    ['title', title],
    ['summary', summary.join(' ')],
    ['content', content],
  ] as const) {
    if (text === '') throw refusal(field, 'Is required.', 'required');
    if (hasUnsafeCharacters(text.replace(/[\n\t]/g, ' ')))
      throw refusal(field, 'Has characters that cannot be shown.', 'characters');
  }
  if (title.length > draftLimits.title)
    throw refusal('title', 'A title has 1 to 200 characters.', 'long', draftLimits.title);
  if (summary.length > 3 || summary.some((each) => each.length > draftLimits.sentence)) {
    const message = 'A summary has one to three sentences of at most 400 characters.';
    throw refusal('summary', message, 'sentences', draftLimits.sentence);
  }
  if (content.length > draftLimits.content)
    throw refusal('content', 'A text has 1 to 20,000 characters.', 'long', draftLimits.content);
  if (isTangled(content))
    throw refusal(
      'content',
      'Is nested too deeply, repeats a sign too often, or is cut too small.',
      'tangled',
    );
  return { title, summary, content };
}

/** Stars that a story or an article is about, each once. @throws BadInput */
export function readStarIds(starIds: readonly number[]): number[] {
  const uniqueIds = [...new Set(starIds)];
  if (uniqueIds.length === 0) throw new BadInput('starIds', 'Name 1 to 20 stars.', 'required');
  if (uniqueIds.length > 20) throw new BadInput('starIds', 'Name 1 to 20 stars.');
  return uniqueIds;
}

/**
 * Sets the stars of a story, the most important first; a story that waited for stars goes on.
 * @throws BadInput for an empty list or a star that there is not, NotFound, Conflict as `writeRewrite`
 */
export async function chooseStars(
  storyId: number,
  starIds: readonly number[],
  editorId: number,
): Promise<void> {
  const uniqueIds = readStarIds(starIds);
  const exist = await Promise.all(uniqueIds.map(starExists));
  if (exist.includes(false)) throw new BadInput('starIds', 'There is no such star.', 'unknown');
  if (!(await replaceStoryStars(storyId, uniqueIds, editorId))) throw await notOpen(storyId);
  await tryPublish(storyId);
  await enqueueNextStep(storyId);
}

/** Names of a held story of which it is open whom they mean, with the stars whom they may mean. @throws NotFound */
export async function readOpenNames(storyId: number, language: Lang): Promise<OpenName[]> {
  const openNames = await listOpenNames(storyId, language);
  if (openNames.length === 0) await readStory(storyId);
  return openNames;
}

/**
 * Says whom an open name of a story means, null: none of those it may mean. With the last one the story goes on.
 * @throws ChangedSince for a name that is not open (any more), BadInput for a star that it may not mean, NotFound, Conflict as `writeRewrite`
 */
export async function chooseStarOfName(
  storyId: number,
  choice: { name: string; starId: number | null },
  editorId: number,
): Promise<void> {
  const chosen = await chooseCandidate(storyId, choice, editorId);
  if (!chosen) throw await notOpen(storyId);
  if (chosen === 'changed') throw new ChangedSince();
  if (chosen === 'unknown') throw new BadInput('starId', 'That name may not mean that star.', 'unknown');
  await tryPublish(storyId);
  await enqueueNextStep(storyId);
}

/** Throws a story away. @throws NotFound, Conflict as `writeRewrite` */
export async function dismissStory(storyId: number, editorId: number, notes: string | null): Promise<void> {
  if (!(await decideStory(storyId, 'dismissed', editorId, notes))) throw await notOpen(storyId);
}

/** Lets the machine write anew what is held, has failed or was dismissed. @throws NotFound; Conflict when the story is published */
export async function retryStory(storyId: number, editorId: number): Promise<void> {
  if (!(await decideStory(storyId, 'waiting', editorId, null))) throw await notOpen(storyId);
  await enqueueNextStep(storyId);
}

async function notOpen(storyId: number): Promise<Error> {
  return (await findStory(storyId))
    ? new Conflict('decided', 'This story is published or dismissed.')
    : new NotFound('Story');
}
