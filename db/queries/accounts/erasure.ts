import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { database } from '../../client.ts';
import { accountTokens, auditLog, follows, idempotencyKeys, sessions, users } from '../../schema/accounts.ts';
import {
  channelMembers,
  channelMutes,
  channels,
  messageKeys,
  messageReports,
  messages,
  userBlocks,
} from '../../schema/community.ts';
import { eventSubscriptions } from '../../schema/events.ts';
import { calendarLinks, pushSubscriptions, reminders } from '../../schema/reminders.ts';
import { derived, type Executor, execute, isOneOf, jsonArray, nameOf, selectValue } from '../../sql.ts';

/** The end of an account. */

const erasedUser = derived('erased', { id: users.id });
const unfollowed = derived('unfollowed', { starId: follows.starId });
const unsubscribed = derived('unsubscribed', { eventId: eventSubscriptions.eventId });
const leftChannels = derived('left_channels', { id: channelMembers.channelId });
const writtenIn = derived('written_in', { id: messages.channelId });

/** What an account that ended had: stars that it followed, events that it was to be reminded of, stars in whose channels it was. */
interface Erased {
  followed: number[];
  subscribed: number[];
  channels: number[];
}

/**
 * Ends an account: nothing personal stays; its messages stay as those of nobody (`deleted_at` says so). The name becomes
 * one that nobody can register and is free again. What moderators need of its reports (which message, why) stays without
 * the person's own words, and the audit log keeps its decisions without the name.
 * @param oldHash the hash of the password that was asked for; a password changed meanwhile ends nothing
 * @returns undefined when nothing ended; `last_admin` for the only admin, whom the site needs
 */
export function eraseAccount(userId: number, oldHash: string): Promise<Erased | 'last_admin' | undefined> {
  return database().transaction(async (tx) => {
    // First the channels that count it, in the order of their ids, then the account: in this order messages are stored too
    // (byeol_store_messages), and the other way round each would wait for the other.
    await tx
      .select({ id: channels.id })
      .from(channels)
      .where(sql`${channels.id} in (select ${channelMembers.channelId} from ${channelMembers}
        where ${channelMembers.userId} = ${userId})`)
      .orderBy(channels.id)
      .for('no key update');
    // An admin's waits for all admins, as `changeRole` does, but not for what others write about their decisions.
    const isAdmin = sql`exists (select from ${users} where ${users.id} = ${userId} and ${users.role} = 'admin')`;
    const admins = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(isAdmin, eq(users.role, 'admin'), isNull(users.deletedAt)))
      .orderBy(users.id)
      .for('no key update');
    if (admins.length === 1 && admins[0]?.id === userId) return 'last_admin';
    // By a statement of its own: the next one sees what calls had written that were under way until then.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    return eraseRows(tx, userId, oldHash);
  });
}

/** Whose rows are deleted with the account, and nothing else happens to them. */
const ownColumns = [
  sessions.userId,
  accountTokens.userId,
  idempotencyKeys.userId,
  messageKeys.userId,
  userBlocks.userId,
  userBlocks.blockedId,
  reminders.userId,
  calendarLinks.userId,
  pushSubscriptions.userId,
  channelMutes.userId,
];
/** The same, and others are told of it. */
const countedColumns = [follows.userId, eventSubscriptions.userId, channelMembers.userId];

/** Deletes what calls that were under way have written for accounts after the end of these, in the last hours. */
export async function eraseLateRows(hours: number): Promise<void> {
  const db = database();
  const ended = await db
    .select({ id: users.id })
    .from(users)
    .where(gt(users.deletedAt, sql`now() - make_interval(hours => ${hours}::int)`));
  const ids = ended.map(({ id }) => id);
  if (ids.length === 0) return;
  for (const column of [...ownColumns, ...countedColumns])
    await db.execute(sql`delete from ${column.table} where ${isOneOf(column, ids)}`);
  await db
    .update(messageReports)
    .set({ details: null })
    .where(and(isOneOf(messageReports.reporterId, ids), isNotNull(messageReports.details)));
}

async function eraseRows(tx: Executor, userId: number, oldHash: string): Promise<Erased | undefined> {
  const itsId = sql`(select ${erasedUser.fields.id} from ${erasedUser.name})`;
  const deleteOwn = (column: AnyPgColumn) => sql`delete from ${column.table} where ${column} in ${itsId}`;
  const nothing = (...columns: AnyPgColumn[]) =>
    sql.join(
      columns.map((column) => sql`${nameOf(column)} = null`),
      sql`, `,
    );
  const nobody = sql`'~' || ${users.id}`;
  const [erased] = await execute(
    {
      isGone: sql<boolean>`exists (select from ${erasedUser.name})`,
      followed: selectValue(jsonArray(unfollowed.fields.starId), sql`from ${unfollowed.name}`),
      subscribed: selectValue(jsonArray(unsubscribed.fields.eventId), sql`from ${unsubscribed.name}`),
      channels: selectValue(
        jsonArray(channels.starId),
        sql`from ${channels} where ${channels.id} in (
          select ${writtenIn.fields.id} from ${writtenIn.name} union select ${leftChannels.fields.id} from ${leftChannels.name})`,
      ),
    },
    (columns) => sql`
      with ${erasedUser.name} as (
        update ${users} set ${nameOf(users.deletedAt)} = now(), ${nameOf(users.username)} = ${nobody},
          ${nameOf(users.usernameKey)} = ${nobody}, ${nameOf(users.role)} = 'user',
          ${nameOf(users.language)} = default,
          ${nothing(
            users.displayName,
            users.email,
            users.emailKey,
            users.emailVerifiedAt,
            users.passwordHash,
            users.profileImageUrl,
          )}
        where ${users.id} = ${userId} and ${users.passwordHash} = ${oldHash} and ${users.deletedAt} is null
        returning ${erasedUser.columns}),
      ${sql.join(
        ownColumns.map((column, place) => sql`${sql.raw(`gone_${place}`)} as (${deleteOwn(column)})`),
        sql`, `,
      )},
      ${unfollowed.name} as (${deleteOwn(follows.userId)} returning ${unfollowed.columns}),
      ${unsubscribed.name} as (${deleteOwn(eventSubscriptions.userId)} returning ${unsubscribed.columns}),
      unsaid as (
        update ${messageReports} set ${nothing(messageReports.details)} where ${messageReports.reporterId} in ${itsId}),
      unnamed as (
        update ${auditLog} set ${nameOf(auditLog.details)} = ${auditLog.details} - 'username'
        where ${auditLog.subject} = 'user' and ${auditLog.subjectId} in ${itsId} and ${auditLog.details} ? 'username'),
      ${writtenIn.name} as (select distinct ${writtenIn.columns} from ${messages} where ${messages.userId} in ${itsId}),
      ${leftChannels.name} as (${deleteOwn(channelMembers.userId)} returning ${leftChannels.columns})
      select ${columns}`,
    tx,
  );
  if (!erased?.isGone) return undefined;
  const { followed, subscribed, channels: spokenIn } = erased;
  return { followed, subscribed, channels: spokenIn };
}
