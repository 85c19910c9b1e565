import type { ChannelEvent, MessageRow } from '#db/queries/community/messages.ts';
import type { ChannelState } from '#db/queries/community/streams.ts';
import type { Reader } from './reader.ts';
import { encode, streamEvent, streamEventOf } from './stream-events.ts';

/** Readers who are written to in one go. Between them calls get their turn: thousands of writes would hold them up for long. */
const writesPerTurn = 125;
const yieldToCalls = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Events that follow directly on the event `previous`. */
interface Offer {
  previous: number;
  events: ChannelEvent[];
}

/** The readers of one channel in this process. */
export class LiveChannel {
  readonly readers = new Set<Reader>();
  #offers: Offer[] = [];

  constructor(
    private state: ChannelState,
    /** The last event that was given to those who are live. */
    public position: number,
  ) {}

  get channelId(): number {
    return this.state.channelId;
  }

  /** Messages that were stored by this process after the event `previous`, of which it knows all that happened in between. */
  offer(previous: number, messages: readonly MessageRow[]): void {
    const events = messages.map((message): ChannelEvent => ({ kind: 'message', id: message.id, message }));
    this.#offers.push({ previous, events: events.sort((one, other) => one.id - other.id) });
  }

  /** Gives what was offered, if it goes on where the readers are; false when the table must be asked. */
  async deliverOffered(): Promise<boolean> {
    const offers = this.#offers;
    this.#offers = [];
    let { position } = this;
    for (const { previous, events } of offers) {
      // What is older was read from the table meanwhile.
      if (previous > position) return false;
      position = Math.max(position, events.at(-1)?.id ?? position);
    }
    await this.deliver(offers.flatMap(({ events }) => events));
    return true;
  }

  /** Gives events, in their order, to all who are live: made into bytes once for all of them. One call at a time. */
  async deliver(events: readonly ChannelEvent[]): Promise<void> {
    const fresh = events.filter(({ id }) => id > this.position);
    const first = fresh[0]?.id;
    const last = fresh.at(-1)?.id;
    if (first === undefined || last === undefined) return;
    this.position = last;
    const texts = fresh.map(streamEventOf);
    const bytes = encode(texts.join(''));
    let writeCount = 0;
    for (const reader of this.readers) {
      if (!reader.isLive || reader.position >= last) continue;
      // Somebody who has caught up just now may have the first of them already.
      const unread =
        reader.position < first
          ? bytes
          : encode(texts.filter((_, place) => (fresh[place]?.id ?? 0) > reader.position).join(''));
      reader.position = last;
      reader.write(unread);
      writeCount += 1;
      if (writeCount % writesPerTurn === 0) await yieldToCalls();
    }
  }

  /** Tells what changed of counts and slow mode. */
  update(next: ChannelState): void {
    const { memberCount, activeUsers, slowModeSeconds } = this.state;
    this.state = next;
    let news = '';
    if (next.memberCount !== memberCount || next.activeUsers !== activeUsers) {
      news += streamEvent('counts', { memberCount: next.memberCount, activeUsers: next.activeUsers });
    }
    if (next.slowModeSeconds !== slowModeSeconds)
      news += streamEvent('slowmode', { seconds: next.slowModeSeconds });
    if (news !== '') this.broadcast(encode(news));
  }

  /** Writes the same to all who are live. */
  broadcast(bytes: Uint8Array): void {
    for (const reader of this.readers) if (reader.isLive) reader.write(bytes);
  }
}
