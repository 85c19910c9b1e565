import { storeEvents } from '#db/queries/newsroom/extracted-events.ts';
import {
  findWork,
  postponeStep,
  recordStepFailure,
  type StoryWork,
} from '#db/queries/newsroom/story-steps.ts';
import { askModel } from './ai.ts';
import { type Claim, readClaims } from './event-answer.ts';
import { checkEvent } from './event-check.ts';
import { eventsPrompt, eventsSystem, eventsVersion } from './event-prompt.ts';
import { namesIn } from './name-readings.ts';
import { spellNames } from './name-spelling.ts';
import { loadNames } from './names.ts';
import { type Setback, setbackOf } from './setback.ts';

const maxAttempts = 5;

/**
 * Reads the events of a published story and stores them as pending: never public before a person approves
 * (decision E6). May be called any number of times: a story is read once.
 * @returns ids of the new events
 */
export async function advanceEvents(
  storyId: number,
  signal: AbortSignal,
  now = new Date(),
): Promise<number[]> {
  const story = await findWork(storyId);
  if (story?.eventStage !== 'pending') return [];
  const book = await loadNames();
  const source = story.tellings.map(({ title, text }) => `${title}\n\n${text}`).join('\n\n');
  const [first] = story.tellings;
  const publishedAt = new Date(first?.publishedAt ?? now);
  const mentionedNames = namesIn(book, first?.title ?? '', source, story.starIds);
  try {
    const claims = await askModel(
      {
        purpose: 'events',
        promptVersion: eventsVersion,
        storyId,
        language: null,
        system: eventsSystem,
        prompt: eventsPrompt(source, publishedAt, mentionedNames),
        maxAnswerTokens: 3_000,
        check: readClaims,
      },
      signal,
    );
    const context = { source, publishedAt, now, book, starIds: story.starIds };
    const spelledClaims = claims.map(
      (claim): Claim => ({
        ...claim,
        title: spellNames(claim.title, book, mentionedNames),
      }),
    );
    return await storeEvents(
      storyId,
      spelledClaims.map((claim) => checkEvent(claim, context)),
    );
  } catch (error) {
    await postponeEvents(story, setbackOf(error));
    return [];
  }
}

async function postponeEvents(story: StoryWork, { code, message, until, isGeneral }: Setback): Promise<void> {
  if (isGeneral && until) return postponeStep(story.id, code, message, until);
  await recordStepFailure(story.id, {
    stage: 'events',
    reason: code,
    details: message,
    until: until ?? new Date(Date.now() + 15_000 * 2 ** story.eventAttempts),
    maxAttempts,
  });
}
