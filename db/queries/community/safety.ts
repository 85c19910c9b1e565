import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { database } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { channels, messageReports, messages, type ReportReason, userBlocks } from '../../schema/community.ts';
import { derived, execute, literal, namesOf, type RowOf } from '../../sql.ts';
import { isShownById } from '../stars/badge.ts';

/** What people do against messages that they do not want to see (decision C4). */

const message = derived('message', { id: messages.id, author: messages.userId });

/** Asks the moderators to look at a message, once per person. */
export async function reportMessage(
  starId: number,
  messageId: number,
  report: { reporterId: number; reason: ReportReason; details: string | null },
): Promise<'reported' | 'missing' | 'own'> {
  const { reporterId, reason, details } = report;
  const once = namesOf(messageReports.messageId, messageReports.reporterId);
  const [row] = await execute(
    { author: message.fields.author },
    (columns) => sql`
      with ${message.name} as (
        select ${message.columns} from ${messages} join ${channels} on ${channels.id} = ${messages.channelId}
        where ${channels.starId} = ${starId} and ${isShownById(channels.starId)}
          and ${messages.id} = ${messageId} and ${messages.deletedAt} is null),
      added as (
        insert into ${messageReports} (${once}, ${namesOf(messageReports.reason, messageReports.details)})
        select ${message.fields.id}, ${reporterId}::int, ${reason}, ${details} from ${message.name}
        where ${message.fields.author} <> ${reporterId}
        on conflict (${once}) do nothing)
      select ${columns} from ${message.name}`,
  );
  if (!row) return 'missing';
  return row.author === reporterId ? 'own' : 'reported';
}

/** More blocked people than anybody needs. */
const maxBlocked = 1_000;

/** Hides the messages of an account from another; a repeat changes nothing. */
export async function blockUser(
  userId: number,
  blockedId: number,
): Promise<'blocked' | 'missing' | 'too_many'> {
  const [state] = await execute(
    {
      exists: sql<boolean>`exists (select from ${users} where ${users.id} = ${blockedId})`,
      others: sql<number>`(
        select count(*)::int from ${userBlocks} where ${userBlocks.userId} = ${userId} and ${userBlocks.blockedId} <> ${blockedId})`,
    },
    (columns) => sql`
      with blocked as (
        insert into ${userBlocks} (${namesOf(userBlocks.userId, userBlocks.blockedId)})
        select ${userId}::int, ${users.id} from ${users}
        where ${users.id} = ${blockedId}
          and (select count(*) from ${userBlocks} where ${userBlocks.userId} = ${userId}) < ${literal(maxBlocked)}
        on conflict do nothing)
      select ${columns}`,
  );
  if (!state?.exists) return 'missing';
  return state.others >= maxBlocked ? 'too_many' : 'blocked';
}

/** Shows them again; a repeat changes nothing. */
export async function unblockUser(userId: number, blockedId: number): Promise<void> {
  await database()
    .delete(userBlocks)
    .where(and(eq(userBlocks.userId, userId), eq(userBlocks.blockedId, blockedId)));
}

const blockedFields = {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  profileImageUrl: users.profileImageUrl,
  blockedAt: userBlocks.createdAt,
};
type BlockedRow = RowOf<typeof blockedFields>;

/** Whom an account has blocked, the last first. Deleted accounts write no more and are left out. */
export function listBlocked(userId: number): Promise<BlockedRow[]> {
  return database()
    .select(blockedFields)
    .from(userBlocks)
    .innerJoin(users, and(eq(users.id, userBlocks.blockedId), isNull(users.deletedAt)))
    .where(eq(userBlocks.userId, userId))
    .orderBy(desc(userBlocks.createdAt), users.id);
}
