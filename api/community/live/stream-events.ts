import { randomInt } from 'node:crypto';
import type { ChannelEvent } from '#db/queries/community/messages.ts';
import { toMessage } from '../messages.ts';
import type { StreamEvents } from '../model.ts';

const encoder = new TextEncoder();

/** One event of the stream. JSON has no line breaks, so it is one `data:` line. */
export function streamEvent<Name extends keyof StreamEvents>(
  name: Name,
  data: StreamEvents[Name],
  id?: number,
): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export const encode = (text: string): Uint8Array => encoder.encode(text);

/** The event of something that happened; empty for a message that was deleted since. */
export function streamEventOf(event: ChannelEvent): string {
  switch (event.kind) {
    case 'message':
      return streamEvent('message', toMessage(event.message), event.id);
    case 'deleted':
      return streamEvent('deleted', { id: event.messageId }, event.id);
    case 'gone':
      return '';
  }
}

/** After how many ms a client connects again, with jitter: all at once would be too many for the processes that are left. */
export const reconnectDelay = (earliest: number): number => randomInt(earliest, earliest + 2_000);
