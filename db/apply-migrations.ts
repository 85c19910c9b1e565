import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import postgres from 'postgres';
import { StartupError } from './embedded/startup-error.ts';
import { lockWait, waitForLocksUntil } from './lock-wait.ts';
import { proveBounds } from './partitions/prove.ts';

/** Milliseconds between two tries, in which those who waited behind the first are served. */
const pauseAfterTry = 1_000;
/** Minutes of trying, after which whoever upgrades is needed. */
export const minutesOfTrying = 10;
/** Milliseconds between two looks at what holds a lock, and between two times that it is told. */
const lookInterval = 500;
export const tellInterval = 10_000;

/** Whose lock a migration waits for. */
export interface Blocker {
  /** Of PostgreSQL: what `pg_terminate_backend` ends. */
  pid: number;
  application: string;
  state: string;
  /** It runs a statement, or did a moment ago. */
  isBusy: boolean;
  /** It holds the lock of migrations: it migrates, or restores a backup. */
  isMigrating?: boolean;
  /** How long its transaction lasts. */
  seconds: number;
  /** Its newest statement, without its values. */
  query: string;
}

interface Applying {
  url: string;
  /** Where the migrations are. */
  folder: string;
  /** Is told now and then what a migration waits for. */
  onWait: (blocker: Blocker) => void;
}

/**
 * Applies what is new in a folder of Drizzle's migrations, and keeps account of it as Drizzle does. Not by Drizzle's own `migrate`: it holds
 * the locks of all of them in one transaction, waits for them without end, and cannot make an index while a table is written
 * (decision D14).
 *
 * A migration is a transaction of its own, tried again while somebody else holds a lock. One of nothing but `CREATE INDEX CONCURRENTLY`,
 * `DROP INDEX CONCURRENTLY` and `VALIDATE CONSTRAINT` is none: these take as long as the table is large, and keep nobody waiting.
 * @param sql one connection, which nobody else uses
 * @throws StartupError when a lock is not to be had for ten minutes
 */
export async function applyMigrations(sql: postgres.Sql, { url, folder, onWait }: Applying): Promise<void> {
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  const [newest] = await sql<{ at: string }[]>`
    select created_at as at from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  const pending = readMigrationFiles({ migrationsFolder: folder }).filter(
    ({ folderMillis }) => !newest || Number(newest.at) < folderMillis,
  );
  if (pending.length === 0) return;
  const [self] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const watch = watchBlockers(url, self?.pid ?? 0, onWait);
  const inTries = (action: (tx: postgres.TransactionSql) => Promise<void>) =>
    tryAgain(() => sql.begin(action), watch.newest);
  try {
    const takeBack = await proveBounds(sql, (statement) => inTries((tx) => runAtOnce(tx, [statement])));
    try {
      for (const migration of pending)
        await (migration.sql.every(keepsNobodyWaiting)
          ? applyBesideWriters(sql, migration)
          : inTries(async (tx) => {
              await runAtOnce(tx, migration.sql);
              await remember(tx, migration);
            }));
    } finally {
      await takeBack();
    }
  } finally {
    await watch.end();
  }
}

/** Whether a statement is one that PostgreSQL runs beside those who read and write the table, outside of a transaction. */
export const keepsNobodyWaiting = (statement: string): boolean =>
  /^\s*(?:create\s+(?:unique\s+)?index\s+concurrently|drop\s+index\s+concurrently|alter\s+table\s+\S+\s+validate\s+constraint)\b/i.test(
    statement.replace(/--.*$/gm, ''),
  );

async function applyBesideWriters(sql: postgres.Sql, migration: MigrationMeta): Promise<void> {
  for (const statement of migration.sql) await sql.unsafe(statement);
  await remember(sql, migration);
}

async function tryAgain(
  transaction: () => Promise<void>,
  newestBlocker: () => Blocker | undefined,
): Promise<void> {
  const end = performance.now() + minutesOfTrying * 60_000;
  for (;;) {
    try {
      return await transaction();
    } catch (error) {
      if (!wasKeptFromLock(error)) throw error;
      if (performance.now() > end) throw new StartupError(whatToEnd(newestBlocker()));
    }
    await Bun.sleep(pauseAfterTry);
  }
}

async function runAtOnce(tx: postgres.TransactionSql, statements: readonly string[]): Promise<void> {
  const end = performance.now() + lockWait;
  for (const statement of statements) {
    await waitForLocksUntil(tx, end);
    await tx.unsafe(statement);
  }
}

const remember = (sql: postgres.Sql | postgres.TransactionSql, { hash, folderMillis }: MigrationMeta) =>
  sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;

/** `lock_not_available`, `deadlock_detected` */
const wasKeptFromLock = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && ['55P03', '40P01'].includes(error.code);

function whatToEnd(blocker: Blocker | undefined): string {
  const tried = `A migration tried for ${minutesOfTrying} minutes to lock a table that others use without a pause`;
  return blocker
    ? `${tried}: last it waited for ${describeBlocker(blocker)}. ${howToEnd(blocker)}`
    : `${tried}: start again when there is less to do.`;
}

/**
 * Who holds a lock.
 * @param pids the right side of `pid =`: the connections that hold it
 */
export async function readBlocker(sql: postgres.Sql, pids: postgres.Fragment): Promise<Blocker | undefined> {
  const [blocker] = await sql<Blocker[]>`
    select pid, application_name as application, coalesce(state, backend_type) as state,
      coalesce(state = 'active' or state_change > clock_timestamp() - interval '3 s', true) as "isBusy",
      extract(epoch from clock_timestamp() - coalesce(xact_start, backend_start))::int as seconds,
      left(regexp_replace(query, '''[^'']*''', '…', 'g'), 200) as query
    from pg_stat_activity where pid = ${pids}
    order by wait_event_type = 'Lock', xact_start limit 1`;
  return blocker;
}

/** Who that is, in a sentence for the operator. */
export const describeBlocker = ({ application, state, seconds }: Blocker): string =>
  `${application || 'a connection'} (${state}, ${seconds} s)`;

/** What an operator can do about it. */
export const howToEnd = ({ pid }: Blocker): string =>
  `End that, or run SELECT pg_terminate_backend(${pid}), and start again.`;

/** Looks at what keeps a connection from a lock, on one of its own that is only made when the work takes a while. */
function watchBlockers(url: string, pid: number, onWait: (blocker: Blocker) => void) {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  let newest: Blocker | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    const blocker = await readBlocker(sql, sql`any(pg_blocking_pids(${pid}))`);
    if (!blocker) return;
    newest = blocker;
    if (performance.now() - toldAt < tellInterval) return;
    toldAt = performance.now();
    onWait(blocker);
  };
  // What cannot be looked at is not told; the migration says itself what is wrong.
  const timer = setInterval(() => void look().catch(() => {}), lookInterval);
  return {
    newest: () => newest,
    async end() {
      clearInterval(timer);
      await sql.end({ timeout: 1 });
    },
  };
}
