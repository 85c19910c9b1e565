import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { Role } from '../schema/accounts.ts';
import { recordDecision } from './audit.ts';

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
 * Makes the account of an e-mail address an admin's, with a new password, ends its sessions, and notes it.
 * @param emailKey the address in its unique form (`accountKey`)
 * @param language of its letters from now on; as it was when it is not given
 * @returns its username; undefined when nobody has that address
 */
export async function promoteAccount(
  emailKey: string,
  passwordHash: string,
  language?: Lang,
): Promise<string | undefined> {
  return database().transaction(async (tx) => {
    const [person] = await tx.execute<{ id: number; role: Role; username: string }>(
      sql`select id, role, username from users where email_key = ${emailKey} for update`,
    );
    if (!person) return undefined;
    const { id, role, username } = person;
    await tx.execute(sql`update users set role = 'admin', password_hash = ${passwordHash}, deleted_at = null,
      language = coalesce(${language ?? null}, language) where id = ${id}`);
    await tx.execute(sql`delete from sessions where user_id = ${id}`);
    await recordDecision(tx, {
      actorId: null,
      action: 'user.role',
      subject: 'user',
      subjectId: id,
      details: { from: role, to: 'admin', username },
    });
    return username;
  });
}
