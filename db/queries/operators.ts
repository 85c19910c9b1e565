import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

export interface Operators {
  /** Whether anybody has an account. */
  anyone: boolean;
  /** E-mail address of the account that was the first to become an admin's. */
  admin: string | undefined;
}

/** Who may operate the site (decision S1): asked at every start. */
export async function findOperators(): Promise<Operators> {
  const [row] = await database().execute<{ anyone: boolean; admin: string | null }>(sql`
    select exists (select from users) as anyone,
      (select email from users where role = 'admin' and deleted_at is null order by id limit 1) as admin
  `);
  return { anyone: row?.anyone ?? false, admin: row?.admin ?? undefined };
}

/**
 * Makes the account of an e-mail address an admin's, with a new password, and ends its sessions.
 * @param emailKey the address in its unique form (`accountKey`)
 * @returns its username; undefined when nobody has that address
 */
export async function promoteAccount(emailKey: string, passwordHash: string): Promise<string | undefined> {
  const [row] = await database().execute<{ username: string }>(sql`
    with account as (
      update users set role = 'admin', password_hash = ${passwordHash}, deleted_at = null
      where email_key = ${emailKey} returning id, username
    ), ended as (
      delete from sessions where user_id in (select id from account)
    )
    select username from account
  `);
  return row?.username;
}
