import { SQL } from 'bun';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { observeStatement, type Pool } from './statements.ts';

/** A value that a statement is given. */
export type Parameter = string | number | null;
export type Database = PostgresJsDatabase<Record<string, never>> & { $client: postgres.Sql };
/** A transaction, or what else takes the builder's statements. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

interface Connection {
  url: string;
  max: number;
  /** Its server does not answer: nobody asks it. */
  isLost: boolean;
  sql: postgres.Sql;
  db: Database;
  unpreparedSql: postgres.Sql;
  unpreparedDb: Database;
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
/** Milliseconds after which an impatient statement is given up. */
const impatientTimeout = 1_000;
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
 */
export function openDatabase(url: string, max = defaultPoolSize): Database {
  const sql = pool(url, max, { plan_cache_mode: 'force_generic_plan' });
  // Made on first use, so what asks by `database()` alone opens none of them.
  const unpreparedSql = pool(url, Math.min(max, unpreparedConnections));
  const db = drizzle(withObservation(sql, { pool: 'prepared', prepare: true }), { casing: 'snake_case' });
  const unpreparedDb = drizzle(withObservation(unpreparedSql, { pool: 'unprepared' }), {
    casing: 'snake_case',
  });
  const impatientSql = impatientConnection(url);
  const pools = { sql, db, unpreparedSql, unpreparedDb, impatientSql };
  current = { url, max, isLost: false, ...pools };
  return db;
}

function pool(url: string, max: number, settings: Record<string, string> = {}): postgres.Sql {
  return postgres(url, {
    max,
    connect_timeout: 5,
    idle_timeout: 0,
    // Its own pauses grow to 20 seconds, for which a query waits though the server is back.
    backoff: () => 0.1,
    onnotice: () => {},
    // Compiling a statement to machine code costs more than any of ours takes.
    connection: { application_name: 'byeol', statement_timeout: 15_000, jit: 'off', ...settings },
  });
}

const impatientConnection = (url: string): SQL =>
  new SQL(url, {
    max: 1,
    connectionTimeout: 5,
    idleTimeout: 0,
    connection: {
      application_name: 'byeol-pages',
      statement_timeout: String(impatientTimeout),
      jit: 'off',
      plan_cache_mode: 'force_generic_plan',
    },
  });

interface Observation {
  pool: 'prepared' | 'unprepared';
  prepare?: boolean;
}

/**
 * Counts and times what Drizzle asks, and has it prepared: Drizzle tells postgres.js to prepare nothing that it was not given a
 * name for. PostgreSQL would parse and plan our long statements anew each time, which costs several times their execution, and
 * be asked twice, for their shape and for their rows.
 */
function withObservation<Sql extends postgres.Sql | postgres.TransactionSql>(
  sql: Sql,
  observation: Observation,
): Sql {
  const { pool, prepare = false } = observation;
  const unsafe: postgres.Sql['unsafe'] = (query, parameters, options) =>
    observeStatement(pool, query, sql.unsafe(query, parameters, prepare ? { ...options, prepare } : options));
  const replaced: Record<string | symbol, unknown> = { unsafe };
  // Drizzle begins transactions without options.
  if ('begin' in sql) {
    replaced.begin = <T>(action: (tx: postgres.TransactionSql) => Promise<T>) =>
      sql.begin((tx) => action(withObservation(tx, observation)));
  }
  return new Proxy(sql, {
    get: (target, name) => (name in replaced ? replaced[name] : Reflect.get(target, name, target)),
  });
}

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
  return answeringConnection().db;
}

/**
 * The database for statements that must be planned for their own values: a plan for any word of a search cannot know whether it
 * is rare or common, and reads whole tables. Nothing is prepared, so these may come in any number of shapes.
 */
export function unprepared(): Database {
  return answeringConnection().unpreparedDb;
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
  return answeringConnection().sql;
}

/** How many connections each pool may open; none while no database is open. */
export const poolSizes = (): Record<Pool, number> => ({
  prepared: current?.max ?? 0,
  unprepared: current ? Math.min(current.max, unpreparedConnections) : 0,
  impatient: current ? 1 : 0,
});

/** Address of the open database, for libraries that keep connections of their own. */
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
  endPools(current, 0).catch(() => {});
  return true;
}

/**
 * Opens new connections to a database that answers again.
 * @returns whether it was lost until now
 */
export function reconnectDatabase(): boolean {
  if (!current?.isLost) return false;
  openDatabase(current.url, current.max);
  return true;
}

/** Ends the pools after running queries have finished, at most `timeout` seconds. */
export async function closeDatabase(timeout = 5): Promise<void> {
  const closing = current;
  current = undefined;
  if (closing) await endPools(closing, timeout);
}

async function endPools(pools: Connection, timeout: number): Promise<void> {
  const { sql, unpreparedSql, impatientSql } = pools;
  await Promise.all([sql.end({ timeout }), unpreparedSql.end({ timeout }), impatientSql.close({ timeout })]);
}
