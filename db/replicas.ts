import { type Database, openPools, type Pools } from './pools.ts';
import type { ServerIdentity } from './server-identity.ts';

/** A replica that is further behind is left out, in milliseconds. */
export const maxLag = 2_000;
/** Of how many tags it is remembered when they were told: more than a site tells within the lag of a replica. */
const mostTags = 10_000;
const pageBytes = 8_192n;
const longestPageHeader = 40n;

/** What a server that was named as a replica is instead: the primary, one that takes writes beside it, or one of another database. */
export type ReplicaMismatch = 'primary' | 'other_primary' | 'other_database';

/** A server that has what the primary had a moment ago. */
export class Replica {
  /** Statements that it failed to answer, for whatever reason. */
  failures = 0;
  /** The latest moment of which it is known to have all that was committed, by `performance.now()`. */
  asOf = Number.NEGATIVE_INFINITY;
  /** The newest invalidation of shared pages by then (decision W10), whose write it has. */
  invalidation = 0;
  /** What it said when it was last asked; undefined: nothing yet. */
  identity: ServerIdentity | undefined;
  #pools: Pools | undefined;

  constructor(
    readonly url: string,
    private readonly connections: { max: number; maxUnprepared: number },
  ) {}

  get db(): Database {
    return this.#open().db;
  }

  get unpreparedDb(): Database {
    return this.#open().unpreparedDb;
  }

  /** Whether it answered when it was last asked. */
  get isAnswering(): boolean {
    return this.asOf > Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds that it may be behind. */
  get lag(): number {
    return performance.now() - this.asOf;
  }

  /** Whether it may be read from. */
  get isClose(): boolean {
    return this.lag <= maxLag;
  }

  /** Whoever waits for it hears so at once, and asks the primary. */
  disconnect(): void {
    this.asOf = Number.NEGATIVE_INFINITY;
    this.#pools?.end(0).catch(() => {});
    this.failures += 1;
    this.#pools = undefined;
  }

  async end(timeout: number): Promise<void> {
    await this.#pools?.end(timeout);
  }

  #open(): Pools {
    this.#pools ??= openPools(this.url, {
      ...this.connections,
      names: { prepared: 'replica', unprepared: 'replica' },
      onFailure: () => {
        this.failures += 1;
      },
    });
    return this.#pools;
  }
}

/** The replicas of a database, and how far they are (decision D12). Moments are by `performance.now()`, positions are of the WAL. */
export class Replicas {
  readonly all: readonly Replica[];
  /** When this process heard of the last write, of the last to each tag, and of the last that may have been to any. */
  #toldAt = Number.NEGATIVE_INFINITY;
  #toldAtByTag = new Map<string, number>();
  #anyToldAt = Number.NEGATIVE_INFINITY;
  #primary: ServerIdentity | undefined;
  #positions: { position: bigint; invalidation: number; at: number }[] = [];
  #turn = 0;

  /** How many connections all of them together may have. */
  readonly connections: number;

  constructor(urls: readonly string[], connections: { max: number; maxUnprepared: number }) {
    this.connections = urls.length * (connections.max + connections.maxUnprepared);
    this.all = urls.map((url) => new Replica(url, connections));
  }

  /** This process heard of a write to these tags; undefined: some may have been missed. */
  noteWrite(tags?: readonly string[]): void {
    const now = performance.now();
    this.#toldAt = now;
    if (tags === undefined || this.#toldAtByTag.size > mostTags) {
      this.#toldAtByTag.clear();
      this.#anyToldAt = now;
    }
    for (const tag of tags ?? []) this.#toldAtByTag.set(tag, now);
  }

  /**
   * Whether what was made from a replica may lack a write that this process has heard of.
   * @param asOf of the replica, before it was asked @param tags of what was made; undefined: it has none, and any write may matter
   */
  mayLack(asOf: number, tags: readonly string[] | undefined): boolean {
    if (tags === undefined) return this.#toldAt >= asOf;
    const isTold = (tag: string) => (this.#toldAtByTag.get(tag) ?? Number.NEGATIVE_INFINITY) >= asOf;
    return this.#anyToldAt >= asOf || tags.some(isTold);
  }

  /** The primary said who it is. */
  notePrimaryIdentity(identity: ServerIdentity): void {
    this.#primary = identity;
  }

  /** What a server is that is none of the replicas of this database; undefined: it is one, as far as is known. */
  mismatchOf({ identity }: Replica): ReplicaMismatch | undefined {
    const primary = this.#primary;
    if (!identity || !primary) return undefined;
    if (identity.startedAt === primary.startedAt) return 'primary';
    if (identity.takesWrites) return 'other_primary';
    const isKnown = identity.database !== undefined && primary.database !== undefined;
    return isKnown && identity.database !== primary.database ? 'other_database' : undefined;
  }

  /**
   * The primary said how far it has come, asked at that moment.
   * @param invalidation the newest of shared pages, read before the position
   */
  notePrimary(position: bigint, invalidation: number, at: number): void {
    this.#positions.push({ position: endOfRecord(position), invalidation, at });
    while ((this.#positions[0]?.at ?? at) < at - 2 * maxLag) this.#positions.shift();
  }

  /** A replica said how far it has come. It has all that the primary had when that was there. */
  noteReplica(replica: Replica, position: bigint): void {
    if (this.mismatchOf(replica)) return;
    const reached = this.#positions.findLast((primary) => primary.position <= position);
    if (!reached || reached.at <= replica.asOf) return;
    replica.asOf = reached.at;
    replica.invalidation = reached.invalidation;
  }

  /** Another server is the primary: where the one before was says nothing of it. */
  forgetPrimary(): void {
    this.#positions = [];
    this.noteWrite();
    for (const replica of this.all) {
      replica.asOf = Number.NEGATIVE_INFINITY;
      replica.identity = undefined;
    }
  }

  /** Ends their connections after running queries have finished, at most `timeout` seconds. */
  async end(timeout: number): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.end(timeout)));
  }

  /** Each in turn of those that may be asked. */
  choose(): Replica | undefined {
    const usable = this.all.filter((replica) => replica.isClose);
    this.#turn += 1;
    return usable[this.#turn % usable.length];
  }
}

/**
 * Where the last record ends. The primary's next position stands behind the header of a page that nothing is written to yet, where a
 * replica that has everything stands before it, as it does after each switch of the file.
 */
function endOfRecord(position: bigint): bigint {
  const offset = position % pageBytes;
  return offset <= longestPageHeader ? position - offset : position;
}
