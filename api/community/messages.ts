import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { findChannelOf } from '#db/queries/channels.ts';
import { listEventsOf, listMessagesOf, type MessageRow } from '#db/queries/messages.ts';
import { NotFound } from '../errors.ts';
import { starMarkPath } from '../media/paths.ts';
import { toChannel } from './channels.ts';
import type { Channel, Message, MessageList } from './model.ts';

/** A stored message as the contract has it. */
export function toMessage({ createdAt, ...row }: MessageRow): Message {
  return { ...row, createdAt: createdAt.toISOString() };
}

/**
 * The newest messages of a channel, or those before one of them, oldest first (§7, §9: 50). One statement.
 * @param visitor account that asks: whom it blocked is left out
 * @throws NotFound without such a star; a star whose channel nobody opened has no messages
 */
export async function readMessages(
  starId: number,
  {
    limit = limits.messagesPage,
    before,
    visitor,
  }: { limit?: number | undefined; before?: number | undefined; visitor?: number | undefined } = {},
): Promise<MessageList> {
  const page = await listMessagesOf(starId, { limit, before, visitor });
  if (!page) throw new NotFound('Channel');
  const { messages, hasMore, lastEventId } = page;
  return { messages: messages.map(toMessage), hasMore, deletedIds: [], lastEventId };
}

/**
 * What happened in a channel after an event, for browsers in whose network streams are blocked. One statement.
 * @throws NotFound without such a star
 */
export async function readMessagesAfter(
  starId: number,
  after: number,
  { limit = limits.messagesPage, visitor }: { limit?: number | undefined; visitor?: number | undefined } = {},
): Promise<MessageList> {
  const page = await listEventsOf(starId, { limit: limit + 1, after, visitor });
  if (!page) throw new NotFound('Channel');
  const hasMore = page.events.length > limit;
  const events = page.events.slice(0, limit);
  return {
    messages: events.flatMap((event) =>
      event.kind === 'message' && !page.blocked.includes(event.message.user.id)
        ? [toMessage(event.message)]
        : [],
    ),
    deletedIds: events.flatMap((event) => (event.kind === 'deleted' ? [event.messageId] : [])),
    hasMore,
    lastEventId: hasMore ? (events.at(-1)?.id ?? after) : page.lastEventId,
  };
}

/** A channel's page as it is rendered for everybody (§2 Channel page). */
export interface ChannelPage extends Omit<MessageList, 'deletedIds'> {
  /** `id` is null while nobody opened the channel (decision C1): the page is there, its first visitor's browser opens it. */
  channel: Omit<Channel, 'id'> & { id: number | null };
}

/** Header and newest messages of a channel; undefined without such a star. Two statements, side by side. */
export async function readChannelPage(starId: number, language: Lang): Promise<ChannelPage | undefined> {
  const [found, page] = await Promise.all([
    findChannelOf(starId, language),
    listMessagesOf(starId, { limit: limits.messagesPage }),
  ]);
  if (!found || !page) return undefined;
  const { channel, star } = found;
  return {
    channel: channel
      ? toChannel(channel)
      : {
          id: null,
          starId,
          star: { ...star, imageUrl: starMarkPath(star.slug) },
          memberCount: 0,
          activeUsers: 0,
          lastActivityAt: null,
          description: null,
          isMember: false,
          slowModeSeconds: 0,
        },
    messages: page.messages.map(toMessage),
    hasMore: page.hasMore,
    lastEventId: page.lastEventId,
  };
}
