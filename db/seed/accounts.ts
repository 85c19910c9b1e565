import { eq, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { database } from '../client.ts';
import { StartupError } from '../embedded.ts';
import { hashPassword } from '../password.ts';
import { endOldPasswordAccess } from '../queries/accounts/old-password.ts';
import { recordDecision } from '../queries/admin/audit.ts';
import { type Role, users } from '../schema/accounts.ts';

interface NewAccount {
  username: string;
  email: string;
  displayName: string;
  password: string;
  role: Role;
  language: Lang;
}

/** The fan of the demo world; the caller chooses the password. */
export const demoFan = {
  username: 'starlight',
  email: 'fan@byeol.example',
  displayName: 'Starlight',
  role: 'user',
  language: 'ko',
} as const satisfies Omit<NewAccount, 'password'>;

/** The operator's account (decision S1); the operator chooses e-mail and password. */
export const operator = {
  username: 'admin',
  displayName: 'Admin',
  role: 'admin',
  language: 'ko',
} as const satisfies Omit<NewAccount, 'email' | 'password'>;

/** Any fixed number: starts at once make the first accounts one after the other. */
const accountsLock = 20_250_923;

/** Runs `action` while no other process makes the first accounts. */
export function withAccountsLock<T>(action: () => Promise<T>): Promise<T> {
  return database().transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = 0`);
    await tx.execute(sql`select pg_advisory_xact_lock(${accountsLock})`);
    return action();
  });
}

/** The form of a username or an e-mail address that is unique. */
export function accountKey(text: string): string {
  return normalized(text.trim(), 'NFKC').toLowerCase();
}

/**
 * Makes an account, or brings the account of that username to this state. A changed password ends what the old
 * one opened, a role is noted as the operator's act.
 * For the operator's own commands only: no rule about names or passwords is asked here.
 * @returns the account's id
 * @throws StartupError when another account has the e-mail address
 */
export async function createAccount(account: NewAccount): Promise<number> {
  const { username, email, displayName, role, language } = account;
  // As login compares it: a syllable typed on a Mac and one typed on a phone are the same.
  const password = normalized(account.password);
  const usernameKey = accountKey(username);
  const [existing] = await database()
    .select({ passwordHash: users.passwordHash, role: users.role })
    .from(users)
    .where(eq(users.usernameKey, usernameKey));
  const isSamePassword =
    existing?.passwordHash && (await Bun.password.verify(password, existing.passwordHash));
  const passwordHash = isSamePassword ? existing.passwordHash : await hashPassword(password);
  const state = {
    username,
    email,
    emailKey: accountKey(email),
    displayName,
    passwordHash,
    role,
    language,
    emailVerifiedAt: new Date(),
    deletedAt: null,
  };
  try {
    return await database().transaction(async (tx) => {
      const [row] = await tx
        .insert(users)
        .values({ ...state, usernameKey })
        .onConflictDoUpdate({ target: users.usernameKey, set: state })
        .returning({ id: users.id });
      if (!row) throw new Error('the account was not written');
      const before = existing?.role ?? 'user';
      if (before !== role)
        await recordDecision(tx, {
          actorId: null,
          action: 'user.role',
          subject: 'user',
          subjectId: row.id,
          details: { from: before, to: role, username },
        });
      if (!isSamePassword) await endOldPasswordAccess(tx, row.id);
      return row.id;
    });
  } catch (error) {
    if (isTakenEmail(error)) throw new StartupError(`Another account has the e-mail address ${email}.`);
    throw error;
  }
}

function isTakenEmail(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('constraint_name' in cause && cause.constraint_name === 'users_email_key') return true;
  }
  return false;
}
