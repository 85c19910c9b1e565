import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { type Database, database } from '../../client.ts';
import { rateLimits, users } from '../../schema/accounts.ts';
import { execute, nameOf, namesOf, notNull, type RowOf } from '../../sql.ts';
import { endOldPasswordAccess } from './old-password.ts';

const accountFields = {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  email: users.email,
  emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
  role: users.role,
  language: users.language,
  profileImageUrl: users.profileImageUrl,
  createdAt: users.createdAt,
};

/** An account as its owner sees it. */
export type AccountRow = RowOf<typeof accountFields>;

/** An account, or undefined for an unknown or deleted one. */
export async function findAccount(id: number): Promise<AccountRow | undefined> {
  const [account] = await database()
    .select(accountFields)
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)));
  return account;
}

interface LoginRow extends AccountRow {
  passwordHash: string;
}

/** The account with this e-mail key that can log in, with its argon2id hash. */
export async function findLogin(emailKey: string): Promise<LoginRow | undefined> {
  const [account] = await database()
    .select({ ...accountFields, passwordHash: notNull(users.passwordHash) })
    .from(users)
    .where(and(eq(users.emailKey, emailKey), isNotNull(users.passwordHash), isNull(users.deletedAt)));
  return account;
}

/** Whether this is still the hash of an account's password, once nobody is changing it. */
export async function isPasswordOf(id: number, hash: string): Promise<boolean> {
  const accounts = await database()
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.passwordHash, hash), isNull(users.deletedAt)))
    .for('share');
  return accounts.length > 0;
}

/** The hash of an account's password; undefined when it has none. */
export async function findPasswordHash(id: number): Promise<string | undefined> {
  const [account] = await database()
    .select({ hash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)));
  return account?.hash ?? undefined;
}

/** Which of the two belongs to an account already; deleted ones keep theirs. */
export async function findTakenField(
  usernameKey: string,
  emailKey: string,
): Promise<'username' | 'email' | undefined> {
  const [isTaken] = await execute(
    {
      email: sql<boolean>`exists (select from ${users} where ${users.emailKey} = ${emailKey})`,
      username: sql<boolean>`exists (select from ${users} where ${users.usernameKey} = ${usernameKey})`,
    },
    (columns) => sql`select ${columns}`,
  );
  return isTaken?.email ? 'email' : isTaken?.username ? 'username' : undefined;
}

interface NewFan {
  username: string;
  usernameKey: string;
  email: string;
  emailKey: string;
  displayName: string | null;
  passwordHash: string;
  language: Lang;
}

/** Makes an account with the role of a fan; undefined when the name or the address was taken meanwhile. */
export async function insertFan(
  fan: NewFan,
  db: Pick<Database, 'insert'> = database(),
): Promise<AccountRow | undefined> {
  const [account] = await db
    .insert(users)
    .values({ ...fan, role: 'user' })
    .onConflictDoNothing()
    .returning(accountFields);
  return account;
}

export interface AccountChange {
  /** null: none any more; undefined: as it is. */
  displayName?: string | null | undefined;
  language?: Lang | undefined;
  /** The new hash; it is written only while the old one is still there. */
  password?: { oldHash: string; newHash: string } | undefined;
}

/**
 * Changes an account; a new password ends what the old one opened (`endOldPasswordAccess`), but for `sessionId`.
 * @returns the account, or undefined when it is gone or its password was changed meanwhile
 */
export function updateAccount(
  id: number,
  sessionId: string,
  { displayName, language, password }: AccountChange,
): Promise<AccountRow | undefined> {
  return database().transaction(async (tx) => {
    const [account] = await tx
      .update(users)
      // What is undefined stays; one is always written, as a statement that sets nothing is none.
      .set({ displayName, language: language ?? sql`${users.language}`, passwordHash: password?.newHash })
      .where(
        and(
          eq(users.id, id),
          isNull(users.deletedAt),
          password ? eq(users.passwordHash, password.oldHash) : undefined,
        ),
      )
      .returning(accountFields);
    if (account && password) await endOldPasswordAccess(tx, id, sessionId);
    return account;
  });
}

/** Tries without a pause in an hour, then the pause after each, which doubles. */
const freeTries = 25;
const firstPauseSeconds = 30;
/** The owner on a device of his own is not paused, on a new one no longer than this at a time. */
const maxPauseSeconds = 900;

const triesKey = (account: string) => `login-tries:${account}`;
const pauseKey = (account: string) => `login-pause:${account}`;

interface LoginTry {
  /** Seconds; 0: this try may be made. */
  wait: number;
  /** The hour in which it was counted, and the end of the pause that follows it, to the microsecond; null where there is none. */
  hour: string | null;
  pause: string | null;
}

/**
 * Counts a try to log in to an account (decision S7): 25 an hour are free, every further one is followed by a pause of
 * 30 s, 60 s, 120 s … 15 minutes. Tries within a pause are not counted. A pause is a row whose window starts when it ends.
 * @param account a name of fixed length for what was typed, whether there is such an account or not
 */
export function takeLoginTry(account: string): Promise<LoginTry> {
  const target = namesOf(rateLimits.key, rateLimits.windowStart);
  return database().transaction(async (tx) => {
    // Tries that arrive together queue here, else all of them would find no pause.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pauseKey(account)}, 0))`);
    const [loginTry] = await execute(
      {
        wait: sql<number>`coalesce((select seconds from pause), 0)`,
        hour: sql<string | null>`(select hour from tried)`,
        pause: sql<string | null>`(select ends from paused)`,
      },
      (columns) => sql`
        with pause as (
          select ceil(extract(epoch from max(${rateLimits.windowStart}) - now()))::int as seconds
          from ${rateLimits} where ${rateLimits.key} = ${pauseKey(account)} and ${rateLimits.windowStart} > now()),
        tried as (
          insert into ${rateLimits} (${target})
          select ${triesKey(account)}, date_trunc('hour', now()) from pause where seconds is null
          on conflict (${target}) do update set ${nameOf(rateLimits.count)} = ${rateLimits.count} + 1
          returning ${rateLimits.count} as tries, ${rateLimits.windowStart}::text as hour),
        paused as (
          insert into ${rateLimits} (${target})
          select ${pauseKey(account)}, now() + make_interval(secs =>
            least(${maxPauseSeconds}::float8, ${firstPauseSeconds}::float8 * 2 ^ least(tries - ${freeTries}::int, 20)))
          from tried where tries >= ${freeTries}::int
          on conflict do nothing returning ${rateLimits.windowStart}::text as ends)
        select ${columns}`,
      tx,
    );
    return loginTry ?? { wait: 0, hour: null, pause: null };
  });
}

/** Takes back a try that succeeded, and the pause after it: those of others stay. */
export function giveBackLoginTry(account: string, { hour, pause }: LoginTry): Promise<void> {
  const began = (key: string, windowStart: string | null) =>
    and(eq(rateLimits.key, key), eq(rateLimits.windowStart, sql`${windowStart}::timestamptz`));
  return database().transaction(async (tx) => {
    await tx.delete(rateLimits).where(began(pauseKey(account), pause));
    await tx
      .update(rateLimits)
      .set({ count: sql`${rateLimits.count} - 1` })
      .where(and(began(triesKey(account), hour), gt(rateLimits.count, 0)));
  });
}

/** Forgets the tries of strangers at an account: its owner proved the address of mail, and the password is another. */
export async function forgetLoginTries(account: string): Promise<void> {
  await database()
    .delete(rateLimits)
    .where(inArray(rateLimits.key, [triesKey(account), pauseKey(account)]));
}
