import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

/** Everything that an account owns: its devices, all that is stored about it, and its end. */

export interface DeviceRow {
  /** The first 16 digits of the session's id: enough to name it among the few of one account. */
  id: string;
  /** Whole id, to tell which one is asking; it never leaves the server. */
  sessionId: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  expiresAt: Date;
}

type Stored = Record<string, unknown> &
  Omit<DeviceRow, 'createdAt' | 'expiresAt'> & { createdAt: string; expiresAt: string };

/** The devices on which an account is logged in, newest first. */
export async function listDevices(userId: number): Promise<DeviceRow[]> {
  const rows = await database().execute<Stored>(sql`
    select left(id, 16) as id, id as "sessionId", user_agent as "userAgent", host(address) as address,
      created_at as "createdAt", expires_at as "expiresAt"
    from sessions where user_id = ${userId} and expires_at > now() order by created_at desc, id`);
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    expiresAt: new Date(row.expiresAt),
  }));
}

/** Logs one device of an account out; false when there was no such device. */
export async function endDevice(userId: number, id: string): Promise<boolean> {
  const rows = await database().execute(
    sql`delete from sessions where user_id = ${userId} and left(id, 16) = ${id} returning 1`,
  );
  return rows.length > 0;
}

/** Logs every device of an account out. */
export async function endDevices(userId: number): Promise<void> {
  await database().execute(sql`
    with unlinked as (delete from calendar_links where user_id = ${userId})
    delete from sessions where user_id = ${userId}`);
}

/** All that is stored about an account, without secrets, as JSON objects; undefined when it is gone. One statement. */
export async function exportAccount(userId: number): Promise<Record<string, unknown> | undefined> {
  const all = (rows: ReturnType<typeof sql>) =>
    sql`(select coalesce(json_agg(r), '[]'::json) from (${rows}) r)`;
  const [row] = await database().execute<{ data: Record<string, unknown> }>(sql`
    select json_build_object(
      'account', json_build_object('id', u.id, 'username', u.username, 'displayName', u.display_name, 'email', u.email,
        'emailVerifiedAt', u.email_verified_at, 'role', u.role, 'language', u.language,
        'profileImageUrl', u.profile_image_url, 'createdAt', u.created_at),
      'devices', ${all(sql`select user_agent as "userAgent", host(address) as address, created_at as "createdAt",
        expires_at as "expiresAt" from sessions where user_id = u.id order by created_at`)},
      'follows', ${all(sql`select s.id as "starId", s.name, f.created_at as "createdAt"
        from follows f join stars s on s.id = f.star_id where f.user_id = u.id order by f.created_at, s.id`)},
      'channels', ${all(sql`select c.star_id as "starId", s.name, m.joined_at as "joinedAt"
        from channel_members m join channels c on c.id = m.channel_id join stars s on s.id = c.star_id
        where m.user_id = u.id order by m.joined_at`)},
      'messages', ${all(sql`select m.id, c.star_id as "starId", m.content, m.created_at as "createdAt",
        m.deleted_at as "deletedAt" from messages m join channels c on c.id = m.channel_id
        where m.user_id = u.id order by m.id`)},
      'blocked', ${all(sql`select b.blocked_id as "userId", b.created_at as "createdAt" from user_blocks b
        where b.user_id = u.id order by b.created_at`)},
      'reports', ${all(sql`select r.message_id as "messageId", r.reason, r.details, r.status, r.created_at as "createdAt"
        from message_reports r where r.reporter_id = u.id order by r.id`)},
      'eventSubscriptions', ${all(sql`select event_id as "eventId", subscription_type as "subscriptionType", email, push,
        times, created_at as "createdAt" from event_subscriptions where user_id = u.id order by created_at`)},
      'reminders', ${all(sql`select event_id as "eventId", time, channel, due_at as "dueAt", state, reason, sent_at as "sentAt"
        from reminders where user_id = u.id order by due_at, id`)},
      'mutes', ${all(sql`select c.star_id as "starId", m.until, m.reason, m.created_at as "createdAt"
        from channel_mutes m join channels c on c.id = m.channel_id where m.user_id = u.id order by m.created_at`)},
      'letters', ${all(sql`select kind, created_at as "createdAt", expires_at as "expiresAt" from account_tokens
        where user_id = u.id order by created_at`)},
      'decisions', ${all(sql`select action, subject, subject_id as "subjectId", notes, created_at as "createdAt"
        from audit_log where actor_id = u.id order by id`)},
      'calendarLink', (select json_build_object('since', created_at) from calendar_links where user_id = u.id),
      'pushBrowsers', ${all(sql`select endpoint, created_at as "createdAt" from push_subscriptions where user_id = u.id
        order by id`)}) as data
    from users u where u.id = ${userId} and u.deleted_at is null`);
  return row?.data;
}

/**
 * Ends an account: nothing personal stays; its messages stay as those of nobody (`deleted_at` says so). The name becomes
 * one that nobody can register and is free again. What moderators need of its reports (which message, why) stays without
 * the person's own words, and the audit log keeps its decisions without the name.
 * @param oldHash the hash of the password that was asked for; a password changed meanwhile ends nothing
 * @returns ids of the stars it followed and of the stars whose channels it was in, or undefined when nothing ended
 */
export async function eraseAccount(
  userId: number,
  oldHash: string,
): Promise<{ followed: number[]; channels: number[] } | undefined> {
  const [row] = await database().execute<{ gone: boolean; followed: number[]; channels: number[] }>(sql`
    with gone as (
      update users set deleted_at = now(), username = '~' || id, username_key = '~' || id, display_name = null,
        email = null, email_key = null, email_verified_at = null, password_hash = null, profile_image_url = null, role = 'user'
      where id = ${userId} and password_hash = ${oldHash} and deleted_at is null returning id),
    ended as (delete from sessions where user_id in (select id from gone)),
    unproven as (delete from account_tokens where user_id in (select id from gone)),
    unblocked as (delete from user_blocks where user_id in (select id from gone) or blocked_id in (select id from gone)),
    unfollowed as (delete from follows where user_id in (select id from gone) returning star_id),
    unsubscribed as (delete from event_subscriptions where user_id in (select id from gone)),
    unplanned as (delete from reminders where user_id in (select id from gone)),
    unlinked as (delete from calendar_links where user_id in (select id from gone)),
    unnotified as (delete from push_subscriptions where user_id in (select id from gone)),
    unmuted as (delete from channel_mutes where user_id in (select id from gone)),
    unsaid as (update message_reports set details = null where reporter_id in (select id from gone)),
    unnamed as (update audit_log set details = details - 'username'
      where subject = 'user' and subject_id in (select id from gone) and details ? 'username'),
    posted as (select distinct channel_id from messages where user_id in (select id from gone)),
    left_channels as (delete from channel_members where user_id in (select id from gone) returning channel_id)
    select exists (select from gone) as gone,
      (select coalesce(json_agg(star_id), '[]'::json) from unfollowed) as followed,
      (select coalesce(json_agg(star_id), '[]'::json) from channels
        where id in (select channel_id from posted union select channel_id from left_channels)) as channels`);
  return row?.gone ? { followed: row.followed, channels: row.channels } : undefined;
}
