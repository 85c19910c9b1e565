import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { limits } from '#content/site.ts';
import { memoize } from '../../memoize.ts';
import { users } from '../../schema/accounts.ts';
import { channels, messages, userBlocks } from '../../schema/community.ts';
import { stars } from '../../schema/stars.ts';
import {
  derived,
  type Expression,
  jsonArray,
  jsonObject,
  literal,
  nullable,
  prepare,
  type RowOf,
  selectValue,
  typedAs,
  type ValueOf,
} from '../../sql.ts';
import { isShown } from '../stars/badge.ts';

const c = alias(channels, 'c');
const m = alias(messages, 'm');
const u = alias(users, 'u');

/** Who wrote a message. A deleted account keeps its id alone. */
const author = jsonObject({
  id: u.id,
  username: sql<string>`case when ${u.deletedAt} is null then ${u.username} else '' end`,
  displayName: u.displayName,
  profileImageUrl: u.profileImageUrl,
  isModerator: sql<boolean>`${u.role} in ('editor', 'admin')`,
  isDeleted: sql<boolean>`${u.deletedAt} is not null`,
});

const message = jsonObject({
  id: m.id,
  content: m.content,
  createdAt: m.createdAt,
  clientId: m.clientId,
  user: author,
});
export type MessageRow = ValueOf<typeof message>;

/** The newest event of a channel: a message or a deletion; 0 before the first. */
export const lastEvent = (channel: typeof c): SQL<number> =>
  typedAs(
    messages.id,
    sql`greatest(coalesce((
      select ${messages.id} from ${messages} where ${messages.channelId} = ${channel.id}
      order by ${messages.id} desc limit 1), 0), ${channel.lastDeletionId})`,
  );

/** The oldest message of all channels that is still kept; 0 while there is none. What was before it is gone (decision D13). */
export const oldestMessage: SQL<number> = typedAs(
  messages.id,
  sql`coalesce((select ${messages.id} from ${messages} order by ${messages.id} limit 1), 0)`,
);

interface MessagePage {
  /** Null: the star has no channel yet. */
  channelId: number | null;
  /** Oldest first. */
  messages: MessageRow[];
  hasMore: boolean;
  lastEventId: number;
}

/** The page of messages that meet a condition. */
function messagePage(condition: SQL) {
  // The literal limit gives the plan, which is made for any values, the order of the index; the other one ends it.
  const newest = sql`
    select * from (
      select ${m}.* from ${messages} ${m}
      where ${m.channelId} = ${c.id} and ${m.deletedAt} is null and ${m.id} < ${sql.placeholder('before')} and ${condition}
      order by ${m.id} desc limit ${literal(limits.maxPage + 1)}) ${m}
    order by ${m.id} desc limit ${sql.placeholder('limit')}`;
  const fields = {
    channelId: nullable(c.id),
    lastEventId: lastEvent(c),
    messages: selectValue(
      jsonArray(message, { orderBy: sql`${m.id}` }),
      sql`from (${newest}) ${m} join ${users} ${u} on ${u.id} = ${m.userId}`,
    ),
  };
  return prepare<typeof fields, Record<'starId' | 'before' | 'limit', number> & { visitor?: number }>(
    fields,
    (columns) => sql`
      select ${columns} from ${stars} left join ${channels} ${c} on ${c.starId} = ${stars.id}
      where ${stars.id} = ${sql.placeholder('starId')} and ${isShown(stars)}`,
  );
}

const selectPage = messagePage(sql`true`);
/** Leaves out the authors whom the account that asks has blocked (decision C4). */
const selectUnblockedPage = messagePage(sql`not exists (
  select from ${userBlocks}
  where ${userBlocks.userId} = ${sql.placeholder('visitor')} and ${userBlocks.blockedId} = ${m.userId})`);

/**
 * The newest messages of a star's channel that were not deleted, or those older than `before`; undefined when there is no such
 * star. One statement, which reads no more rows than it answers, however many are stored.
 */
export async function listMessagesOf(
  starId: number,
  { limit, before, visitor }: { limit: number; before?: number | undefined; visitor?: number | undefined },
): Promise<MessagePage | undefined> {
  const values = { starId, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 };
  const [page] = await (visitor === undefined
    ? selectPage(values)
    : selectUnblockedPage({ ...values, visitor }));
  if (!page) return undefined;
  const hasMore = page.messages.length > limit;
  return { ...page, messages: hasMore ? page.messages.slice(1) : page.messages, hasMore };
}

/** Something that happened in a channel, in the order in which it became true. */
export type ChannelEvent = { id: number } & (
  | { kind: 'message'; message: MessageRow }
  | { kind: 'deleted'; messageId: number }
  /** A message that was deleted since: only its place is left. */
  | { kind: 'gone' }
);

const e = derived('e', {
  id: messages.id,
  messageId: messages.id,
  isDeletion: sql<boolean>`false`,
});
const eventFields = {
  id: e.fields.id,
  messageId: m.id,
  kind: sql<ChannelEvent['kind']>`case when ${e.fields.isDeletion} then 'deleted'
    when ${m.deletedAt} is null then 'message' else 'gone' end`,
  message: nullable(
    typedAs(
      message,
      sql`case when ${e.fields.isDeletion} or ${m.deletedAt} is not null then null else ${message} end`,
    ),
  ),
};
type EventRow = RowOf<typeof eventFields>;

/**
 * The first events of a channel after one of them, in order.
 * @param most no fewer than `limit`, as a literal: the plan, which is made for any values, reads as many of each kind
 */
function eventsAfter(channel: Expression, after: SQL, limit: SQL, most: SQL): SQL<EventRow[]> {
  const { id, channelId, deletedEventId } = messages;
  return selectValue(
    jsonArray(jsonObject(eventFields), { orderBy: sql`${e.fields.id}` }),
    sql`from (
        (select ${e.columns} from ${messages}
          where ${channelId} = ${channel} and ${id} > ${after} order by ${id} limit ${most})
        union all
        (select ${deletedEventId}, ${id}, true from ${messages}
          where ${channelId} = ${channel} and ${deletedEventId} > ${after} order by ${deletedEventId} limit ${most})
        order by 1 limit ${limit}) ${e.name}
      join ${messages} ${m} on ${m.id} = ${e.fields.messageId} join ${users} ${u} on ${u.id} = ${m.userId}`,
  );
}

function toEvent({ id, kind, messageId, message }: EventRow): ChannelEvent {
  if (kind === 'message' && message) return { id, kind, message };
  return kind === 'deleted' ? { id, kind, messageId } : { id, kind: 'gone' };
}

interface ChannelEvents {
  channelId: number;
  events: ChannelEvent[];
}

/** Events of a channel that `listEvents` answers at most. */
export const maxEvents = 500;

const position = derived('position', { channelId: channels.id, after: messages.id });

const channelEventsFields = (limit: number) => ({
  channelId: position.fields.channelId,
  events: eventsAfter(position.fields.channelId, position.fields.after, literal(limit), literal(limit)),
});

const selectEvents = memoize((limit: number) =>
  prepare<ReturnType<typeof channelEventsFields>, { positions: string }>(
    channelEventsFields(limit),
    (columns) => sql`
      select ${columns}
      from jsonb_to_recordset(${sql.placeholder('positions')}::text::jsonb) as ${position.name}("channelId" int, after bigint)`,
  ),
);

/**
 * What happened in channels after the event that each caller knows, at most `limit` of each. One statement. Within
 * a channel ids are taken while its row is locked, so whoever sees one event sees all before it.
 * @param limit one of few: each has a statement of its own
 */
export async function listEvents(
  positions: readonly { channelId: number; after: number }[],
  limit = maxEvents,
): Promise<ChannelEvents[]> {
  const rows = await selectEvents(limit)({ positions: JSON.stringify(positions) });
  return rows.map(({ channelId, events }) => ({ channelId, events: events.map(toEvent) }));
}

interface ChannelEventPage {
  channelId: number | null;
  events: ChannelEvent[];
  /** The newest event of the channel in the same moment. */
  lastEventId: number;
  /** Authors among them whom the account that asks has blocked. */
  blocked: number[];
}

const channelEventPageFields = {
  channelId: nullable(c.id),
  lastEventId: lastEvent(c),
  blocked: selectValue(
    jsonArray(userBlocks.blockedId),
    sql`from ${userBlocks} where ${userBlocks.userId} = ${sql.placeholder('visitor')}`,
  ),
  events: eventsAfter(
    c.id,
    sql`${sql.placeholder('after')}::bigint`,
    sql`${sql.placeholder('limit')}`,
    literal(maxEvents),
  ),
};

const selectEventPage = prepare<
  typeof channelEventPageFields,
  Record<'starId' | 'after' | 'limit', number> & { visitor: number | null }
>(
  channelEventPageFields,
  (columns) => sql`
    select ${columns} from ${stars} left join ${channels} ${c} on ${c.starId} = ${stars.id}
    where ${stars.id} = ${sql.placeholder('starId')} and ${isShown(stars)}`,
);

/** What happened in a star's channel after an event, for polling; undefined when there is no such star. One statement. */
export async function listEventsOf(
  starId: number,
  { limit, after, visitor }: { limit: number; after: number; visitor?: number | undefined },
): Promise<ChannelEventPage | undefined> {
  const [page] = await selectEventPage({ starId, limit, after, visitor: visitor ?? null });
  return page && { ...page, events: page.events.map(toEvent) };
}
