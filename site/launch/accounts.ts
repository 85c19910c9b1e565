import { newPassword } from '#api/accounts/new-password.ts';
import { operatorPasswordFault } from '#api/accounts/operator-password.ts';
import type { Config } from '#api/config.ts';
import { findOperators, hasAccount } from '#db/queries/admin/operators.ts';
import { accountKey, createAccount, demoFan, operator, withAccountsLock } from '#db/seed/accounts.ts';

/** No secret: it opens an account of the demo world only, which is never in a database of others. */
const demoPassword = 'byeol-starlight';
const demoAdmin = 'admin@byeol.example';

/** What to say about the accounts when the site is up. */
export interface Greeting {
  fan: { email: string; password: string } | undefined;
  /** Undefined when there is no admin yet. `password` only when it was generated just now: it is shown once. */
  admin: { email: string; password: string | undefined } | undefined;
  /** ADMIN_EMAIL and ADMIN_PASSWORD are set and changed nothing: others have accounts here already. */
  isAdminIgnored?: true;
  /** ADMIN_PASSWORD is one that people try. */
  isPasswordCommon?: true;
}

/**
 * Makes sure that there are accounts to begin with (decision S1): in the demo world a fan and an admin, elsewhere the
 * admin of ADMIN_EMAIL and ADMIN_PASSWORD while nobody has an account.
 */
export const ensureAccounts = (config: Config, demo: boolean): Promise<Greeting> =>
  withAccountsLock(() => makeMissing(config, demo));

async function makeMissing({ admin }: Config, demo: boolean): Promise<Greeting> {
  const fan = demo ? { email: demoFan.email, password: demoPassword } : undefined;
  const existing = await findOperators(admin && accountKey(admin.email));
  const ignored = admin && existing.anyone && !existing.isAdmin ? { isAdminIgnored: true as const } : {};
  if (existing.admin) {
    // A site that was restored into the built-in database has no fan of the demo.
    const isThere = fan && (await hasAccount(accountKey(fan.email)));
    const admin = { email: existing.admin, password: undefined };
    return { fan: isThere ? fan : undefined, admin, ...ignored };
  }
  const isMade = admin !== undefined && (demo || !existing.anyone);
  if (fan) await createAccount({ ...demoFan, password: fan.password });
  if (isMade) {
    await createAccount({ ...operator, ...admin });
    const isPasswordCommon =
      operatorPasswordFault(admin.password, [operator.username, admin.email]) !== undefined;
    return {
      fan,
      admin: { email: admin.email, password: undefined },
      ...(isPasswordCommon && { isPasswordCommon: true as const }),
    };
  }
  if (!demo) return { fan, admin: undefined, ...ignored };
  const password = newPassword();
  await createAccount({ ...operator, email: demoAdmin, password });
  return { fan, admin: { email: demoAdmin, password } };
}
