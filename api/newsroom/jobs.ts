import { listOpenItems } from '#db/queries/items.ts';
import { listDueSources } from '#db/queries/sources.ts';
import { listDueEventStories, listDueStories } from '#db/queries/stories.ts';
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
    if (storyId !== undefined) await enqueue(writeStory, { storyId }, { key: `story-${storyId}` });
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
    if (await advanceStory(storyId, signal))
      await enqueue(readEvents, { storyId }, { key: `story-${storyId}` });
  },
});

/** Reads the events of a story that was published. */
export const readEvents = defineJob<{ storyId: number }>({
  name: 'newsroom-events',
  concurrency: 2,
  retryLimit: 3,
  timeout: 280,
  async handle({ storyId }, { signal }) {
    const { advanceEvents } = await import('./extract.ts');
    await advanceEvents(storyId, signal);
  },
});

/** Queues what rows say is due: whatever a killed process or a failure left behind goes on within a minute. */
export const sweepNewsroom = defineJob<object>({
  name: 'newsroom-sweep',
  cron: '* * * * *',
  retryLimit: 0,
  timeout: 50,
  async handle() {
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
