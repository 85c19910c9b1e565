import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { Role } from '../schema/accounts.ts';
import type { Executor } from './audit.ts';

/** An account as its owner sees it. */
export interface AccountRow {
  id: number;
  username: string;
  displayName: string | null;
  email: string | null;
  emailVerified: boolean;
  role: Role;
  language: Lang;
  profileImageUrl: string | null;
  createdAt: Date;
}

type Stored<Row> = Record<string, unknown> & Omit<Row, 'createdAt'> & { createdAt: string };

const columns = sql`id, username, display_name as "displayName", email,
  email_verified_at is not null as "emailVerified", role, language,
  profile_image_url as "profileImageUrl", created_at as "createdAt"`;

const read = <Row extends { createdAt: string }>(row: Row) => ({
  ...row,
  createdAt: new Date(row.createdAt),
});

/** An account, or undefined for an unknown or deleted one. */
export async function findAccount(id: number): Promise<AccountRow | undefined> {
  const [row] = await database().execute<Stored<AccountRow>>(
    sql`select ${columns} from users where id = ${id} and deleted_at is null`,
  );
  return row && read(row);
}

export interface LoginRow extends AccountRow {
  passwordHash: string;
}

/** The account with this e-mail key that can log in, with its argon2id hash. */
export async function findLogin(emailKey: string): Promise<LoginRow | undefined> {
  const [row] = await database().execute<Stored<LoginRow>>(sql`
    select ${columns}, password_hash as "passwordHash" from users
    where email_key = ${emailKey} and password_hash is not null and deleted_at is null`);
  return row && read(row);
}

/** The hash of an account's password; undefined when it has none. */
export async function findPasswordHash(id: number): Promise<string | undefined> {
  const [row] = await database().execute<{ hash: string | null }>(
    sql`select password_hash as hash from users where id = ${id} and deleted_at is null`,
  );
  return row?.hash ?? undefined;
}

/** Which of the two belongs to an account already; deleted ones keep theirs. */
export async function findTaken(
  usernameKey: string,
  emailKey: string,
): Promise<'username' | 'email' | undefined> {
  const [row] = await database().execute<{ email: boolean; username: boolean }>(sql`
    select exists (select from users where email_key = ${emailKey}) as email,
      exists (select from users where username_key = ${usernameKey}) as username`);
  return row?.email ? 'email' : row?.username ? 'username' : undefined;
}

export interface NewFan {
  username: string;
  usernameKey: string;
  email: string;
  emailKey: string;
  displayName: string | null;
  passwordHash: string;
  language: Lang;
}

/** Makes an account with the role of a fan; undefined when the name or the address was taken meanwhile. */
export async function insertFan(fan: NewFan, db: Executor = database()): Promise<AccountRow | undefined> {
  const [row] = await db.execute<Stored<AccountRow>>(sql`
    insert into users (username, username_key, email, email_key, display_name, password_hash, language, role)
    values (${fan.username}, ${fan.usernameKey}, ${fan.email}, ${fan.emailKey}, ${fan.displayName},
      ${fan.passwordHash}, ${fan.language}, 'user')
    on conflict do nothing returning ${columns}`);
  return row && read(row);
}

export interface AccountChange {
  /** null: none any more; undefined: as it is. */
  displayName?: string | null | undefined;
  language?: Lang | undefined;
  /** The new hash; it is written only while the old one is still there. */
  password?: { oldHash: string; newHash: string } | undefined;
}

/**
 * Changes an account; a new password ends every session but `sessionId` and the private calendar address, which
 * whoever had the old one may have made, in the same statement.
 * @returns the account, or undefined when it is gone or its password was changed meanwhile
 */
export async function updateAccount(
  id: number,
  sessionId: string,
  { displayName, language, password }: AccountChange,
): Promise<AccountRow | undefined> {
  const [row] = await database().execute<Stored<AccountRow>>(sql`
    with changed as (
      update users set language = coalesce(${language ?? null}, language),
        display_name = case when ${displayName !== undefined} then ${displayName ?? null} else display_name end,
        password_hash = coalesce(${password?.newHash ?? null}, password_hash)
      where id = ${id} and deleted_at is null
        and (${password === undefined} or password_hash = ${password?.oldHash ?? null})
      returning *),
    forgotten as (
      delete from account_tokens where ${password !== undefined} and kind = 'reset' and user_id in (select id from changed)),
    unlinked as (
      delete from calendar_links where ${password !== undefined} and user_id in (select id from changed)),
    ended as (
      delete from sessions where ${password !== undefined} and id <> ${sessionId} and user_id in (select id from changed))
    select ${columns} from changed`);
  return row && read(row);
}

/** The stars in whose channels an account has written. One statement. */
export async function listWrittenChannels(id: number): Promise<number[]> {
  const rows = await database().execute<{ starId: number }>(sql`
    select c.star_id as "starId" from channels c
    where exists (select from messages m where m.channel_id = c.id and m.user_id = ${id})`);
  return rows.map(({ starId }) => starId);
}

/** Tries without a pause in an hour, then the pause after each, which doubles. */
const freeTries = 25;
const firstPause = 30;
/** The owner on a device of his own is not paused, on a new one no longer than this at a time. */
const longestPause = 900;

const triesKey = (account: string) => `login-tries:${account}`;
const pauseKey = (account: string) => `login-pause:${account}`;

export interface LoginTry {
  /** Seconds; 0: this try may be made. */
  wait: number;
  /** The hour in which it was counted, and the end of the pause that follows it; null where there is none. */
  hour: string | null;
  pause: string | null;
}

/**
 * Counts a try to log in to an account (decision S7): 25 an hour are free, every further one is followed by a pause of
 * 30 s, 60 s, 120 s … 15 minutes. Tries within a pause are not counted. A pause is a row whose window starts when it ends.
 * @param account a name of fixed length for what was typed, whether there is such an account or not
 */
export function takeLoginTry(account: string): Promise<LoginTry> {
  return database().transaction(async (tx) => {
    // Tries that arrive together queue here, else all of them would find no pause.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pauseKey(account)}, 0))`);
    const [row] = await tx.execute<Record<string, unknown> & LoginTry>(sql`
      with pause as (
        select ceil(extract(epoch from max(window_start) - now()))::int as seconds
        from rate_limits where key = ${pauseKey(account)} and window_start > now()),
      tried as (
        insert into rate_limits as r (key, window_start)
        select ${triesKey(account)}, date_trunc('hour', now()) from pause where seconds is null
        on conflict (key, window_start) do update set count = r.count + 1 returning count, window_start),
      paused as (
        insert into rate_limits (key, window_start)
        select ${pauseKey(account)}, now() + make_interval(secs =>
          least(${longestPause}::float8, ${firstPause}::float8 * 2 ^ least(count - ${freeTries}::int, 20)))
        from tried where count >= ${freeTries}::int
        on conflict do nothing returning window_start)
      select coalesce((select seconds from pause), 0) as wait, (select window_start from tried) as hour,
        (select window_start from paused) as pause`);
    return row ?? { wait: 0, hour: null, pause: null };
  });
}

/** Takes back a try that succeeded, and the pause after it: those of others stay. */
export async function giveBackLoginTry(account: string, { hour, pause }: LoginTry): Promise<void> {
  await database().execute(sql`
    with ended as (delete from rate_limits where key = ${pauseKey(account)} and window_start = ${pause}::timestamptz)
    update rate_limits set count = count - 1 where key = ${triesKey(account)} and window_start = ${hour}::timestamptz and count > 0`);
}

/** Forgets the tries of strangers at an account: its owner proved the address of mail, and the password is another. */
export async function forgetLoginTries(account: string): Promise<void> {
  await database().execute(
    sql`delete from rate_limits where key in (${triesKey(account)}, ${pauseKey(account)})`,
  );
}
