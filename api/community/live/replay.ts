import { listEvents } from '#db/queries/community/messages.ts';
import type { StreamStart } from '#db/queries/community/streams.ts';
import { makeSlots } from '../../slots.ts';
import { within } from '../../within.ts';
import type { LiveChannel } from './live-channel.ts';
import type { Reader } from './reader.ts';
import { encode, reconnectDelay, streamEvent, streamEventOf } from './stream-events.ts';

/**
 * Events that a stream replays, and bytes of them; who missed more reads the messages anew. The system takes the bytes for who does not read, and
 * guests of one address may hold a thousand streams: with 2 MB each they filled 1.5 GB of its memory within a minute.
 */
const maxReplayed = { events: 5_000, bytes: { account: 2 * 1024 * 1024, guest: 256 * 1024 } };
/** Events that are read for it at a time, and milliseconds that its reader may take for them: nobody keeps more of us than these. */
const replayPage = 100;
const replayPatience = 30_000;
/** Pages of replays that a process reads at a time: who comes with an old position costs others no more than that. */
const replays = makeSlots(2);

interface Replaying {
  /** Its channel, as this process has it at the moment. */
  channelNow(): LiveChannel | undefined;
  /** It has what the channel has, and gets what comes. */
  onLive(): void;
}

/** Replays what a reader missed, then makes it live. Nothing is written twice: its position tells what it has. */
export async function catchUp(
  reader: Reader,
  start: StreamStart,
  after: number | undefined,
  replaying: Replaying,
): Promise<void> {
  const { channelId, lastEventId, memberCount, activeUsers, slowModeSeconds, oldestMessage } = start;
  const hello = { lastEventId, memberCount, activeUsers, slowModeSeconds };
  reader.write(encode(`retry: ${reconnectDelay(1_000)}\n${streamEvent('hello', hello)}`));
  // An id that this channel has not reached yet is of another database.
  const isAhead = after !== undefined && after > lastEventId;
  // What came after one so old is not kept any more, and what the reader has of that time neither.
  const isForgotten = after !== undefined && after > 0 && after < oldestMessage;
  const begins = after === undefined || isAhead || isForgotten;
  reader.position = begins ? lastEventId : after;
  if (isAhead || isForgotten) reader.write(encode(streamEvent('reset', { lastEventId })));
  try {
    await replay(reader, channelId, replaying);
  } catch {
    // The database is away, or the reader does not read: the client comes again.
    reader.end(streamEvent('reconnect', { afterMs: reconnectDelay(1_000) }));
  }
}

async function replay(reader: Reader, channelId: number, { channelNow, onLive }: Replaying): Promise<void> {
  const replayed = { events: 0, bytes: 0 };
  const maxBytes = maxReplayed.bytes[reader.row.person < 0 ? 'guest' : 'account'];
  while (reader.isOpen) {
    const channel = channelNow();
    if (channel && reader.position >= channel.position) {
      reader.isLive = true;
      onLive();
      return;
    }
    const positions = [{ channelId, after: reader.position }];
    const [channelEvents] = await replays.run(() => listEvents(positions, replayPage));
    const events = channelEvents?.events ?? [];
    replayed.events += events.length;
    const last = events.at(-1)?.id ?? reader.position;
    if (events.length === 0) {
      // Nothing after this one: what the channel knows beyond it was deleted with its channel.
      reader.position = Math.max(reader.position, channel?.position ?? 0);
    } else if (replayed.events > maxReplayed.events || replayed.bytes > maxBytes) {
      const lastEventId = Math.max(last, channel?.position ?? last);
      reader.position = lastEventId;
      reader.write(encode(streamEvent('reset', { lastEventId })));
    } else {
      reader.position = last;
      const bytes = encode(events.map(streamEventOf).join(''));
      replayed.bytes += bytes.byteLength;
      reader.write(bytes);
      await within(replayPatience, reader.drained());
    }
  }
}
