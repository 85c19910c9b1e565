import DataLoader from 'dataloader';
import { boundToWork } from './work.ts';

interface BatchOptions {
  /** Keys that one statement asks for. */
  maxBatchSize?: number;
  /** Statements that may run beside each other. */
  concurrency?: number;
  /** Milliseconds to wait for others after a statement for several. */
  pause?: number;
}

/** The pause for what nearly every call of a busy chat asks: a statement for one costs nearly as much as one for ten. */
export const busyPause = 4;

/**
 * Asks the database for many at once: what is asked while a statement is under way goes with the next one. None joins a statement
 * that runs already, and nothing is cached, so each is answered by what is true after it came. In a crowd a statement each would
 * cost more than what it asks for, because starting a long one takes PostgreSQL as long as running it. In traces and logs the
 * statement belongs to whoever asked first.
 * @param loadMany answers in the order of the keys
 */
export function batched<Key, Value>(
  loadMany: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { maxBatchSize = 500, concurrency = 1, pause = 0 }: BatchOptions = {},
): (key: Key) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const load = async (keys: readonly Key[]): Promise<readonly Value[]> => {
    try {
      return await loadMany(keys);
    } finally {
      if (keys.length > 1 && pause > 0) setTimeout(next, pause);
      else next();
    }
  };
  function next(): void {
    running -= 1;
    const dispatch = waiting.shift();
    if (dispatch) start(dispatch);
  }
  function start(dispatch: () => void): void {
    running += 1;
    // The key that a batch is made for joins it after its dispatch was scheduled.
    queueMicrotask(dispatch);
  }
  const loader = new DataLoader<Key, Value>(load, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) =>
      running < concurrency ? start(dispatch) : void waiting.push(boundToWork(dispatch)),
  });
  return (key) => loader.load(key);
}
