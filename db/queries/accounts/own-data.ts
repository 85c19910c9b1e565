import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { database } from '../../client.ts';
import { accountTokens, auditLog, follows, sessions, users } from '../../schema/accounts.ts';
import {
  channelMembers,
  channelMutes,
  channels,
  messageReports,
  messages,
  userBlocks,
} from '../../schema/community.ts';
import { eventSubscriptions } from '../../schema/events.ts';
import { calendarLinks, pushSubscriptions, reminders } from '../../schema/reminders.ts';
import { stars } from '../../schema/stars.ts';
import { execute, type Fields, jsonArray, jsonObject, nullable, type RowOf, selectValue } from '../../sql.ts';
import { decidedId } from '../admin/audit.ts';
import { isShown } from '../stars/badge.ts';

/** Everything that an account owns: its devices, and all that is stored about it. */

const deviceFields = {
  /** The first 16 digits of the session's id: enough to name it among the few of one account. */
  id: sql<string>`left(${sessions.id}, 16)`,
  /** Whole id, to tell which one is asking; it never leaves the server. */
  sessionId: sessions.id,
  userAgent: sessions.userAgent,
  address: sql<string | null>`host(${sessions.address})`,
  createdAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
};
type DeviceRow = RowOf<typeof deviceFields>;

/** The devices on which an account is logged in, newest first. */
export function listDevices(userId: number): Promise<DeviceRow[]> {
  return database()
    .select(deviceFields)
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.createdAt), sessions.id);
}

/** Logs one device of an account out; false when there was no such device. */
export async function endDevice(userId: number, id: string): Promise<boolean> {
  const ended = await database()
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(deviceFields.id, id)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/** Logs every device of an account out, and ends its private calendar address. */
export async function endDevices(userId: number): Promise<void> {
  const db = database();
  const unlinked = db.$with('unlinked').as(db.delete(calendarLinks).where(eq(calendarLinks.userId, userId)));
  await db.with(unlinked).delete(sessions).where(eq(sessions.userId, userId));
}

const u = alias(users, 'u');

/** An instant as PostgreSQL writes it in JSON, with microseconds: what an export tells is all that is stored. */
const instantText = (instant: AnyPgColumn): SQL<string> => sql`${instant}`;

/** All rows of a statement as JSON objects. */
const listOf = (fields: Fields, rest: SQL, ...order: AnyPgColumn[]) =>
  selectValue(jsonArray(jsonObject(fields), { orderBy: sql.join(order, sql`, `) }), rest);

/** A star that is hidden is told by its number alone. */
const shownName = sql<string | null>`case when ${isShown(stars)} then ${stars.name} end`;

const ownFields = {
  account: jsonObject({
    id: u.id,
    username: u.username,
    displayName: u.displayName,
    email: u.email,
    emailVerifiedAt: instantText(u.emailVerifiedAt),
    role: u.role,
    language: u.language,
    profileImageUrl: u.profileImageUrl,
    createdAt: instantText(u.createdAt),
  }),
  devices: listOf(
    {
      userAgent: sessions.userAgent,
      address: deviceFields.address,
      createdAt: instantText(sessions.createdAt),
      expiresAt: instantText(sessions.expiresAt),
    },
    sql`from ${sessions} where ${sessions.userId} = ${u.id}`,
    sessions.createdAt,
  ),
  follows: listOf(
    { starId: stars.id, name: shownName, createdAt: instantText(follows.createdAt) },
    sql`from ${follows} join ${stars} on ${stars.id} = ${follows.starId} where ${follows.userId} = ${u.id}`,
    follows.createdAt,
    stars.id,
  ),
  channels: listOf(
    { starId: channels.starId, name: shownName, joinedAt: instantText(channelMembers.joinedAt) },
    sql`from ${channelMembers} join ${channels} on ${channels.id} = ${channelMembers.channelId}
      join ${stars} on ${stars.id} = ${channels.starId} where ${channelMembers.userId} = ${u.id}`,
    channelMembers.joinedAt,
  ),
  blocked: listOf(
    { userId: userBlocks.blockedId, createdAt: instantText(userBlocks.createdAt) },
    sql`from ${userBlocks} where ${userBlocks.userId} = ${u.id}`,
    userBlocks.createdAt,
  ),
  reports: listOf(
    {
      messageId: messageReports.messageId,
      reason: messageReports.reason,
      details: messageReports.details,
      status: messageReports.status,
      createdAt: instantText(messageReports.createdAt),
    },
    sql`from ${messageReports} where ${messageReports.reporterId} = ${u.id}`,
    messageReports.id,
  ),
  eventSubscriptions: listOf(
    {
      eventId: eventSubscriptions.eventId,
      subscriptionType: eventSubscriptions.subscriptionType,
      email: eventSubscriptions.email,
      push: eventSubscriptions.push,
      times: eventSubscriptions.times,
      createdAt: instantText(eventSubscriptions.createdAt),
    },
    sql`from ${eventSubscriptions} where ${eventSubscriptions.userId} = ${u.id}`,
    eventSubscriptions.createdAt,
  ),
  reminders: listOf(
    {
      eventId: reminders.eventId,
      time: reminders.time,
      channel: reminders.channel,
      dueAt: instantText(reminders.dueAt),
      state: reminders.state,
      reason: reminders.reason,
      sentAt: instantText(reminders.sentAt),
    },
    sql`from ${reminders} where ${reminders.userId} = ${u.id}`,
    reminders.dueAt,
    reminders.id,
  ),
  mutes: listOf(
    {
      starId: channels.starId,
      until: instantText(channelMutes.until),
      reason: channelMutes.reason,
      createdAt: instantText(channelMutes.createdAt),
    },
    sql`from ${channelMutes} join ${channels} on ${channels.id} = ${channelMutes.channelId}
      where ${channelMutes.userId} = ${u.id}`,
    channelMutes.createdAt,
  ),
  letters: listOf(
    {
      kind: accountTokens.kind,
      createdAt: instantText(accountTokens.createdAt),
      expiresAt: instantText(accountTokens.expiresAt),
    },
    sql`from ${accountTokens} where ${accountTokens.userId} = ${u.id}`,
    accountTokens.createdAt,
  ),
  decisions: listOf(
    {
      action: auditLog.action,
      subject: auditLog.subject,
      subjectId: decidedId,
      notes: auditLog.notes,
      createdAt: instantText(auditLog.createdAt),
    },
    sql`from ${auditLog} where ${auditLog.actorId} = ${u.id}`,
    auditLog.id,
  ),
  calendarLink: nullable(
    selectValue(
      jsonObject({ since: instantText(calendarLinks.createdAt) }),
      sql`from ${calendarLinks} where ${calendarLinks.userId} = ${u.id}`,
    ),
  ),
  pushBrowsers: listOf(
    { endpoint: pushSubscriptions.endpoint, createdAt: instantText(pushSubscriptions.createdAt) },
    sql`from ${pushSubscriptions} where ${pushSubscriptions.userId} = ${u.id}`,
    pushSubscriptions.id,
  ),
};

/** All that is stored about an account but its messages, without secrets, as JSON objects; undefined when it is gone. One statement. */
export async function exportAccount(userId: number): Promise<RowOf<typeof ownFields> | undefined> {
  const [own] = await execute(
    ownFields,
    (columns) =>
      sql`select ${columns} from ${users} ${u} where ${u.id} = ${userId} and ${u.deletedAt} is null`,
  );
  return own;
}

/** Channels that an account has written in, with the star of each. */
export function listWrittenChannels(userId: number): Promise<{ id: number; starId: number }[]> {
  return database()
    .select({ id: channels.id, starId: channels.starId })
    .from(channels)
    .where(
      sql`${channels.id} in (select ${messages.channelId} from ${messages} where ${messages.userId} = ${userId})`,
    )
    .orderBy(channels.id);
}

const ownMessage = jsonObject({
  id: messages.id,
  content: messages.content,
  createdAt: instantText(messages.createdAt),
  deletedAt: instantText(messages.deletedAt),
});

/** At most 500 messages of an account in a channel before one of them, newest first. */
export async function exportMessages(userId: number, channelId: number, before: number) {
  const rows = await execute(
    { message: ownMessage },
    (columns) => sql`select ${columns} from ${messages} where ${messages.userId} = ${userId}
      and ${messages.channelId} = ${channelId} and ${messages.id} < ${before} order by ${messages.id} desc limit 500`,
  );
  return rows.map(({ message }) => message);
}
