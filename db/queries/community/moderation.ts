import { and, desc, eq, getTableName, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database, type Transaction, unprepared } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import {
  channelMutes,
  channels,
  messageReports,
  messages,
  type ReportState,
} from '../../schema/community.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { derived, execute, jsonArray, jsonObject, nullable, type RowOf, selectValue } from '../../sql.ts';
import { recordDecision } from '../admin/audit.ts';
import { badgeFields, s, st, wordsIn } from '../stars/badge.ts';

/** What moderators decide, each with its entry in the audit log in the same transaction (decision C4). */

/** Takes the channel's row, as senders do: ids of events grow in the order of commits. */
async function lockChannel(
  tx: Transaction,
  where: SQL,
): Promise<{ id: number; slowModeSeconds: number } | undefined> {
  const [channel] = await tx
    .select({ id: channels.id, slowModeSeconds: channels.slowModeSeconds })
    .from(channels)
    .where(where)
    .for('no key update');
  return channel;
}

/** Deletes a message of a locked channel: its row stays as the event of its deletion. */
async function markDeleted(
  tx: Transaction,
  channelId: number,
  messageId: number,
  actorId: number,
): Promise<void> {
  await tx
    .update(messages)
    .set({
      deletedAt: sql`clock_timestamp()`,
      deletedBy: actorId,
      deletedEventId: sql`nextval(pg_get_serial_sequence(${getTableName(messages)}, ${messages.id.name}))`,
    })
    .where(and(eq(messages.id, messageId), isNull(messages.deletedAt)));
  const newest = selectValue(
    messages.createdAt,
    sql`from ${messages} where ${messages.channelId} = ${channelId} and ${messages.deletedAt} is null
      order by ${messages.id} desc limit 1`,
  );
  await tx.update(channels).set({ lastActivityAt: newest }).where(eq(channels.id, channelId));
}

type MessageDeletion = 'missing' | 'forbidden' | { channelId: number; changed: boolean };

/**
 * Deletes a message: its author's own, or anybody's for a moderator, which also answers the open reports about it. A repeat
 * changes nothing.
 */
export async function deleteMessage(
  starId: number,
  messageId: number,
  actor: { id: number; canModerate: boolean },
): Promise<MessageDeletion> {
  return database().transaction(async (tx) => {
    const channel = await lockChannel(tx, eq(channels.starId, starId));
    if (!channel) return 'missing';
    const channelId = channel.id;
    const [message] = await tx
      .select({ author: messages.userId, content: messages.content, deletedAt: messages.deletedAt })
      .from(messages)
      .where(and(eq(messages.id, messageId), eq(messages.channelId, channelId)));
    if (!message) return 'missing';
    const isOwn = message.author === actor.id;
    if (!isOwn && !actor.canModerate) return 'forbidden';
    if (message.deletedAt) return { channelId, changed: false };
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
  tx: Transaction,
  messageId: number,
  status: Exclude<ReportState, 'open'>,
  actorId: number,
  notes: string | null,
): Promise<number[]> {
  const reports = await tx
    .update(messageReports)
    .set({ status, decidedAt: sql`now()`, decidedBy: actorId, notes })
    .where(and(eq(messageReports.messageId, messageId), eq(messageReports.status, 'open')))
    .returning({ id: messageReports.id });
  return reports.map(({ id }) => id).sort((a, b) => a - b);
}

interface ReportOutcome {
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
): Promise<ReportOutcome | 'missing' | 'decided'> {
  return database().transaction(async (tx) => {
    const [report] = await tx
      .select({ messageId: messages.id, channelId: channels.id, starId: channels.starId })
      .from(messageReports)
      .innerJoin(messages, eq(messages.id, messageReports.messageId))
      .innerJoin(channels, eq(channels.id, messages.channelId))
      .where(eq(messageReports.id, reportId));
    if (!report) return 'missing';
    const { messageId, channelId, starId } = report;
    await lockChannel(tx, eq(channels.id, channelId));
    const open = await tx
      .select({ id: messageReports.id })
      .from(messageReports)
      .where(and(eq(messageReports.id, reportId), eq(messageReports.status, 'open')))
      .for('update');
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
    const channel = await lockChannel(tx, eq(channels.starId, starId));
    if (!channel) return 'no_channel';
    const [user] = await tx
      .select({ role: users.role })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.deletedAt)));
    if (!user) return 'no_user';
    if (user.role !== 'user') return 'moderator';
    const until = sql`clock_timestamp() + make_interval(mins => ${minutes}::int)`;
    const terms = { until, reason, mutedBy: actorId, createdAt: sql`now()` };
    const [muted] = await tx
      .insert(channelMutes)
      .values({ channelId: channel.id, userId, ...terms })
      .onConflictDoUpdate({ target: [channelMutes.channelId, channelMutes.userId], set: terms })
      .returning({ until: channelMutes.until });
    await recordDecision(tx, {
      actorId,
      action: 'user.mute',
      subject: 'user',
      subjectId: userId,
      notes: reason,
      details: { starId, minutes },
    });
    return muted?.until ?? new Date();
  });
}

/** Ends a mute; false when there was none. */
export async function unmuteUser(starId: number, userId: number, actorId: number): Promise<boolean> {
  return database().transaction(async (tx) => {
    const channel = tx.select({ id: channels.id }).from(channels).where(eq(channels.starId, starId));
    const ended = await tx
      .delete(channelMutes)
      .where(and(eq(channelMutes.userId, userId), inArray(channelMutes.channelId, channel)))
      .returning({ userId: channelMutes.userId });
    if (ended.length === 0) return false;
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

/** Whether a star, shown or hidden, has a channel. */
export async function hasChannel(starId: number): Promise<boolean> {
  const rows = await database().select({ id: channels.id }).from(channels).where(eq(channels.starId, starId));
  return rows.length > 0;
}

const muteFields = {
  userId: users.id,
  username: users.username,
  displayName: users.displayName,
  reason: channelMutes.reason,
  mutedUntil: channelMutes.until,
};
type MuteRow = RowOf<typeof muteFields>;

/** Who is muted in a channel now, the longest first. */
export function listMutes(starId: number): Promise<MuteRow[]> {
  return database()
    .select(muteFields)
    .from(channels)
    .innerJoin(channelMutes, and(eq(channelMutes.channelId, channels.id), gt(channelMutes.until, sql`now()`)))
    .innerJoin(users, eq(users.id, channelMutes.userId))
    .where(eq(channels.starId, starId))
    .orderBy(desc(channelMutes.until), users.id)
    .limit(500);
}

/** Sets slow mode of a channel; its id, and whether that changed anything. Undefined without such a channel. */
export async function setSlowMode(
  starId: number,
  seconds: number,
  actorId: number,
): Promise<{ channelId: number; changed: boolean } | undefined> {
  return database().transaction(async (tx) => {
    const channel = await lockChannel(tx, eq(channels.starId, starId));
    if (!channel) return undefined;
    const { id: channelId, slowModeSeconds: before } = channel;
    if (before === seconds) return { channelId, changed: false };
    await tx.update(channels).set({ slowModeSeconds: seconds }).where(eq(channels.id, channelId));
    await recordDecision(tx, {
      actorId,
      action: 'channel.slow_mode',
      subject: 'channel',
      subjectId: channelId,
      details: { starId, seconds, before },
    });
    return { channelId, changed: true };
  });
}

const r = alias(messageReports, 'r');
const m = alias(messages, 'm');
const c = alias(channels, 'c');
const author = alias(users, 'author');
const reporter = alias(users, 'reporter');
const decider = alias(users, 'decider');

const page = derived('page', { id: r.id });
const reportFields = {
  id: r.id,
  status: r.status,
  reason: r.reason,
  details: r.details,
  createdAt: r.createdAt,
  reporter: jsonObject({ id: reporter.id, username: reporter.username }),
  starId: s.id,
  starName: badgeFields().name,
  message: jsonObject({
    id: m.id,
    content: m.content,
    createdAt: m.createdAt,
    isDeleted: sql<boolean>`${m.deletedAt} is not null`,
    user: jsonObject({ id: author.id, username: author.username, displayName: author.displayName }),
  }),
  decidedAt: r.decidedAt,
  decidedBy: nullable(decider.username),
  notes: r.notes,
};
export type ReportRow = RowOf<typeof reportFields>;

/** A page of reports in one state, the newest first, with the star's name in a language, and how many there are. One statement. */
export async function listReports(query: {
  language: Lang;
  status: ReportState;
  limit: number;
  offset: number;
}): Promise<{ reports: ReportRow[]; total: number }> {
  const { language, status, limit, offset } = query;
  const [row] = await execute(
    {
      total: sql<number>`(select count(*)::int from ${messageReports} where ${messageReports.status} = ${status})`,
      reports: selectValue(
        jsonArray(jsonObject(reportFields), { orderBy: sql`${r.id} desc` }),
        sql`from ${page.name} join ${messageReports} ${r} on ${r.id} = ${page.fields.id}
          join ${messages} ${m} on ${m.id} = ${r.messageId} join ${channels} ${c} on ${c.id} = ${m.channelId}
          join ${stars} ${s} on ${s.id} = ${c.starId} left join ${starTranslations} ${st} on ${wordsIn(language)}
          join ${users} ${author} on ${author.id} = ${m.userId}
          join ${users} ${reporter} on ${reporter.id} = ${r.reporterId}
          left join ${users} ${decider} on ${decider.id} = ${r.decidedBy}`,
      ),
    },
    (columns) => sql`
      with ${page.name} as (
        select ${page.columns} from ${messageReports} ${r} where ${r.status} = ${status}
        order by ${r.id} desc limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  return row ?? { reports: [], total: 0 };
}
