import { connect } from 'node:net';
import { resolve } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import postgres from 'postgres';
import {
  applyMigrations,
  type Blocker,
  describeBlocker,
  howToEnd,
  minutesOfTrying,
  readBlocker,
  tellInterval,
} from './apply-migrations.ts';
import {
  type AddressSetting,
  hasCode,
  isForbidden,
  isUnreachable,
  parameterRefusal,
  poolerRefusal,
  whyUnreachable,
  withoutPassword,
} from './database-errors.ts';
import { StartupError } from './embedded/startup-error.ts';
import { liftTimeouts } from './lift-timeouts.ts';
import { valueFormats } from './value-formats.ts';

/** Any fixed number: every process that migrates takes this lock, so two at once run one after the other. */
export const migrationLock = 20_250_921;

/**
 * Creates the database when its server does not have it yet (embedded clusters and tests only).
 * @param url address of the wanted database; the server's `postgres` database must be reachable with it
 */
export async function createDatabase(url: string, template?: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const sql = postgres(Object.assign(new URL(url), { pathname: '/postgres' }).href, {
    max: 1,
    onnotice: () => {},
  });
  try {
    const [existing] = await sql`select 1 from pg_database where datname = ${name}`;
    if (!existing) {
      await sql
        .unsafe(`create database "${name}"${template ? ` template "${template}"` : ''}`)
        .catch(ignoreExisting);
    }
  } finally {
    await sql.end();
  }
}

/** Another start made it between the question and the answer. */
function ignoreExisting(error: unknown): void {
  const duplicate = ['42P04', '23505'];
  if (!(error instanceof postgres.PostgresError && duplicate.includes(error.code))) throw error;
}

interface MigrationOptions {
  /** Where the migrations are. */
  folder?: string;
  /** DATA_DIR, where the database is the built-in one; else it is that of DATABASE_URL. */
  dataDir?: string;
  /** By what the operator named the address. */
  setting?: AddressSetting;
  /** Is told now and then whose lock a migration waits for. */
  onWait?: (blocker: Blocker) => void;
}

/**
 * Applies the migrations of `db/migrations` under an advisory lock; safe with several processes, and while others read and write
 * (quality §Safe 16).
 * @throws StartupError when the server cannot be reached, refuses TLS, is not to be trusted or too old, when the database is not in UTF8, was made by
 * an older state of these migrations or is another program's, takes no writes, or makes what is new in another schema than `public`, or
 * when the role lacks a right to create, or when a connection that does nothing keeps the lock of migrations for ten minutes
 */
export async function migrateDatabase(
  url: string,
  { folder = 'db/migrations', dataDir, setting = 'DATABASE_URL', onWait = () => {} }: MigrationOptions = {},
): Promise<void> {
  // The library of the jobs verifies a certificate whichever way TLS is asked for: refused here, nothing has been migrated yet.
  const ssl = postgres(url).options.ssl && 'verify-full';
  const sql = postgres(url, {
    max: 1,
    ssl,
    connect_timeout: 5,
    // The lock of migrations is that of the session, however long they take.
    idle_timeout: 0,
    max_lifetime: null,
    connection: valueFormats,
    onnotice: () => {},
  });
  try {
    await inTime(refuseOldServer(sql));
    await refuseOtherEncoding(sql);
    await liftTimeouts(sql, 'session');
    await takeMigrationLock(sql, onWait);
    if (await isOfOlderState(sql, folder)) throw new StartupError(whatToDoInstead(url, setting, dataDir));
    await refuseStrangers(sql, url, setting);
    await applyMigrations(sql, { url, folder, onWait });
    await sql`select pg_advisory_unlock(${migrationLock})`;
  } catch (error) {
    if (await refusesTls(error, sql)) throw new StartupError(whatToDoAboutTls(url, setting));
    const unknown = parameterRefusal(error);
    if (unknown !== undefined) throw new StartupError(whatToDoAboutParameter(url, setting, unknown));
    const refusal = poolerRefusal(error);
    if (refusal !== undefined) throw new StartupError(whatToDoAboutPooler(url, setting, refusal));
    if (isUnreachable(error)) throw new StartupError(whyUnreachable(error, url, setting));
    if (isForbidden(error)) await refusePowerless(sql);
    if (hasCode(error, (code) => code === '25006'))
      throw new StartupError(
        `The database at ${withoutPassword(url)} takes no writes: it is a replica, or has default_transaction_read_only switched on. Check ${setting}.`,
      );
    throw error;
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** Milliseconds that starts at once wait for each other, of which there is nothing to tell. */
const usualWait = 3_000;

/**
 * Asks again and again: an index that is made beside writers waits for every statement that runs, also one that waits for this lock.
 * Such an index, and a restore, may take hours: whoever is at work is waited for.
 */
async function takeMigrationLock(sql: postgres.Sql, onWait: (blocker: Blocker) => void): Promise<void> {
  const end = performance.now() + minutesOfTrying * 60_000;
  let tellAt = performance.now() + usualWait;
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${migrationLock}) as taken`;
    if (row?.taken) return;
    if (performance.now() > tellAt) {
      const holder = await readBlocker(
        sql,
        sql`any(select pid from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())
          and classid = 0 and objid = ${migrationLock} and objsubid = 1)`,
      );
      if (holder && !holder.isBusy && performance.now() > end)
        throw new StartupError(
          `A start waited for ${minutesOfTrying} minutes for the lock of migrations, which ${describeBlocker(holder)} holds without doing anything. ${howToEnd(holder)}`,
        );
      if (holder) onWait({ ...holder, isMigrating: true });
      tellAt = performance.now() + tellInterval;
    }
    await Bun.sleep(100);
  }
}

/**
 * Whether the database has migrations that were replaced since, as those before the first release were. Ones that are newer
 * than all of `folder` are a later release's: it only added to what there is, and its processes may run beside this one.
 */
async function isOfOlderState(sql: postgres.Sql, folder: string): Promise<boolean> {
  if (!(await hasMigrationTable(sql))) return false;
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const newest = Math.max(...migrations.map(({ folderMillis }) => folderMillis));
  const replaced = await sql`
    select from drizzle.__drizzle_migrations
    where created_at <= ${newest} and hash <> all(${migrations.map(({ hash }) => hash)}) limit 1`;
  return replaced.length > 0;
}

/** Tables of another program would meet ours by name. What an extension brought is nobody's. */
async function refuseStrangers(sql: postgres.Sql, url: string, setting: AddressSetting): Promise<void> {
  if (await hasMigrations(sql)) return;
  await refuseOtherSchema(sql);
  const [stranger] = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = coalesce(current_schema(), 'public') and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname limit 1`;
  if (stranger)
    throw new StartupError(
      `The database at ${withoutPassword(url)} is not empty and holds no Byeol (it has ${stranger.name}): set ${setting} to an empty database.`,
    );
}

/**
 * Tables are in `public`, and functions would be made in whichever schema comes first. None comes where the path names only what is
 * not there; a role that may not use `public` is told so by `refusePowerless`.
 */
async function refuseOtherSchema(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ name: string; path: string; first: string | null }[]>`
    select current_database() as name, current_setting('search_path') as path, current_schema() as first
    where current_schema() <> 'public'
      or (current_schema() is null and has_schema_privilege(to_regnamespace('public'), 'USAGE') is not false)`;
  if (row)
    throw new StartupError(
      `What is made in the database ${row.name} goes to ${row.first === null ? 'no schema' : `the schema ${row.first}`} (its search_path is ${row.path}): Byeol needs public. Run ALTER DATABASE "${row.name}" SET search_path = public; the role may have a search_path of its own, too.`,
    );
}

/** A start that failed leaves the table without a row. */
async function hasMigrations(sql: postgres.Sql): Promise<boolean> {
  if (!(await hasMigrationTable(sql))) return false;
  return (await sql`select from drizzle.__drizzle_migrations limit 1`).length > 0;
}

async function hasMigrationTable(sql: postgres.Sql): Promise<boolean> {
  const [table] = await sql<{ exists: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  return table?.exists === true;
}

function whatToDoInstead(url: string, setting: AddressSetting, dataDir: string | undefined): string {
  return dataDir === undefined
    ? `The database at ${withoutPassword(url)} was made by an older state of Byeol, which this one cannot take over: set ${setting} to an empty database.`
    : `The database in DATA_DIR ${resolve(dataDir)} was made by an older state of Byeol, which this one cannot take over: move that folder away and start again.`;
}

/** The oldest major version of PostgreSQL that the tests know. */
const oldestVersion = 16;

async function refuseOldServer(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<
    { version: number }[]
  >`select current_setting('server_version_num')::int / 10000 as version`;
  if (row && row.version < oldestVersion)
    throw new StartupError(
      `The database is PostgreSQL ${row.version}: Byeol needs ${oldestVersion} or newer.`,
    );
}

async function refuseOtherEncoding(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ name: string; encoding: string }[]>`
    select current_database() as name, current_setting('server_encoding') as encoding`;
  if (row && row.encoding !== 'UTF8')
    throw new StartupError(
      `The database ${row.name} is in ${row.encoding}: Byeol needs UTF8; create it with ENCODING 'UTF8'.`,
    );
}

/** Names the rights that the migrations need and the role does not have; says nothing when it has them. */
async function refusePowerless(sql: postgres.Sql): Promise<void> {
  const missing = await sql<{ role: string; name: string; statement: string }[]>`
    select current_user as role, current_database() as name, statement from (
      select 1 as place, format('GRANT CREATE ON DATABASE %I TO %I;', current_database(), current_user) as statement
      where not has_database_privilege(current_database(), 'CREATE')
      union all
      select 2, format('GRANT USAGE, CREATE ON SCHEMA %I TO %I;', nspname, current_user) from pg_namespace
      where nspname = coalesce(current_schema(), 'public') and not has_schema_privilege(oid, 'CREATE')
    ) as needed order by place`;
  const [first] = missing;
  if (!first) return;
  const statements = missing.map(({ statement }) => statement).join(' ');
  throw new StartupError(
    `The role ${first.role} may not create what Byeol needs: as the owner of the database ${first.name}, run in it ${statements}`,
  );
}

/** `SSLRequest` of PostgreSQL's protocol: its length, then its code. A server without TLS answers the one byte `N`. */
const sslRequest = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47);

/**
 * Whether the connection broke off because TLS was wanted and the server has none. postgres.js begins TLS after a no as well, so
 * the server is asked once more; neither user nor password is sent.
 */
function refusesTls(error: unknown, { options: { ssl, host, port } }: postgres.Sql): Promise<boolean> {
  const [hostname, number] = [host[0], port[0]];
  if (
    !ssl ||
    hostname === undefined ||
    number === undefined ||
    !hasCode(error, (code) => code === 'ECONNRESET')
  )
    return Promise.resolve(false);
  return new Promise((done) => {
    const socket = connect(number, hostname, () => socket.write(sslRequest));
    const answer = (isNo: boolean) => {
      socket.destroy();
      done(isNo);
    };
    socket.setTimeout(answerTimeout, () => answer(false));
    socket.once('data', ([byte]: Uint8Array) => answer(byte === 'N'.charCodeAt(0)));
    socket.once('error', () => answer(false));
    socket.once('close', () => answer(false));
  });
}

const whatToDoAboutParameter = (url: string, setting: AddressSetting, refusal: string) =>
  `The server of ${withoutPassword(url)} refuses what stands behind the question mark of ${setting}, and says "${refusal}": correct it or take it out there.`;

const whatToDoAboutPooler = (url: string, setting: AddressSetting, refusal: string) =>
  `${setting} leads to a pooler at ${withoutPassword(url)}, which says "${refusal}": ${
    setting === 'DATABASE_URL'
      ? 'set DATABASE_DIRECT_URL to the address of the database itself, past the pooler.'
      : 'it must lead past the pooler, to the database itself, and DATABASE_URL to the pooler.'
  }`;

const whatToDoAboutTls = (url: string, setting: AddressSetting) =>
  `The server of ${withoutPassword(url)} refuses TLS, which ${setting} asks for: switch it on there, or take ssl and sslmode out of ${setting}.`;

/** How long a server may take to answer at all, in milliseconds. */
const answerTimeout = 6_000;

/**
 * What postgres.js leaves out: its own limit is for a connection, and begins anew with each that something else than PostgreSQL
 * takes and closes; one that a host drops without a word outlives it.
 */
export async function inTime<Answer>(answer: Promise<Answer>, timeout = answerTimeout): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error('The server does not answer.'), { code: 'CONNECT_TIMEOUT' })),
    timeout,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
