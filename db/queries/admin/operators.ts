import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { execute, nullable, selectValue } from '../../sql.ts';
import { endOldPasswordAccess } from '../accounts/old-password.ts';
import { recordDecision } from './audit.ts';

interface Operators {
  /** Whether anybody has an account. */
  anyone: boolean;
  /** E-mail address of the account that was the first to become an admin's. */
  admin: string | undefined;
  /** Whether the account of the address that was asked for is an admin's. */
  isAdmin: boolean;
}

const isAnAdmin = sql`${users.role} = 'admin' and ${users.deletedAt} is null`;

/**
 * Who may operate the site (decision S1): asked at every start.
 * @param emailKey an address in its unique form (`accountKey`)
 */
export async function findOperators(emailKey?: string): Promise<Operators> {
  const [operators] = await execute(
    {
      anyone: sql<boolean>`exists (select from ${users})`,
      admin: nullable(
        selectValue(users.email, sql`from ${users} where ${isAnAdmin} order by ${users.id} limit 1`),
      ),
      isAdmin: sql<boolean>`exists (select from ${users} where ${isAnAdmin} and ${users.emailKey} = ${emailKey ?? ''}::text)`,
    },
    (columns) => sql`select ${columns}`,
  );
  const { anyone = false, admin, isAdmin = false } = operators ?? {};
  return { anyone, admin: admin ?? undefined, isAdmin };
}

/** Whether there is an account of an e-mail address in its unique form (`accountKey`). */
export async function hasAccount(emailKey: string): Promise<boolean> {
  const open = and(eq(users.emailKey, emailKey), isNull(users.deletedAt));
  return (await database().$count(users, open)) > 0;
}

/**
 * Makes the account of an e-mail address an admin's, with a new password, ends what the old one opened, and notes it.
 * @param emailKey the address in its unique form (`accountKey`)
 * @param language of its letters from now on; as it was when it is not given
 * @returns undefined when nobody has that address
 */
export async function promoteAccount(
  emailKey: string,
  passwordHash: string,
  language?: Lang,
): Promise<{ id: number; username: string } | undefined> {
  return database().transaction(async (tx) => {
    const [person] = await tx
      .select({ id: users.id, role: users.role, username: users.username })
      .from(users)
      .where(eq(users.emailKey, emailKey))
      .for('update');
    if (!person) return undefined;
    const { id, role, username } = person;
    // A language that is undefined is left as it is.
    await tx
      .update(users)
      .set({ role: 'admin', passwordHash, deletedAt: null, language })
      .where(eq(users.id, id));
    await endOldPasswordAccess(tx, id);
    await recordDecision(tx, {
      actorId: null,
      action: 'user.role',
      subject: 'user',
      subjectId: id,
      details: { from: role, to: 'admin', username },
    });
    return { id, username };
  });
}

/**
 * Chooses the language of the letters to an admin.
 * @param emailKey the address in its unique form (`accountKey`)
 * @returns its username; undefined when no admin has that address
 */
export async function changeAdminLanguage(emailKey: string, language: Lang): Promise<string | undefined> {
  const [changed] = await database()
    .update(users)
    .set({ language })
    .where(and(eq(users.emailKey, emailKey), eq(users.role, 'admin'), isNull(users.deletedAt)))
    .returning({ username: users.username });
  return changed?.username;
}
