import { randomInt } from 'node:crypto';
import { subscribe, type Unsubscribe } from '#db/bus.ts';
import { log } from '#db/log.ts';
import { listEvents, type MessageRow, maxEvents } from '#db/queries/community/messages.ts';
import {
  addStream,
  endLeases,
  listChannelStates,
  removeStreams,
  renewLease,
  replaceStreams,
  type StreamRow,
  type StreamStart,
} from '#db/queries/community/streams.ts';
import { continueTrace, currentTraceparent } from '#db/tracing.ts';
import { doFor } from '#db/work.ts';
import { missingStar } from '../../directory/missing-star.ts';
import { Unavailable } from '../../errors.ts';
import { refuseOverCap, StreamCaps } from './caps.ts';
import { hintChannel, processId, readHints, sendHint } from './hints.ts';
import { LiveChannel } from './live-channel.ts';
import { Reader } from './reader.ts';
import { catchUp } from './replay.ts';
import { encode, reconnectDelay, streamEvent } from './stream-events.ts';

/**
 * Milliseconds from one round of writes to the next at least. Messages are stored less often (`batchInterval` in `sending.ts`), so that
 * those of this process never wait for it; it bounds how often the table is asked for those of others.
 */
const pumpInterval = 20;
/** How often a process says that it lives, looks for events that no hint told it of, and counts. */
const beatInterval = 2_000;
/** Beats between two looks for processes that are long gone. */
const beatsPerCleanup = 30;
const heartbeatInterval = 8_000;
/** Readers of a channel that has gone ask what became of it, in ms, not all at once. */
const comeBackWithin = 500;
/** How soon a change of counts is told. */
const countDelay = 250;
interface StreamRequest {
  starId: number;
  /** The last event that the client has; undefined: it begins now. */
  after: number | undefined;
  person: number;
  network: string;
}

/**
 * The open streams of this process. Events are given to them at most once per `pumpInterval`, in the order of commits: messages that
 * this process stored right after what its readers have, as they are; whatever else happened, read from the table by one
 * statement for all channels, so that nothing depends on a hint's arrival.
 */
class Live {
  #channels = new Map<number, LiveChannel>();
  #readers = new Map<string, Reader>();
  #caps = new StreamCaps();
  /** Channels in which something happened that the table has to tell; and those to which messages are offered. */
  #changed = new Set<number>();
  #offered = new Set<number>();
  /** Of the first call for which the next pump runs. */
  #trace: string | undefined;
  #pumpTimer: Timer | undefined;
  #pumping = false;
  #pumpedAt = 0;
  #countTimer: Timer | undefined;
  #endedStreamIds: string[] = [];
  #timers: Timer[] = [];
  #beats = 0;
  #unsubscribe: Unsubscribe | undefined;
  #isClosed = false;

  /** Open streams. */
  get size(): number {
    return this.#readers.size;
  }

  /** @throws NotFound, Moved, TooManyRequests, Unavailable */
  async open(request: StreamRequest): Promise<Reader> {
    const row = { id: crypto.randomUUID(), person: request.person, network: request.network };
    const streamCount = this.#caps.take(row);
    let start: StreamStart | undefined;
    try {
      // Who holds no streams does not say that it lives.
      // What it starts is for all streams that come: it is no part of this call.
      if (this.#readers.size === 0) await doFor({}, () => this.#start());
      start = await addStream(processId, request.starId, row);
      if (!start) throw await missingStar(request.starId, 'Channel');
      refuseOverCap(row, streamCount + start.elsewhere);
    } catch (error) {
      this.#caps.giveBack(row);
      if (start) this.#scheduleRemoval(row);
      throw error;
    }
    const reader = new Reader({ ...row, channelId: start.channelId }, this);
    this.#addReader(reader, start);
    // A client that is gone cancels the body; listening to the request's signal as well would keep the request.
    if (this.#isClosed) reader.end();
    else
      void catchUp(reader, start, request.after, {
        channelNow: () => this.#channels.get(start.channelId),
        // The channel may be behind what the reader was told; the next reading brings both together.
        onLive: () => this.markChanged(start.channelId),
      });
    return reader;
  }

  /** Something happened in a channel. */
  markChanged(channelId: number): void {
    if (!this.#channels.has(channelId)) return;
    this.#changed.add(channelId);
    this.#schedulePump();
  }

  /** This process stored messages in a channel, after the event `previous`. */
  offerMessages(channelId: number, previous: number, messages: readonly MessageRow[]): void {
    const channel = this.#channels.get(channelId);
    if (!channel) return;
    channel.offer(previous, messages);
    this.#trace ??= currentTraceparent();
    this.#offered.add(channelId);
    this.#schedulePump();
  }

  /** Counts or slow mode of some channel changed. */
  scheduleCount(): void {
    if (this.#channels.size > 0) this.#countTimer ??= setTimeout(() => void this.#count(), countDelay);
  }

  /** Tells every reader to come again, and ends. */
  async end(): Promise<void> {
    this.#isClosed = true;
    for (const timer of [...this.#timers, this.#pumpTimer, this.#countTimer]) clearTimeout(timer);
    for (const reader of this.#readers.values()) {
      reader.end(streamEvent('reconnect', { afterMs: reconnectDelay(250) }));
    }
    if (this.#timers.length === 0) return;
    await this.#unsubscribe?.();
    await endLeases(processId).catch(() => {});
  }

  async #start(): Promise<void> {
    await renewLease(processId);
    if (this.#timers.length > 0 || this.#isClosed) return;
    const beats = encode(streamEvent('heartbeat', {}));
    this.#timers = [
      setInterval(() => void this.#beat(), beatInterval).unref(),
      setInterval(() => {
        for (const channel of this.#channels.values()) channel.broadcast(beats);
      }, heartbeatInterval).unref(),
    ];
    await this.#listen();
  }

  /** Without the bus every beat still finds what happened. */
  async #listen(): Promise<void> {
    try {
      this.#unsubscribe = await subscribe(
        hintChannel,
        (payload) => this.#onHints(payload),
        () => this.#markAllChanged(),
      );
    } catch (error) {
      log.error({ err: error }, 'no hints from other processes yet');
    }
  }

  #onHints(payload: string): void {
    const { hints, trace } = readHints(payload);
    for (const { kind, channelId } of hints) {
      if (kind === 'e') {
        if (this.#channels.has(channelId)) this.#trace ??= trace;
        this.markChanged(channelId);
      } else if (this.#channels.has(channelId)) this.scheduleCount();
    }
  }

  #markAllChanged(): void {
    for (const channelId of this.#channels.keys()) this.markChanged(channelId);
  }

  #addReader(reader: Reader, { elsewhere: _, lastEventId, oldestMessage: __, ...state }: StreamStart): void {
    const { channelId } = state;
    const channel = this.#channels.get(channelId) ?? new LiveChannel(state, lastEventId);
    this.#channels.set(channelId, channel);
    channel.readers.add(reader);
    this.#readers.set(reader.row.id, reader);
    this.scheduleCount();
  }

  /** A stream has ended. */
  removeReader(reader: Reader): void {
    const { row } = reader;
    const channel = this.#channels.get(row.channelId);
    channel?.readers.delete(reader);
    if (channel?.readers.size === 0) this.#channels.delete(row.channelId);
    if (!this.#readers.delete(row.id)) return;
    this.#caps.giveBack(row);
    this.#scheduleRemoval(row);
  }

  /** A stream that was noted is none any more: until the others know, it counts against the caps and as somebody present. */
  #scheduleRemoval({ id }: { id: string }): void {
    this.#endedStreamIds.push(id);
    if (!this.#isClosed) this.#countTimer ??= setTimeout(() => void this.#count(), countDelay);
  }

  #schedulePump(): void {
    if (this.#pumping || this.#pumpTimer) return;
    const wait = Math.max(0, this.#pumpedAt + pumpInterval - performance.now());
    this.#pumpTimer = setTimeout(() => void this.#pump(), wait);
  }

  /** Gives readers what was offered to them, and what else happened since, read for all channels together. */
  async #pump(): Promise<void> {
    this.#pumpTimer = undefined;
    this.#pumping = true;
    this.#pumpedAt = performance.now();
    const trace = this.#trace;
    this.#trace = undefined;
    try {
      await continueTrace(trace, 'deliver to streams', 'consumer', { 'byeol.streams': this.size }, () =>
        this.#deliver(),
      );
    } catch {
      // The database is away: the beat asks again.
    } finally {
      this.#pumping = false;
      if (this.#changed.size + this.#offered.size > 0) this.#schedulePump();
    }
  }

  async #deliver(): Promise<void> {
    const changed = new Set(this.#changed);
    const offered = [...this.#offered];
    this.#changed.clear();
    this.#offered.clear();
    for (const channelId of offered) {
      const channel = this.#channels.get(channelId);
      if (channel && !(await channel.deliverOffered())) changed.add(channelId);
    }
    const positions = [...changed].flatMap((channelId) => {
      const channel = this.#channels.get(channelId);
      return channel ? [{ channelId, after: channel.position }] : [];
    });
    const eventsByChannel = positions.length > 0 ? await listEvents(positions) : [];
    for (const { channelId, events } of eventsByChannel) {
      await this.#channels.get(channelId)?.deliver(events);
      if (events.length === maxEvents) this.#changed.add(channelId);
    }
  }

  async #beat(): Promise<void> {
    if (this.#readers.size === 0) return;
    this.#beats += 1;
    this.#markAllChanged();
    if (!this.#unsubscribe) await this.#listen();
    await this.#count();
    if (this.#beats % beatsPerCleanup === 0) await endLeases().catch(() => {});
  }

  /** A channel that readers may not see any more, or that is gone: whoever comes again hears so. */
  #endChannel({ readers }: LiveChannel): void {
    for (const reader of [...readers])
      reader.end(streamEvent('reconnect', { afterMs: randomInt(comeBackWithin) }));
  }

  /** Tells the others what this process holds, then its readers what all hold. */
  async #count(): Promise<void> {
    clearTimeout(this.#countTimer);
    this.#countTimer = undefined;
    try {
      await this.#renewLease();
      if (this.#channels.size === 0) return;
      const counted = [...this.#channels.values()];
      const states = await listChannelStates(counted.map(({ channelId }) => channelId));
      const stateById = new Map(states.map((state) => [state.channelId, state]));
      for (const channel of counted) {
        const state = stateById.get(channel.channelId);
        if (state) channel.update(state);
        else this.#endChannel(channel);
      }
    } catch {
      // The database is away: the next beat counts.
    }
  }

  async #renewLease(): Promise<void> {
    const ended = this.#endedStreamIds.splice(0);
    if (ended.length > 0) await removeStreams(ended);
    const openReaders = this.#readers.size;
    const recordedStreams = await renewLease(processId);
    // Streams that open or end meanwhile make a difference too; writing all anew then changes nothing.
    if (recordedStreams !== openReaders) {
      await replaceStreams(
        processId,
        [...this.#readers.values()].map(({ row }): StreamRow => row),
      );
    }
  }
}

let live: Live | undefined = new Live();

/**
 * Opens a stream of a star's channel. It begins after the event that the client knows, and is counted among the people present.
 * @throws NotFound without such a channel, TooManyRequests over a cap, Unavailable while this process stops
 */
export async function openStream(request: StreamRequest): Promise<ReadableStream<Uint8Array>> {
  if (!live) throw new Unavailable('This server is stopping.');
  return (await live.open(request)).body;
}

/** Open streams of this process. */
export const countStreams = (): number => live?.size ?? 0;

/** Messages were stored in a channel in one transaction, after its event `previous`: after the commit. */
export function publishMessages(channelId: number, previous: number, messages: readonly MessageRow[]): void {
  live?.offerMessages(channelId, previous, messages);
  sendHint(`e${channelId}`);
}

/** Something else happened in a channel: after the commit. */
export function publishEvents(channelId: number): void {
  live?.markChanged(channelId);
  sendHint(`e${channelId}`);
}

/** Members or slow mode of a channel changed, or whether readers may see it: after the commit. */
export function publishState(channelId: number): void {
  live?.scheduleCount();
  sendHint(`s${channelId}`);
}

/** Streams may be opened (again): this is so from the beginning. */
export function acceptStreams(): void {
  live ??= new Live();
}

/** Tells every stream to reconnect, ends it, and accepts no others. */
export async function endStreams(): Promise<void> {
  const ending = live;
  live = undefined;
  await ending?.end();
}
