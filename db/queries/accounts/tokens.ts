import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import { accountTokens, sessions, type TokenKind, users } from '../../schema/accounts.ts';
import { calendarLinks } from '../../schema/reminders.ts';
import { derived, execute, nameOf, notNull, type RowOf } from '../../sql.ts';

const addresseeFields = {
  id: users.id,
  username: users.username,
  email: notNull(users.email),
  emailKey: notNull(users.emailKey),
  language: users.language,
  verified: sql<boolean>`${users.emailVerifiedAt} is not null`,
};

/** Whom a letter about an account goes to. */
type Addressee = RowOf<typeof addresseeFields>;

/** The account of an id or of an address of mail that can log in; undefined when there is none. */
export async function findAddressee(by: {
  userId?: number | undefined;
  emailKey?: string | undefined;
}): Promise<Addressee | undefined> {
  const { userId, emailKey } = by;
  const isAddressee = or(
    userId === undefined ? undefined : eq(users.id, userId),
    emailKey === undefined ? undefined : eq(users.emailKey, emailKey),
  );
  const [addressee] = await database()
    .select(addresseeFields)
    .from(users)
    .where(
      and(
        isAddressee ?? sql`false`,
        isNotNull(users.email),
        isNotNull(users.passwordHash),
        isNull(users.deletedAt),
      ),
    );
  return addressee;
}

interface NewToken {
  /** SHA-256 of the token. */
  hash: string;
  userId: number;
  kind: TokenKind;
  emailKey: string;
  /** Minutes for which it works, by the database's clock. */
  minutes: number;
}

/** Stores a token. */
export async function insertToken({ minutes, ...token }: NewToken): Promise<void> {
  await database()
    .insert(accountTokens)
    .values({ ...token, expiresAt: sql`now() + make_interval(mins => ${minutes}::int)` });
}

/** True for a token that still proves what it says; goes with its account. */
const isValid = (hash: string, kind: TokenKind) =>
  and(
    eq(accountTokens.hash, hash),
    eq(accountTokens.kind, kind),
    gt(accountTokens.expiresAt, sql`now()`),
    eq(users.emailKey, accountTokens.emailKey),
    isNull(users.deletedAt),
  );

/** Whose token it is, without using it up; undefined for one that is unknown, used or too old. */
export async function findTokenOwner(
  hash: string,
  kind: TokenKind,
): Promise<{ username: string; email: string } | undefined> {
  const [owner] = await database()
    .select({ username: users.username, email: notNull(users.email) })
    .from(accountTokens)
    .innerJoin(users, eq(users.id, accountTokens.userId))
    .where(isValid(hash, kind));
  return owner;
}

const valid = derived('valid', { userId: accountTokens.userId });
const spent = derived('spent', { userId: accountTokens.userId, hash: accountTokens.hash });

const validToken = (hash: string, kind: TokenKind): SQL => sql`
  select ${valid.columns} from ${accountTokens} join ${users} on ${users.id} = ${accountTokens.userId}
  where ${isValid(hash, kind)}`;

/**
 * Uses a token up for a new password: every session, the private calendar address and every other token of that kind ends, and
 * the address is proven, too. Of several that come together one wins. Sessions end by a statement of their own, once the account is
 * locked: who logs in meanwhile has opened one by then, or finds the new password (`isPasswordOf`).
 * @param db a transaction
 * @returns the account, or undefined when the token is not good (any more)
 */
export async function resetPasswordByToken(
  hash: string,
  passwordHash: string,
  db: Transaction,
): Promise<{ id: number; emailKey: string } | undefined> {
  const owner = sql`(select ${spent.fields.userId} from ${spent.name})`;
  const [account] = await execute(
    { id: users.id, emailKey: notNull(users.emailKey) },
    (columns) => sql`
      with ${valid.name} as (${validToken(hash, 'reset')}),
      ${spent.name} as (
        delete from ${accountTokens} where ${accountTokens.hash} = ${hash} and exists (select from ${valid.name})
        returning ${spent.columns}),
      others as (
        delete from ${accountTokens}
        where ${accountTokens.kind} = 'reset' and ${accountTokens.hash} <> ${hash} and ${accountTokens.userId} in ${owner}),
      unlinked as (delete from ${calendarLinks} where ${calendarLinks.userId} in ${owner})
      update ${users} set ${nameOf(users.passwordHash)} = ${passwordHash},
        ${nameOf(users.emailVerifiedAt)} = coalesce(${users.emailVerifiedAt}, now())
      where ${users.id} in ${owner} returning ${columns}`,
    db,
  );
  if (account) await db.delete(sessions).where(eq(sessions.userId, account.id));
  return account;
}

/**
 * Uses a token up for the proof that its reader owns the address.
 * @returns false when the token is not good (any more)
 */
export async function verifyEmailByToken(hash: string): Promise<boolean> {
  const accounts = await execute(
    { id: users.id },
    (columns) => sql`
      with ${valid.name} as (${validToken(hash, 'verify')}),
      ${spent.name} as (
        delete from ${accountTokens}
        where ${accountTokens.kind} = 'verify' and ${accountTokens.userId} in (select ${valid.fields.userId} from ${valid.name})
        returning ${spent.columns})
      update ${users} set ${nameOf(users.emailVerifiedAt)} = coalesce(${users.emailVerifiedAt}, now())
      where ${users.id} in (select ${spent.fields.userId} from ${spent.name} where ${spent.fields.hash} = ${hash})
      returning ${columns}`,
  );
  return accounts.length > 0;
}
