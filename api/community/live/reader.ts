import type { StreamRow } from '#db/queries/community/streams.ts';
import { encode } from './stream-events.ts';

/** A reader for whom more bytes wait is dropped: it connects again and catches up from the table. The system keeps some too. */
const maxQueuedBytes = 512 * 1024;

/**
 * One open stream: where it stands, and what is written to it. What waits is counted here and not by a strategy of the stream:
 * one that measures chunks makes a write half as dear again and the stream twice as large.
 */
export class Reader implements UnderlyingDefaultSource<Uint8Array> {
  readonly body: ReadableStream<Uint8Array>;
  /** The last event that this reader has. */
  position = 0;
  /** Gets what happens; before that it catches up. */
  isLive = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Size of the last chunk, and of all that wait; for most readers none ever does. */
  #lastChunkSize = 0;
  #queuedSizes: number[] | undefined;
  #drained: (() => void) | undefined;

  constructor(
    readonly row: StreamRow,
    private readonly owner: { removeReader(reader: Reader): void },
  ) {
    // The reader itself is the source: closures of its own would be a tenth of what an open stream holds.
    this.body = new ReadableStream<Uint8Array>(this);
  }

  /** The stream's own call. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }

  /** The stream's own call: it has room again. */
  pull(): void {
    this.#drained?.();
  }

  /** The stream's own call: the client is gone. */
  cancel(): void {
    this.#detach();
  }

  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  /** Writes to the stream, or drops a reader who does not keep up. */
  write(bytes: Uint8Array): void {
    const controller = this.#controller;
    if (!controller || bytes.byteLength === 0) return;
    if (this.#sizeOfQueue(controller) > maxQueuedBytes) {
      this.#detach();
      controller.error(new Error('the reader does not keep up'));
      return;
    }
    this.#lastChunkSize = bytes.byteLength;
    this.#queuedSizes?.push(this.#lastChunkSize);
    try {
      controller.enqueue(bytes);
    } catch {
      // The client has just gone.
      this.#detach();
    }
  }

  /** Bytes that wait. A stream without a strategy wishes for one chunk: what it has more of shows below zero. */
  #sizeOfQueue({ desiredSize }: ReadableStreamDefaultController<Uint8Array>): number {
    const chunks = 1 - (desiredSize ?? 0);
    if (chunks === 0) {
      this.#queuedSizes = undefined;
      return 0;
    }
    this.#queuedSizes ??= [this.#lastChunkSize];
    this.#queuedSizes.splice(0, this.#queuedSizes.length - chunks);
    return this.#queuedSizes.reduce((sum, size) => sum + size, 0);
  }

  /** Resolves when little waits for the reader, or when it is gone. */
  async drained(): Promise<void> {
    while (this.#controller && (this.#controller.desiredSize ?? 0) <= 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
      this.#drained = undefined;
    }
  }

  /** Ends the stream after a last event. */
  end(finalEvent = ''): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#detach();
    try {
      if (finalEvent !== '') controller.enqueue(encode(finalEvent));
      controller.close();
    } catch {
      // The client has just gone itself.
    }
  }

  #detach(): void {
    if (!this.#controller) return;
    this.#controller = undefined;
    this.#drained?.();
    this.owner.removeReader(this);
  }
}
