import { limits } from '#content/site.ts';
import { listEventsOf, listMessagesOf, type MessageRow } from '#db/queries/community/messages.ts';
import { missingStar } from '../directory/missing-star.ts';
import type { Message, MessageList } from './model.ts';

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
  if (!page) throw await missingStar(starId, 'Channel');
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
  if (!page) throw await missingStar(starId, 'Channel');
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
