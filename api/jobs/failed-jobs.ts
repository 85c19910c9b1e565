import { type FailingQueue, listFailingQueues, retryFailedJobs } from '#db/queries/queues.ts';
import { NotFound } from '../errors.ts';

/** Queues of which jobs failed: letters that no server takes, purges that no edge answers. */
export const readFailingQueues = (): Promise<FailingQueue[]> => listFailingQueues();

/**
 * Lets the failed jobs of a queue be tried again at once.
 * @throws NotFound where none failed
 */
export async function retryQueue(queue: string, actorId: number): Promise<void> {
  if ((await retryFailedJobs(queue, actorId)) === 0) throw new NotFound('Failed job');
}
