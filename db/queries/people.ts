import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import type { Role } from '../schema/accounts.ts';
import { recordDecision } from './audit.ts';
import { contains } from './pattern.ts';

/** An account as an admin sees it in a list. */
export interface PersonRow {
  id: number;
  username: string;
  displayName: string | null;
  email: string | null;
  role: Role;
  createdAt: string;
}

export interface PeopleFilter {
  limit: number;
  offset: number;
  /** In names and e-mail addresses. */
  search?: string | undefined;
  role?: Role | undefined;
}

/** A page of accounts, those with a role first, then the newest, and how many there are. One statement. */
export async function listPeople({
  limit,
  offset,
  search,
  role,
}: PeopleFilter): Promise<{ users: PersonRow[]; total: number }> {
  const found = search
    ? sql`and byeol_fold(username || ' ' || coalesce(display_name, '') || ' ' || coalesce(email, '')) like ${contains(search)}`
    : sql``;
  const where = sql`where deleted_at is null and (${role ?? null}::text is null or role = ${role ?? null}) ${found}`;
  const order = sql`(role = 'admin') desc, (role = 'editor') desc, id desc`;
  const [row] = await database().execute<{ users: PersonRow[]; total: number }>(sql`
    with page as (select * from users ${where} order by ${order} limit ${limit} offset ${offset})
    select (select count(*)::int from users ${where}) as total,
      (select coalesce(json_agg(json_build_object('id', id, 'username', username, 'displayName', display_name,
        'email', email, 'role', role, 'createdAt', created_at) order by ${order}), '[]'::json) from page) as users`);
  return row ?? { users: [], total: 0 };
}

export type RoleChange = { username: string } | 'missing' | 'last_admin';

/**
 * Gives the account of an e-mail address a role and notes it as the operator's act. All admins are locked first, so that
 * the site is never left without one.
 * @param emailKey the address in its unique form (`accountKey`)
 */
export function changeRole(emailKey: string, role: Role): Promise<RoleChange> {
  return database().transaction(async (tx) => {
    const admins = await tx.execute<{ id: number }>(
      sql`select id from users where role = 'admin' and deleted_at is null order by id for update`,
    );
    const [person] = await tx.execute<{ id: number; role: Role; username: string }>(
      sql`select id, role, username from users where email_key = ${emailKey} and deleted_at is null for update`,
    );
    if (!person) return 'missing';
    const { id, username } = person;
    if (person.role === role) return { username };
    if (person.role === 'admin' && admins.length === 1) return 'last_admin';
    await tx.execute(sql`update users set role = ${role} where id = ${id}`);
    await recordDecision(tx, {
      actorId: null,
      action: 'user.role',
      subject: 'user',
      subjectId: id,
      details: { from: person.role, to: role, username },
    });
    return { username };
  });
}
