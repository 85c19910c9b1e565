import { AsyncLocalStorage } from 'node:async_hooks';
import { Counter } from 'prom-client';
import { metrics } from './metrics.ts';
import type { Replica, Replicas } from './replicas.ts';

interface SharedRead {
  replica: Replica;
  /** What the replica had failed to answer when this began. */
  failures: number;
  isOver: boolean;
}

const reads = new AsyncLocalStorage<SharedRead | undefined>();
let replicas: Replicas | undefined;

const counts = new Counter({
  name: 'byeol_shared_reads_total',
  help: 'Pages and calls for everybody that were made, by who answered: a replica, the primary, or the primary after a replica failed, or lacked a write.',
  labelNames: ['by'],
  registers: [metrics],
});

/** Chooses the replicas of this process; undefined: none, and the primary answers everything. */
export function setReplicas(chosen: Replicas | undefined): void {
  replicas = chosen;
}

/** The replicas of this process. */
export const usedReplicas = (): Replicas | undefined => replicas;

interface SharedAnswer<Made> {
  made: Made;
  /** Made by a replica, which is known to have the writes of invalidations up to this one (decision W10). */
  invalidation?: number;
}

/**
 * Makes what is the same for everybody and may be kept, from a replica (decision D12). The whole of it is from one server, so that no
 * statement sees less than the one before. When the replica fails at any of it or refuses to write, and when it may lack a write
 * that this process has heard of, all is made once more from the primary.
 * @param tagsOf what is made anew when one of them is told; undefined: it has none, and any write may matter
 */
export async function sharedRead<Made>(
  action: () => Promise<Made>,
  tagsOf: (made: Made) => readonly string[] | undefined,
): Promise<SharedAnswer<Made>> {
  if (!replicas) return { made: await action() };
  const replica = replicas.choose();
  if (!replica) {
    counts.inc({ by: 'primary' });
    return { made: await onPrimary(action) };
  }
  const { asOf, invalidation, failures } = replica;
  const read: SharedRead = { replica, failures, isOver: false };
  const made = await reads.run(read, () => settled(action));
  read.isOver = true;
  const by = hasFailed(read)
    ? 'primary_after_failure'
    : replicas.mayLack(asOf, 'error' in made ? undefined : tagsOf(made.value))
      ? 'primary_after_write'
      : 'replica';
  counts.inc({ by });
  if (by !== 'replica') return { made: await onPrimary(action) };
  if ('error' in made) throw made.error;
  return { made: made.value, invalidation };
}

/** Does something within a shared read that is none: what writes, what belongs to somebody, what no replica has. */
export const onPrimary = <Made>(action: () => Made): Made => reads.run(undefined, action);

/** The replica that answers what is asked now; undefined: the primary does. */
export function replicaInUse(): Replica | undefined {
  if (!replicas) return undefined;
  const read = reads.getStore();
  // What was begun in a read may outlive it.
  return read && !read.isOver && !hasFailed(read) ? read.replica : undefined;
}

const hasFailed = ({ replica, failures }: SharedRead): boolean => replica.failures !== failures;

async function settled<Made>(action: () => Promise<Made>): Promise<{ value: Made } | { error: unknown }> {
  try {
    return { value: await action() };
  } catch (error) {
    return { error };
  }
}
