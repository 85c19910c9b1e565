import type { StreamRow } from '#db/queries/streams.ts';
import { encode } from './frames.ts';

/** Bytes that may wait for a reader in this process; the system keeps some for the socket too. */
const queued = 64 * 1024;
/** A reader for whom more waits is dropped: it connects again and catches up from the table. */
const mostWaiting = 512 * 1024;

/** One open stream: where it stands, and what is written to it. */
export class Reader {
  readonly body: ReadableStream<Uint8Array>;
  /** The last event that this reader has. */
  position = 0;
  /** Gets what happens; before that it catches up. */
  isLive = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #drained: (() => void) | undefined;

  constructor(
    readonly row: StreamRow,
    private readonly onEnd: (reader: Reader) => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#drained?.(),
        cancel: () => this.#ended(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: queued }),
    );
  }

  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  /** Writes to the stream, or drops a reader who does not keep up. */
  write(bytes: Uint8Array): void {
    const controller = this.#controller;
    if (!controller || bytes.byteLength === 0) return;
    if ((controller.desiredSize ?? 0) < queued - mostWaiting) {
      this.#ended();
      controller.error(new Error('the reader does not keep up'));
      return;
    }
    try {
      controller.enqueue(bytes);
    } catch {
      // The client has just gone.
      this.#ended();
    }
  }

  /** Resolves when little waits for the reader, or when it is gone. */
  async drained(): Promise<void> {
    while (this.#controller && (this.#controller.desiredSize ?? 0) <= 0) {
      await new Promise<void>((done) => {
        this.#drained = done;
      });
      this.#drained = undefined;
    }
  }

  /** Ends the stream after a last event. */
  end(last = ''): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#ended();
    try {
      if (last !== '') controller.enqueue(encode(last));
      controller.close();
    } catch {
      // The client has just gone itself.
    }
  }

  #ended(): void {
    if (!this.#controller) return;
    this.#controller = undefined;
    this.#drained?.();
    this.onEnd(this);
  }
}
