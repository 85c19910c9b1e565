import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { TokenKind } from '../schema/accounts.ts';
import type { Executor } from './audit.ts';

/** Whom a letter about an account goes to. */
export interface Addressee {
  id: number;
  username: string;
  email: string;
  emailKey: string;
  language: Lang;
  verified: boolean;
}

/** The account of an id or of an address of mail that can log in; undefined when there is none. */
export async function findAddressee(by: {
  userId?: number | undefined;
  emailKey?: string | undefined;
}): Promise<Addressee | undefined> {
  const [row] = await database().execute<Record<string, unknown> & Addressee>(sql`
    select id, username, email, email_key as "emailKey", language, email_verified_at is not null as verified
    from users where (id = ${by.userId ?? null} or email_key = ${by.emailKey ?? null})
      and email is not null and password_hash is not null and deleted_at is null`);
  return row;
}

export interface NewToken {
  /** SHA-256 of the token. */
  hash: string;
  userId: number;
  kind: TokenKind;
  emailKey: string;
  /** Minutes for which it works, by the database's clock. */
  minutes: number;
}

/** Stores a token and forgets those of everybody that are too old. */
export async function insertToken({ hash, userId, kind, emailKey, minutes }: NewToken): Promise<void> {
  await database().execute(sql`
    with old as (delete from account_tokens where expires_at < now())
    insert into account_tokens (hash, user_id, kind, email_key, expires_at)
    values (${hash}, ${userId}, ${kind}, ${emailKey}, now() + make_interval(mins => ${minutes}::int))`);
}

const alive = (hash: string, kind: TokenKind) => sql`
  select t.user_id, t.email_key from account_tokens t join users u on u.id = t.user_id
  where t.hash = ${hash} and t.kind = ${kind} and t.expires_at > now()
    and u.email_key = t.email_key and u.deleted_at is null`;

/** Whose token it is, without using it up; undefined for one that is unknown, used or too old. */
export async function findTokenOwner(
  hash: string,
  kind: TokenKind,
): Promise<{ username: string; email: string } | undefined> {
  const [row] = await database().execute<{ username: string; email: string }>(sql`
    select username, email from users where id in (select user_id from (${alive(hash, kind)}) a)`);
  return row;
}

/**
 * Uses a token up for a new password: every session, the private calendar address and
 * every other token of that kind ends, and the address is proven,
 * too. One statement; of several that come together one wins.
 * @returns the account, or undefined when the token is not good (any more)
 */
export async function spendOnPassword(
  hash: string,
  passwordHash: string,
  db: Executor = database(),
): Promise<{ id: number; emailKey: string } | undefined> {
  const [row] = await db.execute<{ id: number; emailKey: string }>(sql`
    with good as (${alive(hash, 'reset')}),
    spent as (delete from account_tokens where hash = ${hash} and exists (select from good) returning user_id),
    others as (delete from account_tokens where kind = 'reset' and hash <> ${hash}
      and user_id in (select user_id from spent)),
    ended as (delete from sessions where user_id in (select user_id from spent)),
    unlinked as (delete from calendar_links where user_id in (select user_id from spent))
    update users set password_hash = ${passwordHash}, email_verified_at = coalesce(email_verified_at, now())
    where id in (select user_id from spent) returning id, email_key as "emailKey"`);
  return row;
}

/**
 * Uses a token up for the proof that its reader owns the address.
 * @returns false when the token is not good (any more)
 */
export async function spendOnVerification(hash: string): Promise<boolean> {
  const rows = await database().execute(sql`
    with good as (${alive(hash, 'verify')}),
    spent as (delete from account_tokens where kind = 'verify' and user_id in (select user_id from good)
      returning user_id, hash)
    update users set email_verified_at = coalesce(email_verified_at, now())
    where id in (select user_id from spent where hash = ${hash}) returning 1`);
  return rows.length > 0;
}
