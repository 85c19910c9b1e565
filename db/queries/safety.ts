import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import type { ReportReason } from '../schema/community.ts';

/** What people do against messages that they do not want to see (decision C4). */

/** Asks the moderators to look at a message, once per person. */
export async function reportMessage(
  starId: number,
  messageId: number,
  report: { reporterId: number; reason: ReportReason; details: string | null },
): Promise<'reported' | 'missing' | 'own'> {
  const { reporterId, reason, details } = report;
  const [row] = await database().execute<{ author: number }>(sql`
    with message as (
      select m.id, m.user_id from messages m join channels c on c.id = m.channel_id
      where c.star_id = ${starId} and m.id = ${messageId} and m.deleted_at is null),
    added as (
      insert into message_reports (message_id, reporter_id, reason, details)
      select id, ${reporterId}::int, ${reason}, ${details} from message where user_id <> ${reporterId}
      on conflict (message_id, reporter_id) do nothing)
    select user_id as author from message`);
  if (!row) return 'missing';
  return row.author === reporterId ? 'own' : 'reported';
}

/** More blocked people than anybody needs. */
const mostBlocked = 1_000;

/** Hides the messages of an account from another; a repeat changes nothing. */
export async function blockUser(
  userId: number,
  blockedId: number,
): Promise<'blocked' | 'missing' | 'too_many'> {
  const [row] = await database().execute<{ known: boolean; count: number }>(sql`
    with blocked as (
      insert into user_blocks (user_id, blocked_id) select ${userId}::int, id from users
      where id = ${blockedId} and (select count(*) from user_blocks where user_id = ${userId}) < ${mostBlocked}
      on conflict do nothing returning 1)
    select exists (select from users where id = ${blockedId}) as known,
      (select count(*)::int from user_blocks where user_id = ${userId} and blocked_id <> ${blockedId}) as count`);
  if (!row?.known) return 'missing';
  return row.count >= mostBlocked ? 'too_many' : 'blocked';
}

/** Shows them again; a repeat changes nothing. */
export async function unblockUser(userId: number, blockedId: number): Promise<void> {
  await database().execute(
    sql`delete from user_blocks where user_id = ${userId} and blocked_id = ${blockedId}`,
  );
}

export interface BlockedRow {
  id: number;
  username: string;
  displayName: string | null;
  profileImageUrl: string | null;
  blockedAt: Date;
}

/** Whom an account has blocked, the last first. Deleted accounts write no more and are left out. */
export async function listBlocked(userId: number): Promise<BlockedRow[]> {
  const rows = await database().execute<
    Record<string, unknown> & Omit<BlockedRow, 'blockedAt'> & { blockedAt: string }
  >(sql`
    select u.id, u.username, u.display_name as "displayName", u.profile_image_url as "profileImageUrl",
      b.created_at as "blockedAt"
    from user_blocks b join users u on u.id = b.blocked_id and u.deleted_at is null
    where b.user_id = ${userId} order by b.created_at desc, u.id`);
  return rows.map((row) => ({ ...row, blockedAt: new Date(row.blockedAt) }));
}
