import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import { accountTokens, type TokenKind, users } from '../../schema/accounts.ts';
import { derived, execute, nameOf, notNull, type RowOf } from '../../sql.ts';
import { endOldPasswordAccess } from './old-password.ts';

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
const spent = derived('spent', { userId: accountTokens.userId });

const validToken = (hash: string, kind: TokenKind): SQL => sql`
  select ${valid.columns} from ${accountTokens} join ${users} on ${users.id} = ${accountTokens.userId}
  where ${isValid(hash, kind)}`;

/**
 * Uses a token up for a new password: what the old one opened ends (`endOldPasswordAccess`), and the address is proven, too. Of several
 * that come together one wins.
 * @param db a transaction
 * @returns the account, or undefined when the token is not good (any more)
 */
export async function resetPasswordByToken(
  hash: string,
  passwordHash: string,
  db: Transaction,
): Promise<{ id: number; emailKey: string } | undefined> {
  const [account] = await execute(
    { id: users.id, emailKey: notNull(users.emailKey) },
    (columns) => sql`
      with ${valid.name} as (${validToken(hash, 'reset')}),
      ${spent.name} as (
        delete from ${accountTokens} where ${accountTokens.hash} = ${hash} and exists (select from ${valid.name})
        returning ${spent.columns})
      update ${users} set ${nameOf(users.passwordHash)} = ${passwordHash},
        ${nameOf(users.emailVerifiedAt)} = coalesce(${users.emailVerifiedAt}, now())
      where ${users.id} in (select ${spent.fields.userId} from ${spent.name}) returning ${columns}`,
    db,
  );
  if (account) await endOldPasswordAccess(db, account.id);
  return account;
}

/**
 * Takes a token for the proof that its reader owns the address. It works until it is too old: whoever presses again, because the answer
 * was lost, finds it done.
 * @returns false when the token is not good (any more)
 */
export async function verifyEmailByToken(hash: string): Promise<boolean> {
  const accounts = await execute(
    { id: users.id },
    (columns) => sql`
      with ${valid.name} as (${validToken(hash, 'verify')})
      update ${users} set ${nameOf(users.emailVerifiedAt)} = coalesce(${users.emailVerifiedAt}, now())
      where ${users.id} in (select ${valid.fields.userId} from ${valid.name}) returning ${columns}`,
  );
  return accounts.length > 0;
}
