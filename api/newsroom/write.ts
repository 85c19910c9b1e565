import { type Lang, languages } from '#content/locales.ts';
import type { Published } from '#db/queries/newsroom/publishing.ts';
import { holdStory, insertDraft } from '#db/queries/newsroom/stories.ts';
import {
  findWork,
  postponeStep,
  recordStepFailure,
  type StoryWork,
  tagStory,
} from '#db/queries/newsroom/story-steps.ts';
import { config } from '../config.ts';
import { AiProblem, askModel } from './ai.ts';
import { type MentionedName, namesIn, readNames } from './name-readings.ts';
import { loadNames, type NameBook } from './names.ts';
import { tryPublish } from './publish.ts';
import { checkRewrite, type RewriteDraft, type RewriteProblem, readRewrite } from './rewrite-check.ts';
import { rewritePrompt, rewriteSystem, rewriteVersion } from './rewrite-prompt.ts';
import { type Setback, setbackOf } from './setback.ts';

/** A text shorter than this is no news to write about. */
const minSourceLength = 80;
const maxStars = 8;
const maxAttempts = 6;
/** Milliseconds until a story whose source changed its words is looked at again, unless they are read sooner. */
const changingPause = 30_000;

/**
 * Brings a story as far as it goes: tags it, has the missing rewrites written and checked, publishes it. May be called at
 * any time and any number of times; what is done is not done again.
 * @returns the article when this call published it
 */
export async function advanceStory(id: number, signal: AbortSignal): Promise<Published | undefined> {
  const book = await loadNames();
  const fresh = await findWork(id);
  if (fresh?.stage === 'new') await tag(fresh, book);
  const story = fresh?.stage === 'new' ? await findWork(id) : fresh;
  if (story?.stage !== 'waiting') return undefined;
  // What is there was written from other words than what is missing would be.
  if (story.isChanging) {
    const until = new Date(Date.now() + changingPause);
    await postponeStep(id, 'retry', 'A source changed its words, which are read first.', until);
    return undefined;
  }
  try {
    return await finish(story, book, signal);
  } catch (error) {
    await postponeStory(story, [setbackOf(error)]);
    return undefined;
  }
}

/** Has what is missing written, and publishes the story or sets it aside. */
async function finish(story: StoryWork, book: NameBook, signal: AbortSignal): Promise<Published | undefined> {
  const missing = languages.filter((language) => !story.drafts.some((draft) => draft.language === language));
  if (missing.length > 0 && !(await write(story, missing, book, signal))) return undefined;
  // Written before another language failed: what speaks against it stands.
  const flawed = story.drafts.find(({ problem }) => problem !== null);
  if (!flawed) {
    const published = await tryPublish(story.id);
    if (!published) await holdStory(story.id, 'no_star', 'Its stars are gone.');
    return published;
  }
  await holdStory(story.id, flawed.problem ?? 'shape', `${flawed.language}: see the draft.`);
  return undefined;
}

async function tag(story: StoryWork, book: NameBook): Promise<void> {
  const [title, text] = sourceOf(story);
  const { names, doubts } = readNames(book, title, text);
  const stars = names.flatMap(({ entry: { starId }, score }) =>
    starId === undefined ? [] : [{ starId, score }],
  );
  // Beside others who are certain, a name in doubt further down does not stop the news.
  const open = doubts.filter(({ inTitle }) => inTitle || stars.length === 0);
  const isLongEnough = title.length + text.length >= minSourceLength;
  const candidates = open.flatMap(({ name, score, starIds }) =>
    starIds.map((starId) => ({ name, starId, score })),
  );
  await tagStory(story.id, { stars: stars.slice(0, maxStars), candidates }, ({ hasStars, openNames }) =>
    openNames.length > 0
      ? {
          stage: 'held',
          reason: 'namesakes',
          details: `It is open whom these names mean: ${openNames.join(', ')}.`,
        }
      : !hasStars
        ? { stage: 'held', reason: 'no_star', details: 'None of our stars is named.' }
        : isLongEnough
          ? { stage: 'waiting', reason: config().ai ? null : 'no_ai', details: null }
          : { stage: 'held', reason: 'too_short', details: 'The sources say too little to write about.' },
  );
}

const sourceOf = ({ tellings }: StoryWork): [title: string, text: string] => [
  tellings[0]?.title ?? '',
  tellings.map(({ title, text }, index) => (index === 0 ? text : `${title}\n\n${text}`)).join('\n\n'),
];

const mentionedNamesOf = (story: StoryWork, book: NameBook): MentionedName[] =>
  namesIn(book, ...sourceOf(story), story.starIds);

/**
 * Has the missing rewrites written, all at once; each is stored as soon as it is there.
 * @returns false when one failed, or tells what the sources say no more: the story is written anew
 */
async function write(
  story: StoryWork,
  missing: readonly Lang[],
  book: NameBook,
  signal: AbortSignal,
): Promise<boolean> {
  const results = await Promise.allSettled(
    missing.map((language) => writeOne(story, language, book, signal)),
  );
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const setbacks = failures.map(setbackOf);
  if (setbacks.length > 0) {
    await postponeStory(story, setbacks);
    return false;
  }
  const outcomes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (outcomes.includes('outdated')) return false;
  const [problem] = outcomes.filter((outcome) => typeof outcome === 'object');
  if (problem) await holdStory(story.id, problem.code, problem.message);
  return problem === undefined;
}

/** One language: asked, checked, sent back once where a check says no. @returns what still speaks against it; outdated: it was not stored */
async function writeOne(
  story: StoryWork,
  language: Lang,
  book: NameBook,
  signal: AbortSignal,
): Promise<RewriteProblem | 'outdated' | undefined> {
  const context = {
    language,
    sourceLanguage: story.tellings[0]?.language ?? 'ko',
    source: sourceOf(story).join('\n\n'),
    book,
    mentionedNames: mentionedNamesOf(story, book),
  };
  let lastCheck: { rewrite: RewriteDraft; problems: RewriteProblem[] } | undefined;
  const check = (answer: unknown) => {
    lastCheck = checkRewrite(readRewrite(answer), context);
    if (lastCheck.problems.length > 0)
      throw new Error(lastCheck.problems.map(({ message }) => message).join(' '));
    return lastCheck;
  };
  try {
    await askModel(
      {
        purpose: 'rewrite',
        promptVersion: rewriteVersion,
        storyId: story.id,
        language,
        system: rewriteSystem(language),
        prompt: rewritePrompt(language, story.tellings, context.mentionedNames),
        maxAnswerTokens: 4_000,
        check,
      },
      signal,
    );
  } catch (error) {
    // An answer of the right shape that no check lets pass is an editor's to judge, not the machine's to try for ever.
    if (
      !(error instanceof AiProblem && error.code === 'invalid' && lastCheck && lastCheck.problems.length > 0)
    )
      throw error;
  }
  if (!lastCheck) throw new AiProblem('invalid', 'The answer has no shape.');
  const { rewrite, problems } = lastCheck;
  const [problem] = problems;
  const isStored = await insertDraft(
    story.id,
    {
      language,
      title: rewrite.title,
      summary: rewrite.summary.join('\n'),
      content: rewrite.body,
      model: config().ai?.model ?? null,
      promptVersion: rewriteVersion,
      authorId: null,
      problem: problem?.code ?? null,
    },
    story.tellings,
  );
  if (!isStored) return 'outdated';
  return problem && { ...problem, message: `${language}: ${problem.message}` };
}

/** Lets a story wait for what hindered it: for as long as that says, or twice as long each time. */
async function postponeStory(story: StoryWork, setbacks: readonly Setback[]): Promise<void> {
  const retryTimes = setbacks.flatMap(({ until }) => until?.getTime() ?? []);
  const latest = retryTimes.length > 0 ? new Date(Math.max(...retryTimes)) : undefined;
  const [first] = setbacks;
  const general = setbacks.find(({ isGeneral }) => isGeneral);
  if (general && latest) return postponeStep(story.id, general.code, general.message, latest);
  await recordStepFailure(story.id, {
    stage: 'rewrite',
    reason: first?.code ?? 'error',
    details: first?.message ?? '',
    until: latest ?? new Date(Date.now() + 15_000 * 2 ** story.attempts),
    maxAttempts,
  });
}
