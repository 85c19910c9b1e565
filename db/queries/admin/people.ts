import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { database, unprepared } from '../../client.ts';
import { type Role, users } from '../../schema/accounts.ts';
import {
  derived,
  type Expression,
  execute,
  jsonArray,
  jsonObject,
  type RowOf,
  selectValue,
} from '../../sql.ts';
import { contains } from '../pattern.ts';
import { recordDecision } from './audit.ts';

const page = derived('page', {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  email: users.email,
  role: users.role,
  /** Text of the database. */
  createdAt: sql<string>`${users.createdAt}`,
});

/** An account as an admin sees it in a list. */
export type PersonRow = RowOf<typeof page.fields>;

interface PeopleFilter {
  limit: number;
  offset: number;
  /** In names and e-mail addresses. */
  search?: string | undefined;
  role?: Role | undefined;
}

const rolesFirst = ({ role, id }: Record<'role' | 'id', Expression>): SQL =>
  sql`${role} = 'admin' desc, ${role} = 'editor' desc, ${id} desc`;

/** A page of accounts, those with a role first, then the newest, and how many there are. One statement. */
export async function listPeople({
  limit,
  offset,
  search,
  role,
}: PeopleFilter): Promise<{ users: PersonRow[]; total: number }> {
  const names = sql`${users.username} || ' ' || coalesce(${users.displayName}, '') || ' ' || coalesce(${users.email}, '')`;
  const where = and(
    isNull(users.deletedAt),
    role && eq(users.role, role),
    search ? sql`byeol_fold(${names}) like ${contains(search)}` : undefined,
  );
  const [row] = await execute(
    {
      total: sql<number>`(select count(*)::int from ${users} where ${where})`,
      users: selectValue(
        jsonArray(jsonObject(page.fields), { orderBy: rolesFirst(page.fields) }),
        sql`from ${page.name}`,
      ),
    },
    (columns) => sql`
      with ${page.name} as (
        select ${page.columns} from ${users} where ${where} order by ${rolesFirst(users)} limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  return row ?? { users: [], total: 0 };
}

type RoleChange = { id: number; username: string } | 'missing' | 'last_admin';

/**
 * Gives the account of an e-mail address a role and notes it as the operator's act. All admins are locked first, so that
 * the site is never left without one.
 * @param emailKey the address in its unique form (`accountKey`)
 */
export function changeRole(emailKey: string, role: Role): Promise<RoleChange> {
  return database().transaction(async (tx) => {
    const admins = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, 'admin'), isNull(users.deletedAt)))
      .orderBy(asc(users.id))
      .for('update');
    const [person] = await tx
      .select({ id: users.id, role: users.role, username: users.username })
      .from(users)
      .where(and(eq(users.emailKey, emailKey), isNull(users.deletedAt)))
      .for('update');
    if (!person) return 'missing';
    const { id, username } = person;
    if (person.role === role) return { id, username };
    if (person.role === 'admin' && admins.length === 1) return 'last_admin';
    await tx.update(users).set({ role }).where(eq(users.id, id));
    await recordDecision(tx, {
      actorId: null,
      action: 'user.role',
      subject: 'user',
      subjectId: id,
      details: { from: person.role, to: role, username },
    });
    return { id, username };
  });
}
