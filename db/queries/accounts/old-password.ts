import { and, eq, ne } from 'drizzle-orm';
import type { Transaction } from '../../client.ts';
import { accountTokens, sessions } from '../../schema/accounts.ts';
import { calendarLinks } from '../../schema/reminders.ts';

/**
 * Ends what whoever knew the old password of an account may have opened: sessions, the private calendar address, links to a new password.
 * Asked once the new one is written: the account is locked by then, so who logs in meanwhile has opened a session already, or finds the
 * new password (`isPasswordOf`).
 * @param keptSession one that goes on
 */
export async function endOldPasswordAccess(
  tx: Transaction,
  userId: number,
  keptSession?: string,
): Promise<void> {
  const isOther = keptSession === undefined ? undefined : ne(sessions.id, keptSession);
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), isOther));
  await tx.delete(calendarLinks).where(eq(calendarLinks.userId, userId));
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), eq(accountTokens.kind, 'reset')));
}
