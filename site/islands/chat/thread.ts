import type { Message, MessageList } from '#api/community/model.ts';

/** A message as the log has it; a deleted one keeps its place without its words. */
export interface LogMessage extends Message {
  deleted?: true;
}

/** What is known of a channel's messages, oldest first. */
export interface Thread {
  messages: readonly LogMessage[];
  /** There are older ones on the server. */
  hasOlder: boolean;
}

/** Puts messages where their ids say; one that is known stays as it is. */
export function withMessages(thread: Thread, incoming: readonly Message[]): Thread {
  const last = thread.messages.at(-1)?.id ?? 0;
  if (incoming.every((message, index) => message.id > (incoming[index - 1]?.id ?? last)))
    return incoming.length === 0 ? thread : { ...thread, messages: [...thread.messages, ...incoming] };
  const byId = new Map<number, LogMessage>(incoming.map((message) => [message.id, message]));
  for (const message of thread.messages) byId.set(message.id, message);
  return { ...thread, messages: [...byId.values()].sort((a, b) => a.id - b.id) };
}

/** Takes the words out of deleted messages; ids that are not there are none of our concern. */
export function withDeleted(thread: Thread, deletedIds: ReadonlySet<number>): Thread {
  if (!thread.messages.some(({ id, deleted }) => deletedIds.has(id) && !deleted)) return thread;
  return {
    ...thread,
    messages: thread.messages.map((message) =>
      deletedIds.has(message.id) ? { ...message, content: '', deleted: true } : message,
    ),
  };
}

/** Puts a page of older messages before what is there. */
export function withOlder(thread: Thread, page: MessageList): Thread {
  return { ...withMessages(thread, page.messages), hasOlder: page.hasMore };
}

/** Begins anew with the newest page: too much was missed to fill the gap. */
export function threadOf(page: MessageList): Thread {
  return { messages: page.messages, hasOlder: page.hasMore };
}
