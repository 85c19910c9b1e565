import { DatabaseNotOpen } from '#db/client.ts';
import { log } from '#db/log.ts';
import { config } from '../config.ts';
import { enqueue } from '../jobs/jobs.ts';
import type { Tag } from '../tags.ts';
import type { Edge } from './addresses.ts';
import { type Outdated, purgeEdge } from './purge-call.ts';
import { purgeJob } from './purge-job.ts';

/** Milliseconds for which tags are gathered before an edge is told of them. */
const gatherFor = 100;
/**
 * Milliseconds after which it is told again. What it asked for just before the write, or of a process that the bus had not reached yet, may
 * have come to it after it was told first.
 */
const againAfter = 1_500;
/** An edge that fails for longer is told to forget everything once it is back, by one job instead of one for each time. */
const failsForLong = 10_000;
/** Milliseconds before what could not even be queued is tried again. */
const retryPause = 1_000;
/** Milliseconds that a process which stops waits for an edge before it leaves the rest to the queue. */
const settleWithin = 2_000;

/** What one edge has yet to hear from this process. One call at a time: what comes meanwhile is gathered. */
class Teller {
  #untold = new Set<Tag>();
  /** What it has heard and will hear again, by the number of the call that named it last. */
  #told = new Map<Tag, number>();
  #calls = 0;
  #timers = new Set<Timer>();
  #isWaiting = false;
  #telling: Promise<void> = Promise.resolve();
  #failingSince: number | undefined;
  readonly #ending = new AbortController();
  #isEnding = false;

  constructor(
    private readonly edge: Edge,
    private readonly token: string,
  ) {}

  add(tags: readonly Tag[]): void {
    for (const tag of tags) this.#untold.add(tag);
    this.#tellIn(gatherFor);
  }

  /** Tells at once what waits, and resolves when it has been heard or is queued. */
  async settle(): Promise<void> {
    this.#isEnding = true;
    const limit = setTimeout(() => this.#ending.abort(), settleWithin);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await this.#telling;
    await this.#tellOnce();
    clearTimeout(limit);
  }

  #tellIn(milliseconds: number): void {
    if (this.#isWaiting || this.#isEnding) return;
    this.#isWaiting = true;
    this.#later(milliseconds, () => {
      this.#telling = this.#telling.then(() => {
        this.#isWaiting = false;
        return this.#tellOnce();
      });
    });
  }

  #later(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }

  async #tellOnce(): Promise<void> {
    const tags = [...new Set([...this.#untold, ...(this.#isEnding ? this.#told.keys() : [])])];
    this.#untold.clear();
    if (this.#isEnding) this.#told.clear();
    if ((await this.#tell(tags)) && !this.#isEnding) this.#tellAgain(tags);
  }

  #tellAgain(tags: readonly Tag[]): void {
    this.#calls += 1;
    const call = this.#calls;
    for (const tag of tags) this.#told.set(tag, call);
    this.#later(againAfter, () => {
      // What a later call named is told again after that one.
      const again = tags.filter((tag) => this.#told.get(tag) === call && this.#told.delete(tag));
      this.#telling = this.#telling.then(async () => void (await this.#tell(again)));
    });
  }

  /** @returns whether the edge heard it; otherwise it is queued */
  async #tell(tags: readonly Tag[]): Promise<boolean> {
    if (tags.length === 0) return false;
    try {
      await purgeEdge(this.edge, tags, this.token, this.#ending.signal);
      this.#failingSince = undefined;
      return true;
    } catch (error) {
      await this.#owe(tags, error);
      return false;
    }
  }

  /** Leaves to the queue what the edge did not hear. */
  async #owe(tags: readonly Tag[], error: unknown): Promise<void> {
    const now = Date.now();
    if (this.#failingSince === undefined) log.warn(`${messageOf(error)}; it is told later`);
    this.#failingSince ??= now;
    const isLong = now - this.#failingSince > failsForLong;
    const outdated: Outdated = isLong ? 'everything' : tags;
    const { address } = this.edge;
    try {
      const isQueued = await enqueue(
        purgeJob,
        { address, outdated },
        isLong ? { key: `everything ${address}` } : {},
      );
      // The job that is there may have told the edge before this write.
      if (!isQueued) this.#keep(tags);
    } catch (failure) {
      // This process is ending, and has let go of its database.
      if (!(failure instanceof DatabaseNotOpen)) this.#keep(tags);
    }
  }

  #keep(tags: readonly Tag[]): void {
    for (const tag of tags) this.#untold.add(tag);
    this.#tellIn(retryPause);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let current: { purge: object; tellers: Teller[] } | undefined;

/** Tells the edges of `PURGE_URL`, within a moment, that what carries these tags is out of date. Without any does nothing. */
export function purge(tags: readonly Tag[]): void {
  const { purge: settings } = config();
  if (!settings || tags.length === 0) return;
  if (current?.purge !== settings) {
    const tellers = settings.edges.map((edge) => new Teller(edge, settings.token));
    current = { purge: settings, tellers };
  }
  for (const teller of current.tellers) teller.add(tags);
}

/** Tells the edges what they have not heard yet, or queues it; called before the database is closed. */
export async function settlePurges(): Promise<void> {
  const tellers = current?.tellers ?? [];
  current = undefined;
  await Promise.all(tellers.map((teller) => teller.settle()));
}
