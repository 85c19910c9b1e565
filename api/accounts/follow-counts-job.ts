import { countLateFollows } from '#db/queries/accounts/follows.ts';
import { invalidate } from '../invalidation.ts';
import { defineJob } from '../jobs/jobs.ts';

/** Counts the followers of stars anew that were kept by an import or an editor while they changed. */
export const followCountsJob = defineJob<object>({
  name: 'follow-counts',
  cron: '* * * * *',
  retryLimit: 0,
  timeout: 60,
  async handle(_, { signal }) {
    while (!signal.aborted) {
      const counted = await countLateFollows();
      if (counted.length === 0) return;
      await invalidate(counted.map((id) => `star:${id}` as const));
    }
  },
});
