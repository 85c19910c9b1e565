import { and, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { accountTokens, sessions, users } from '../schema/accounts.ts';
import { channelMutes, messageReports, messages } from '../schema/community.ts';

/** What is kept for a while only, and that while is over. How long each is kept stands in `docs/operating/privacy.md`. */

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days}::int)`;

/** Devices that nobody came back with, and what they were called; browsers that were notified with them go along. */
export async function deleteExpiredSessions(): Promise<void> {
  await database().delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}

/** Links of letters that nobody opened. */
export async function deleteExpiredTokens(): Promise<void> {
  await database().delete(accountTokens).where(lt(accountTokens.expiresAt, sql`now()`));
}

/** Mutes that are over; who decided them stands in the audit log. */
export async function deleteEndedMutes(): Promise<void> {
  await database().delete(channelMutes).where(lt(channelMutes.until, sql`now()`));
}

/** Reports that were decided so many days ago. */
export async function deleteDecidedReports(days: number): Promise<void> {
  await database()
    .delete(messageReports)
    .where(lt(messageReports.decidedAt, daysAgo(days)));
}

/** Those of the accounts that have ended. */
export async function listEndedAccounts(accounts: readonly number[]): Promise<number[]> {
  const ended = await database()
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...accounts]), isNotNull(users.deletedAt)));
  return ended.map(({ id }) => id);
}

/** What stands in the place of words that are gone; a message has at least one character. */
const gone = '…';
const messagesAtOnce = 1_000;

/** Takes the words out of messages that were deleted so many days ago. Their rows stay: they are events of streams (decision C2). */
export async function eraseDeletedWords(days: number, signal?: AbortSignal): Promise<void> {
  const db = database();
  const some = db
    .select({ id: messages.id })
    .from(messages)
    // As the index on deletions says it.
    .where(
      and(
        isNotNull(messages.deletedEventId),
        lt(messages.deletedAt, daysAgo(days)),
        ne(messages.content, gone),
      ),
    )
    .limit(messagesAtOnce);
  for (let erased = messagesAtOnce; erased === messagesAtOnce && !signal?.aborted; )
    erased = (
      await db
        .update(messages)
        .set({ content: gone })
        .where(inArray(messages.id, some))
        .returning({ id: messages.id })
    ).length;
}
