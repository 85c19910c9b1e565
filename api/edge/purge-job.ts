import { config } from '../config.ts';
import { defineJob } from '../jobs/jobs.ts';
import { type Outdated, purgeEdge } from './purge-call.ts';

/** Tells an edge what it did not hear when it was told, until it does. One that is no longer among those of PURGE_URL is told nothing. */
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
    // Another machine or the worker may have what this process was started without: it is left to them.
    if (!purge) throw new Error('an edge waits to be told and PURGE_URL is not set in this process');
    const edge = purge.edges.find((each) => each.address === address);
    if (edge) await purgeEdge(edge, outdated, purge.token, signal);
  },
});
