import { AsyncLocalStorage } from 'node:async_hooks';
import DataLoader from 'dataloader';
import type { Replica } from './replicas.ts';
import { replicaInUse } from './shared-read.ts';

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
 * statement belongs to whoever asked first. What a replica is asked goes with nothing that the primary is asked (decision D12).
 * @param loadMany answers in the order of the keys
 */
export function batched<Key, Value>(
  loadMany: (keys: readonly Key[]) => Promise<readonly Value[]>,
  options: BatchOptions = {},
): (key: Key) => Promise<Value> {
  const ofPrimary = loaderOf(loadMany, options);
  const ofReplicas = new WeakMap<Replica, typeof ofPrimary>();
  return (key) => {
    const replica = replicaInUse();
    if (!replica) return ofPrimary.load(key);
    const loader = ofReplicas.get(replica) ?? loaderOf(loadMany, options);
    ofReplicas.set(replica, loader);
    return loader.load(key);
  };
}

/** Whoever asks it asks the same server. */
function loaderOf<Key, Value>(
  loadMany: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { maxBatchSize = 500, concurrency = 1, pause = 0 }: BatchOptions,
): DataLoader<Key, Value> {
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
  return new DataLoader<Key, Value>(load, {
    cache: false,
    maxBatchSize,
    // It runs for whoever asked first, though another's statement has it start.
    batchScheduleFn: (dispatch) =>
      running < concurrency ? start(dispatch) : void waiting.push(AsyncLocalStorage.bind(dispatch)),
  });
}
