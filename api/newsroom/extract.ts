import { storeEvents } from '#db/queries/newsroom/extracted-events.ts';
import { findWork, noteSetback, postpone, type StoryWork } from '#db/queries/newsroom/story-steps.ts';
import { AiProblem, ask } from './ask.ts';
import { type Claim, readEvents } from './event-answer.ts';
import { checkEvent } from './event-check.ts';
import { eventsPrompt, eventsSystem, eventsVersion } from './event-prompt.ts';
import { loadNames, namesIn } from './names.ts';
import { spell } from './rewrite-check.ts';

const mostAttempts = 5;

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
  const named = namesIn(book, first?.title ?? '', source);
  try {
    const claims = await ask(
      {
        purpose: 'events',
        promptVersion: eventsVersion,
        storyId,
        language: null,
        system: eventsSystem,
        prompt: eventsPrompt(source, publishedAt, named),
        longestAnswer: 3_000,
        check: readEvents,
      },
      signal,
    );
    const ground = { source, publishedAt, now, book, starIds: story.starIds };
    const locked = claims.map(
      (claim): Claim => ({
        ...claim,
        title: spell(claim.title, book, named),
      }),
    );
    return await storeEvents(
      storyId,
      locked.map((claim) => checkEvent(claim, ground)),
    );
  } catch (error) {
    if (!(error instanceof AiProblem)) throw error;
    await wait(story, error);
    return [];
  }
}

async function wait(story: StoryWork, { code, message, until }: AiProblem): Promise<void> {
  if (code === 'budget' || code === 'no_ai') {
    return postpone(story.id, code, until ?? new Date(Date.now() + 3_600_000));
  }
  await noteSetback(story.id, {
    stage: 'events',
    reason: code,
    details: message,
    until: until ?? new Date(Date.now() + 15_000 * 2 ** story.eventAttempts),
    mostAttempts,
  });
}
