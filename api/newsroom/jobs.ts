import { listOpenItems } from '#db/queries/items.ts';
import { listDueSources } from '#db/queries/sources.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';
import { advanceItem, collect } from './collect.ts';

/** Reads one source. */
export const fetchSource = defineJob<{ sourceId: number }>({
  name: 'newsroom-fetch',
  concurrency: 3,
  retryLimit: 1,
  timeout: 90,
  async handle({ sourceId }) {
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
    await advanceItem(itemId);
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
  },
});

export const newsroomJobs = [fetchSource, readItem, sweepNewsroom];
