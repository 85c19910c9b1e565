import { type SQL, sql } from 'drizzle-orm';
import { database } from '../client.ts';

/** Who wrote a message. A deleted account keeps its id alone. */
export interface AuthorRow {
  id: number;
  username: string;
  displayName: string | null;
  profileImageUrl: string | null;
  isModerator: boolean;
  isDeleted: boolean;
}

export interface MessageRow {
  id: number;
  content: string;
  createdAt: Date;
  clientId: string | null;
  user: AuthorRow;
}

type Stored = Omit<MessageRow, 'createdAt'> & { createdAt: string };
const revive = (row: Stored): MessageRow => ({ ...row, createdAt: new Date(row.createdAt) });

/** A message `m` of the user `u` as JSON. */
export const messageJson = sql`json_build_object('id', m.id, 'content', m.content, 'createdAt', m.created_at,
  'clientId', m.client_id, 'user', json_build_object('id', u.id,
    'username', case when u.deleted_at is null then u.username else '' end, 'displayName', u.display_name,
    'profileImageUrl', u.profile_image_url, 'isModerator', u.role in ('editor', 'admin'),
    'isDeleted', u.deleted_at is not null))`;

/** The newest event of a channel: a message or a deletion; 0 before the first. */
export const lastEvent = (channel: SQL) => sql`greatest(
  coalesce((select id from messages where channel_id = ${channel} order by id desc limit 1), 0),
  coalesce((select deleted_event_id from messages where channel_id = ${channel} and deleted_event_id is not null
    order by deleted_event_id desc limit 1), 0))`;

/** Leaves out the authors whom the account that asks has blocked (decision C4). */
const notBlocked = (author: SQL, visitor: number | undefined) =>
  visitor === undefined
    ? sql`true`
    : sql`not exists (select from user_blocks where user_id = ${visitor} and blocked_id = ${author})`;

export interface MessagePage {
  /** Null: the star has no channel yet. */
  channelId: number | null;
  /** Oldest first. */
  messages: MessageRow[];
  hasMore: boolean;
  lastEventId: number;
}

/**
 * The newest messages of a star's channel that were not deleted, or those older than `before`; undefined when there is no such
 * star. One statement, which reads no more rows than it answers, however many are stored.
 */
export async function listMessagesOf(
  starId: number,
  { limit, before, visitor }: { limit: number; before?: number | undefined; visitor?: number | undefined },
): Promise<MessagePage | undefined> {
  const older = before === undefined ? sql`` : sql`and m.id < ${before}`;
  const [row] = await database().execute<{
    channelId: number | null;
    lastEventId: string;
    messages: Stored[];
  }>(sql`
    select c.id as "channelId", ${lastEvent(sql`c.id`)} as "lastEventId", coalesce((
      select json_agg(${messageJson} order by m.id) from (
        select * from messages m where m.channel_id = c.id and m.deleted_at is null ${older}
          and ${notBlocked(sql`m.user_id`, visitor)} order by m.id desc limit ${limit + 1}) m
      join users u on u.id = m.user_id), '[]'::json) as messages
    from stars s left join channels c on c.star_id = s.id where s.id = ${starId}`);
  if (!row) return undefined;
  const hasMore = row.messages.length > limit;
  return {
    channelId: row.channelId,
    messages: row.messages.slice(hasMore ? 1 : 0).map(revive),
    hasMore,
    lastEventId: Number(row.lastEventId),
  };
}

/** Something that happened in a channel, in the order in which it became true. */
export type ChannelEvent = { id: number } & (
  | { kind: 'message'; message: MessageRow }
  | { kind: 'deleted'; messageId: number }
  /** A message that was deleted since: only its place is left. */
  | { kind: 'gone' }
);

interface EventRow {
  id: number;
  kind: ChannelEvent['kind'];
  messageId: number;
  message: Stored | null;
}

/** JSON of the first `limit` events of a channel after one of them, in order. */
const eventsAfter = (channel: SQL, after: SQL, limit: number) => sql`(
  select coalesce(json_agg(json_build_object('id', e.event_id, 'messageId', m.id,
    'kind', case when e.deletion then 'deleted' when m.deleted_at is null then 'message' else 'gone' end,
    'message', case when e.deletion or m.deleted_at is not null then null else ${messageJson} end)
    order by e.event_id), '[]'::json)
  from (
    (select id as event_id, id, false as deletion from messages
      where channel_id = ${channel} and id > ${after} order by id limit ${limit})
    union all
    (select deleted_event_id, id, true from messages
      where channel_id = ${channel} and deleted_event_id > ${after} order by deleted_event_id limit ${limit})
    order by event_id limit ${limit}) e
  join messages m on m.id = e.id join users u on u.id = m.user_id)`;

function toEvent({ id, kind, messageId, message }: EventRow): ChannelEvent {
  if (kind === 'message' && message) return { id, kind, message: revive(message) };
  return kind === 'deleted' ? { id, kind, messageId } : { id, kind: 'gone' };
}

export interface ChannelEvents {
  channelId: number;
  events: ChannelEvent[];
}

/**
 * What happened in channels after the event that each caller knows, at most `limit` events of each. One statement. Within
 * a channel ids are taken while its row is locked, so whoever sees one event sees all before it.
 */
export async function listEvents(
  known: readonly { channelId: number; after: number }[],
  limit: number,
): Promise<ChannelEvents[]> {
  const rows = await database().execute<{ channelId: number; events: EventRow[] }>(sql`
    select k."channelId", ${eventsAfter(sql`k."channelId"`, sql`k.after`, limit)} as events
    from jsonb_to_recordset(${JSON.stringify(known)}::text::jsonb) as k("channelId" int, after bigint)`);
  return rows.map(({ channelId, events }) => ({ channelId, events: events.map(toEvent) }));
}

export interface EventPage {
  channelId: number | null;
  events: ChannelEvent[];
  /** The newest event of the channel in the same moment. */
  lastEventId: number;
  /** Authors among them whom the account that asks has blocked. */
  blocked: number[];
}

/** What happened in a star's channel after an event, for polling; undefined when there is no such star. One statement. */
export async function listEventsOf(
  starId: number,
  { limit, after, visitor }: { limit: number; after: number; visitor?: number | undefined },
): Promise<EventPage | undefined> {
  const blocked =
    visitor === undefined
      ? sql`'[]'::json`
      : sql`(select coalesce(json_agg(blocked_id), '[]'::json) from user_blocks where user_id = ${visitor})`;
  const [row] = await database().execute<{
    channelId: number | null;
    lastEventId: string;
    events: EventRow[];
    blocked: number[];
  }>(sql`
    select c.id as "channelId", ${lastEvent(sql`c.id`)} as "lastEventId", ${blocked} as blocked,
      ${eventsAfter(sql`c.id`, sql`${after}::bigint`, limit)} as events
    from stars s left join channels c on c.star_id = s.id where s.id = ${starId}`);
  return (
    row && {
      channelId: row.channelId,
      lastEventId: Number(row.lastEventId),
      events: row.events.map(toEvent),
      blocked: row.blocked,
    }
  );
}
