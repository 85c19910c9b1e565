import { config } from '../config.ts';
import { defineJob } from '../jobs/jobs.ts';
import { type Outdated, purgeEdge } from './purge-call.ts';

/** Tells an edge what it did not hear when it was told, until it does. One that is no longer in the settings is told nothing. */
export const purgeJob = defineJob<{ address: string; outdated: Outdated }>({
  name: 'purge-edge',
  // A week: what an edge holds by then is older than it may be.
  retryLimit: 10_000,
  retryDelay: 1,
  retryDelayMax: 60,
  concurrency: 2,
  retentionSeconds: 86_400,
  async handle({ address, outdated }, { signal }) {
    const { purge } = config();
    const edge = purge?.edges.find((each) => each.address === address);
    if (purge && edge) await purgeEdge(edge, outdated, purge.token, signal);
  },
});
