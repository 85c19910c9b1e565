import { connection } from '#db/client.ts';
import { until } from './until.ts';

/**
 * Waits until statements wait for a lock of somebody else in the database of the test.
 * @param count how many of them
 * @param words what stands in each
 */
export const untilSomebodyWaits = ({ count = 1, words = '' } = {}): Promise<void> =>
  until(async () => {
    const waiting = await connection()`select from pg_stat_activity
      where wait_event_type = 'Lock' and query ilike ${`%${words}%`} and datname = current_database()`;
    return waiting.length >= count;
  });
