import { findItemWait, listOpenItems } from '#db/queries/newsroom/items.ts';
import { listDueSources } from '#db/queries/newsroom/sources.ts';
import {
  findNextStep,
  listDueEventStories,
  listDueStories,
  makeStalledDue,
} from '#db/queries/newsroom/story-steps.ts';
import { config } from '../config.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';

// The work is loaded when there is some: a site that only serves pages holds no parser and no model's client.

/** Reads one source. */
export const fetchSource = defineJob<{ sourceId: number }>({
  name: 'newsroom-fetch',
  concurrency: 3,
  retryLimit: 1,
  timeout: 90,
  async handle({ sourceId }) {
    const { collect } = await import('./collect.ts');
    for (const itemId of await collect(sourceId))
      await enqueue(readItem, { itemId }, { key: `item-${itemId}` });
  },
});

/** Reads one item and puts it into its story. */
export const readItem = defineJob<{ itemId: number }>({
  name: 'newsroom-item',
  concurrency: 3,
  retryLimit: 3,
  timeout: 90,
  async handle({ itemId }) {
    const { advanceItem } = await import('./collect.ts');
    const storyId = await advanceItem(itemId);
    const wait = storyId === undefined ? await findItemWait(itemId) : undefined;
    if (storyId !== undefined) await enqueueNextStep(storyId);
    else if (wait !== undefined) await scheduleSweep(wait);
  },
});

/** Tags a story, has it rewritten and publishes it. Two answers per language, all languages at once, fit into its time. */
export const writeStory = defineJob<{ storyId: number }>({
  name: 'newsroom-story',
  concurrency: 2,
  retryLimit: 3,
  timeout: 280,
  async handle({ storyId }, { signal }) {
    const { advanceStory } = await import('./write.ts');
    await advanceStory(storyId, signal);
    await enqueueNextStep(storyId);
  },
});

/** Reads the events of a story that was published. */
const readEvents = defineJob<{ storyId: number }>({
  name: 'newsroom-events',
  concurrency: 2,
  retryLimit: 3,
  timeout: 280,
  async handle({ storyId }, { signal }) {
    const { advanceEvents } = await import('./extract.ts');
    await advanceEvents(storyId, signal);
    await enqueueNextStep(storyId);
  },
});

/**
 * Queues the next step of a story, now or at its time. Called after each step and by an editor's decision, so that nothing
 * waits for the sweep of the minute.
 */
export async function enqueueNextStep(storyId: number): Promise<void> {
  const next = await findNextStep(storyId);
  if (!next) return;
  const job = next.step === 'write' ? writeStory : readEvents;
  const isQueued = next.wait === 0 && (await enqueue(job, { storyId }, { key: `story-${storyId}` }));
  // A key is taken until its job has ended, and this may be called by that very job.
  if (!isQueued) await scheduleSweep(Math.max(next.wait, 1_000));
}

/** Has the rows looked through in so many milliseconds, to the second. */
export async function scheduleSweep(wait: number): Promise<void> {
  const second = Math.ceil((Date.now() + wait) / 1_000);
  await enqueue(sweepNewsroom, {}, { startAfter: new Date(second * 1_000), key: `at-${second}` });
}

/**
 * Queues what rows say is due: as a process starts, at the time that a step waits for, and every minute for whatever a
 * lost job left behind.
 */
export const sweepNewsroom = defineJob<{ starts?: boolean }>({
  name: 'newsroom-sweep',
  cron: '* * * * *',
  atStart: { starts: true },
  retryLimit: 0,
  timeout: 50,
  retentionSeconds: 3_600,
  async handle({ starts }) {
    if (starts && config().ai) await makeStalledDue();
    for (const sourceId of await listDueSources(100)) {
      await enqueue(fetchSource, { sourceId }, { key: `source-${sourceId}` });
    }
    for (const itemId of await listOpenItems(200))
      await enqueue(readItem, { itemId }, { key: `item-${itemId}` });
    for (const storyId of await listDueStories(config().ai !== undefined, 100)) {
      await enqueue(writeStory, { storyId }, { key: `story-${storyId}` });
    }
    if (!config().ai) return;
    for (const storyId of await listDueEventStories(100)) {
      await enqueue(readEvents, { storyId }, { key: `story-${storyId}` });
    }
  },
});

export const newsroomJobs = [fetchSource, readItem, writeStory, readEvents, sweepNewsroom];
