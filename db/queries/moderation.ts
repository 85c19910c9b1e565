import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import type { ReportReason, ReportState } from '../schema/community.ts';
import { type Executor, recordDecision } from './audit.ts';

/** What moderators decide, each with its entry in the audit log in the same transaction (decision C4). */

/** Takes the channel's row, as senders do: ids of events grow in the order of commits. */
async function lockChannel(tx: Executor, where: ReturnType<typeof sql>): Promise<number | undefined> {
  const [channel] = await tx.execute<{ id: number }>(
    sql`select id from channels where ${where} for no key update`,
  );
  return channel?.id;
}

/** Deletes a message of a locked channel: its row stays as the event of its deletion. */
async function markDeleted(
  tx: Executor,
  channelId: number,
  messageId: number,
  actorId: number,
): Promise<void> {
  await tx.execute(sql`
    update messages set deleted_at = clock_timestamp(), deleted_by = ${actorId},
      deleted_event_id = nextval(pg_get_serial_sequence('messages', 'id'))
    where id = ${messageId} and deleted_at is null`);
  await tx.execute(sql`
    update channels set last_activity_at = (select created_at from messages
      where channel_id = ${channelId} and deleted_at is null order by id desc limit 1) where id = ${channelId}`);
}

export type Deletion = 'missing' | 'forbidden' | { channelId: number; changed: boolean };

/**
 * Deletes a message: its author's own, or anybody's for a moderator, which also answers the open reports about it. A repeat
 * changes nothing.
 */
export async function deleteMessage(
  starId: number,
  messageId: number,
  actor: { id: number; canModerate: boolean },
): Promise<Deletion> {
  return database().transaction(async (tx) => {
    const channelId = await lockChannel(tx, sql`star_id = ${starId}`);
    if (channelId === undefined) return 'missing';
    const [message] = await tx.execute<{ author: number; content: string; gone: boolean }>(sql`
      select user_id as author, content, deleted_at is not null as gone from messages
      where id = ${messageId} and channel_id = ${channelId}`);
    if (!message) return 'missing';
    const isOwn = message.author === actor.id;
    if (!isOwn && !actor.canModerate) return 'forbidden';
    if (message.gone) return { channelId, changed: false };
    await markDeleted(tx, channelId, messageId, actor.id);
    if (!isOwn) {
      const reports = await closeReports(tx, messageId, 'removed', actor.id, null);
      await recordDecision(tx, {
        actorId: actor.id,
        action: 'message.delete',
        subject: 'message',
        subjectId: messageId,
        details: { starId, authorId: message.author, content: message.content, reports },
      });
    }
    return { channelId, changed: true };
  });
}

/** Decides the open reports of a message; answers their ids. */
async function closeReports(
  tx: Executor,
  messageId: number,
  status: Exclude<ReportState, 'open'>,
  actorId: number,
  notes: string | null,
): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    update message_reports set status = ${status}, decided_at = now(), decided_by = ${actorId}, notes = ${notes}
    where message_id = ${messageId} and status = 'open' returning id`);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

export interface Decided {
  channelId: number;
  starId: number;
  reports: number[];
}

/** Decides a report and all other open ones about the same message; `remove` deletes it. */
export async function decideReport(
  reportId: number,
  decision: 'remove' | 'dismiss',
  actorId: number,
  notes: string | null,
): Promise<Decided | 'missing' | 'decided'> {
  return database().transaction(async (tx) => {
    const [report] = await tx.execute<{ messageId: string; channelId: number; starId: number }>(sql`
      select r.message_id as "messageId", c.id as "channelId", c.star_id as "starId" from message_reports r
      join messages m on m.id = r.message_id join channels c on c.id = m.channel_id where r.id = ${reportId}`);
    if (!report) return 'missing';
    const { channelId, starId } = report;
    const messageId = Number(report.messageId);
    await lockChannel(tx, sql`id = ${channelId}`);
    const open = await tx.execute(
      sql`select 1 from message_reports where id = ${reportId} and status = 'open' for update`,
    );
    if (open.length === 0) return 'decided';
    const reports = await closeReports(
      tx,
      messageId,
      decision === 'remove' ? 'removed' : 'dismissed',
      actorId,
      notes,
    );
    if (decision === 'remove') await markDeleted(tx, channelId, messageId, actorId);
    await recordDecision(tx, {
      actorId,
      action: `report.${decision}`,
      subject: 'message',
      subjectId: messageId,
      notes,
      details: { starId, reports },
    });
    return { channelId, starId, reports };
  });
}

/**
 * Mutes an account in a channel until so many minutes from now; again sets the time anew.
 * @returns when it ends, or why not
 */
export async function muteUser(
  starId: number,
  mute: { userId: number; minutes: number; reason: string | null; actorId: number },
): Promise<Date | 'no_channel' | 'no_user' | 'moderator'> {
  const { userId, minutes, reason, actorId } = mute;
  return database().transaction(async (tx) => {
    const channelId = await lockChannel(tx, sql`star_id = ${starId}`);
    if (channelId === undefined) return 'no_channel';
    const [user] = await tx.execute<{ role: string }>(
      sql`select role from users where id = ${userId} and deleted_at is null`,
    );
    if (!user) return 'no_user';
    if (user.role !== 'user') return 'moderator';
    const [row] = await tx.execute<{ until: string }>(sql`
      insert into channel_mutes (channel_id, user_id, until, reason, muted_by)
      values (${channelId}, ${userId}, clock_timestamp() + make_interval(mins => ${minutes}::int), ${reason}, ${actorId})
      on conflict (channel_id, user_id) do update set until = excluded.until, reason = excluded.reason,
        muted_by = excluded.muted_by, created_at = now()
      returning until`);
    await recordDecision(tx, {
      actorId,
      action: 'user.mute',
      subject: 'user',
      subjectId: userId,
      notes: reason,
      details: { starId, minutes },
    });
    return new Date(row?.until ?? Date.now());
  });
}

/** Ends a mute; false when there was none. */
export async function unmuteUser(starId: number, userId: number, actorId: number): Promise<boolean> {
  return database().transaction(async (tx) => {
    const rows = await tx.execute(sql`
      delete from channel_mutes where user_id = ${userId} and channel_id = (select id from channels where star_id = ${starId})
        returning 1`);
    if (rows.length === 0) return false;
    await recordDecision(tx, {
      actorId,
      action: 'user.unmute',
      subject: 'user',
      subjectId: userId,
      details: { starId },
    });
    return true;
  });
}

export interface MuteRow {
  userId: number;
  username: string;
  displayName: string | null;
  mutedUntil: Date;
  reason: string | null;
}

/** Who is muted in a channel now, the longest first. */
export async function listMutes(starId: number): Promise<MuteRow[]> {
  const rows = await database().execute<
    Record<string, unknown> & Omit<MuteRow, 'mutedUntil'> & { until: string }
  >(sql`
    select u.id as "userId", u.username, u.display_name as "displayName", m.until, m.reason
    from channels c join channel_mutes m on m.channel_id = c.id and m.until > now() join users u on u.id = m.user_id
    where c.star_id = ${starId} order by m.until desc, u.id limit 500`);
  return rows.map(({ until, ...row }) => ({ ...row, mutedUntil: new Date(until) }));
}

/** Sets slow mode of a channel; its id, and whether that changed anything. Undefined without such a channel. */
export async function setSlowMode(
  starId: number,
  seconds: number,
  actorId: number,
): Promise<{ channelId: number; changed: boolean } | undefined> {
  return database().transaction(async (tx) => {
    const channelId = await lockChannel(tx, sql`star_id = ${starId}`);
    if (channelId === undefined) return undefined;
    const [row] = await tx.execute<{ before: number }>(sql`
      update channels new set slow_mode_seconds = ${seconds} from channels old
      where new.id = ${channelId} and old.id = new.id and old.slow_mode_seconds <> ${seconds}
      returning old.slow_mode_seconds as before`);
    if (!row) return { channelId, changed: false };
    await recordDecision(tx, {
      actorId,
      action: 'channel.slow_mode',
      subject: 'channel',
      subjectId: channelId,
      details: { starId, seconds, before: row.before },
    });
    return { channelId, changed: true };
  });
}

export interface ReportRow {
  id: number;
  status: ReportState;
  reason: ReportReason;
  details: string | null;
  createdAt: string;
  reporter: { id: number; username: string };
  starId: number;
  starName: string;
  message: {
    id: number;
    content: string;
    createdAt: string;
    isDeleted: boolean;
    user: { id: number; username: string; displayName: string | null };
  };
  decidedAt: string | null;
  decidedBy: string | null;
  notes: string | null;
}

/** A page of reports in one state, the newest first, and how many there are. Instants are text of the database. One statement. */
export async function listReports(query: {
  status: ReportState;
  limit: number;
  offset: number;
}): Promise<{ reports: ReportRow[]; total: number }> {
  const { status, limit, offset } = query;
  const [row] = await database().execute<{ reports: ReportRow[]; total: number }>(sql`
    with page as (select * from message_reports where status = ${status} order by id desc limit ${limit} offset ${offset})
    select (select count(*)::int from message_reports where status = ${status}) as total,
      (select coalesce(json_agg(json_build_object('id', r.id, 'status', r.status, 'reason', r.reason, 'details', r.details,
          'createdAt', r.created_at, 'reporter', json_build_object('id', reporter.id, 'username', reporter.username),
          'starId', s.id, 'starName', s.name, 'message', json_build_object('id', m.id, 'content', m.content,
            'createdAt', m.created_at, 'isDeleted', m.deleted_at is not null,
            'user', json_build_object('id', author.id, 'username', author.username, 'displayName', author.display_name)),
          'decidedAt', r.decided_at, 'decidedBy', decider.username, 'notes', r.notes) order by r.id desc), '[]'::json)
        from page r join messages m on m.id = r.message_id join channels c on c.id = m.channel_id
        join stars s on s.id = c.star_id join users author on author.id = m.user_id
        join users reporter on reporter.id = r.reporter_id left join users decider on decider.id = r.decided_by) as reports`);
  return row ?? { reports: [], total: 0 };
}
