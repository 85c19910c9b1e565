import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { observeStatement, type Pool } from './statements.ts';
import { pooledFormats, valueFormats } from './value-formats.ts';

export type Database = PostgresJsDatabase<Record<string, never>> & { $client: postgres.Sql };

/** Two ways to ask one server (decision D6). Connections are made on first use. */
export interface Pools {
  sql: postgres.Sql;
  db: Database;
  unpreparedDb: Database;
  /** Ends both after running queries have finished, at most `timeout` seconds. */
  end(timeout: number): Promise<void>;
}

interface PoolOptions {
  /** Connections for what is prepared. */
  max: number;
  /** Connections for what is not. */
  maxUnprepared: number;
  /** How the metrics call them. */
  names: { prepared: Pool; unprepared: Pool };
  /** The address is that of a pooler, which gives each transaction another connection (decision D12). */
  isPooled?: boolean;
  /** Hears of each statement that failed. */
  onFailure?: () => void;
}

/**
 * How long PostgreSQL lets a connection of ours wait, in milliseconds: for a statement, for a lock, and for the next statement of a
 * transaction, whose locks others wait for while its process hangs. A pooler takes none of these; it has its own (docs/operating/database.md).
 */
const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** Opens the pools of a server. A lost one is tried again by postgres.js; queries in flight fail with `CONNECTION_*` codes. */
export function openPools(url: string, options: PoolOptions): Pools {
  const { max, maxUnprepared, names, isPooled = false, onFailure } = options;
  const sql = open(url, max, isPooled, { plan_cache_mode: 'force_generic_plan' });
  // Made on first use, so what asks by `database()` alone opens none of them.
  const unpreparedSql = open(url, maxUnprepared, isPooled);
  const asDrizzle = (client: postgres.Sql, observation: Observation) =>
    drizzle(withObservation(client, observation), { casing: 'snake_case' });
  return {
    sql,
    db: asDrizzle(sql, { pool: names.prepared, prepare: !isPooled, onFailure }),
    unpreparedDb: asDrizzle(unpreparedSql, { pool: names.unprepared, prepare: false, onFailure }),
    async end(timeout) {
      await Promise.all([sql.end({ timeout }), unpreparedSql.end({ timeout })]);
    },
  };
}

function open(
  url: string,
  max: number,
  isPooled: boolean,
  settings: Record<string, string> = {},
): postgres.Sql {
  return postgres(url, {
    max,
    connect_timeout: 5,
    idle_timeout: 0,
    // Its own pauses grow to 20 seconds, for which a query waits though the server is back.
    backoff: () => 0.1,
    onnotice: () => {},
    ...(isPooled ? { prepare: false } : {}),
    connection: {
      application_name: 'byeol',
      // Compiling a statement to machine code costs more than any of ours takes. What a role may have set besides would refuse
      // transactions that ours take turns in by locks.
      ...(isPooled
        ? pooledFormats
        : {
            ...valueFormats,
            ...timeouts,
            jit: 'off',
            default_transaction_isolation: 'read committed',
            ...settings,
          }),
    },
  });
}

interface Observation {
  pool: Pool;
  prepare: boolean;
  onFailure: (() => void) | undefined;
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
  const { pool, prepare, onFailure } = observation;
  const unsafe: postgres.Sql['unsafe'] = (query, parameters, options) =>
    observeStatement(
      pool,
      query,
      sql.unsafe(query, parameters, prepare ? { ...options, prepare } : options),
      onFailure,
    );
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
