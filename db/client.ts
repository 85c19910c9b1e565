import type { SQL } from 'bun';
import type postgres from 'postgres';
import { impatientConnection, type Parameter } from './impatient.ts';
import { type Database, openPools, type Pools } from './pools.ts';
import { replicaInUse } from './shared-read.ts';
import { observeStatement, type Pool } from './statements.ts';

export type { Parameter } from './impatient.ts';
export type { Database } from './pools.ts';
/** A transaction, or what else takes the builder's statements. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

interface Connection {
  url: string;
  pooledUrl: string | undefined;
  max: number;
  /** Its server does not answer: nobody asks it. */
  isLost: boolean;
  pools: Pools;
  impatientSql: SQL;
}

let current: Connection | undefined;

/** Thrown when a query runs before `openDatabase` or after `closeDatabase`: a fault of the caller's order. */
export class DatabaseNotOpen extends Error {
  readonly code = 'database_not_open';
  constructor() {
    super('The database is not open.');
  }
}

/** Thrown when a query would run while the database does not answer (`watch.ts`). */
class DatabaseLost extends Error {
  readonly code = 'database_lost';
  constructor() {
    super('The database does not answer.');
  }
}

const defaultPoolSize = 12;
/** Searches of articles and events share few: each takes a core of the database while it runs. */
const unpreparedConnections = 4;
/**
 * What a process holds besides its pools: three for its jobs, one for the bus, one that watches, and another when that one doubts,
 * and the one of impatient statements.
 */
const otherConnections = 7;
/** With fewer connections a process cannot work. */
export const leastConnections = otherConnections + 4;

/**
 * The connections of the pool in a process that may hold `connections` in all, at least `leastConnections`; undefined: as many as
 * it likes, which are 23.
 */
export function poolSizeOf(connections: number | undefined): number {
  if (connections === undefined) return defaultPoolSize;
  const pooled = connections - otherConnections;
  const size = pooled < 2 * unpreparedConnections ? Math.floor(pooled / 2) : pooled - unpreparedConnections;
  return Math.min(size, defaultPoolSize);
}

/**
 * Opens the process's one connection pool. Connections are made on first use; a lost server is retried by
 * postgres.js, queries in flight fail with `CONNECTION_*` codes that the API answers as 503.
 * @param url `postgres://user:password@host:port/name`
 * @param max connections of the pool
 * @param pooledUrl the same database behind a pooler, which takes what is asked by `database()` and `unprepared()`
 */
export function openDatabase(url: string, max = defaultPoolSize, pooledUrl?: string): Database {
  const pools = openPools(pooledUrl ?? url, {
    max,
    maxUnprepared: unpreparedSizeOf(max),
    names: { prepared: 'prepared', unprepared: 'unprepared' },
    isPooled: pooledUrl !== undefined,
  });
  // Past any pooler, which would have to keep what is prepared.
  current = { url, pooledUrl, max, isLost: false, pools, impatientSql: impatientConnection(url) };
  return pools.db;
}

/** The connections of a second pool, for searches, beside one of `max`. */
export const unpreparedSizeOf = (max: number): number => Math.min(max, unpreparedConnections);

/** The open pools. @throws DatabaseNotOpen, DatabaseLost */
function answeringConnection(): Connection {
  if (!current) throw new DatabaseNotOpen();
  if (current.isLost) throw new DatabaseLost();
  return current;
}

/**
 * The database as Drizzle, the way to ask it. Statements are prepared, and planned once per connection for any values, because
 * planning takes as long as running them. So they come in few shapes: lists are one parameter, limits are literals (`db/sql.ts`).
 */
export function database(): Database {
  return replicaInUse()?.db ?? answeringConnection().pools.db;
}

/**
 * The database for statements that must be planned for their own values: a plan for any word of a search cannot know whether it
 * is rare or common, and reads whole tables. Nothing is prepared, so these may come in any number of shapes.
 */
export function unprepared(): Database {
  return replicaInUse()?.unpreparedDb ?? answeringConnection().pools.unpreparedDb;
}

/**
 * Asks what is given up after a second and holds up nobody else: on a connection of its own, where statements follow each other, and
 * by Bun's client, which takes a third of the work for rows of some kilobytes (decision W10). Prepared, as what `database()` asks.
 */
export async function askImpatiently(text: string, parameters: Parameter[]): Promise<Iterable<unknown>> {
  const query: Promise<unknown[]> = answeringConnection().impatientSql.unsafe(text, parameters);
  return observeStatement('impatient', text, query);
}

/** Asks a statement of `database()` by its text. */
export const askPrepared = (text: string, parameters: Parameter[]): PromiseLike<Iterable<unknown>> =>
  database().$client.unsafe(text, parameters, { prepare: true });

/** The open pool as postgres.js, for LISTEN/NOTIFY, COPY and health checks. */
export function connection(): postgres.Sql {
  return answeringConnection().pools.sql;
}

/** How many connections each pool of the primary may open; none while no database is open. */
export const poolSizes = (): Record<Exclude<Pool, 'replica'>, number> => ({
  prepared: current?.max ?? 0,
  unprepared: current ? unpreparedSizeOf(current.max) : 0,
  impatient: current ? 1 : 0,
});

/** Address of the open database, past any pooler, for libraries that keep connections of their own. */
export function databaseUrl(): string {
  if (!current) throw new DatabaseNotOpen();
  return current.url;
}

/**
 * Ends the connections of a database that does not answer: whoever waits for it hears so at once (`CONNECTION_DESTROYED`), and
 * who asks from now on gets `DatabaseLost`, until `reconnectDatabase`.
 * @returns whether it answered until now
 */
export function disconnectDatabase(): boolean {
  if (!current || current.isLost) return false;
  current.isLost = true;
  endConnection(current, 0).catch(() => {});
  return true;
}

/**
 * Opens new connections to a database that answers again.
 * @param url where it is now
 * @returns whether it was lost until now
 */
export function reconnectDatabase(url: string): boolean {
  if (!current?.isLost) return false;
  openDatabase(url, current.max, current.pooledUrl);
  return true;
}

/** Ends the pools after running queries have finished, at most `timeout` seconds. */
export async function closeDatabase(timeout = 5): Promise<void> {
  const closing = current;
  current = undefined;
  if (closing) await endConnection(closing, timeout);
}

async function endConnection({ pools, impatientSql }: Connection, timeout: number): Promise<void> {
  await Promise.all([pools.end(timeout), impatientSql.close({ timeout })]);
}
