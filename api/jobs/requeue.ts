import type PgBoss from 'pg-boss';
import { type Job, withQueue } from './jobs.ts';

/** A job as a backup has it: it waited or ran when that was made. */
export interface WaitingJob {
  id: string;
  name: string;
  data: object;
  priority: number;
  singletonKey: string | null;
  /** ISO 8601 in UTC. */
  startAfter: string;
}

/**
 * Queues jobs of a backup again, with the transaction of `db`: what ran begins anew. One whose kind there is no more is left out.
 * @param jobs the kinds that there are
 */
export async function requeue(
  jobs: readonly Job[],
  waiting: readonly WaitingJob[],
  db: PgBoss.Db,
): Promise<void> {
  for (const job of jobs) {
    const own = waiting
      .filter(({ name }) => name === job.name)
      .map(({ singletonKey, ...each }) => ({ ...each, ...(singletonKey === null ? {} : { singletonKey }) }));
    if (own.length === 0) continue;
    const { boss } = await withQueue(job);
    await boss.insert(job.name, own, { db });
  }
}
