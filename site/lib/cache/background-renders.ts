import { log } from '#db/log.ts';

/** Keys that may wait; more are forgotten, and rendered when somebody asks. */
const mostWaiting = 5_000;
/** It rests for so many times as long as it worked: a quarter of a core at most. */
const restFactor = 3;

/** Pages that are rendered before anybody asks for them, one after another, below a share of a core. */
export class BackgroundRenders {
  #waiting = new Set<string>();
  #isRunning = false;
  #hasEnded = false;

  constructor(private readonly render: (key: string) => Promise<void>) {}

  /** Renders these pages when it comes to them. */
  add(keys: Iterable<string>): void {
    for (const key of keys) if (this.#waiting.size < mostWaiting) this.#waiting.add(key);
    void this.#run();
  }

  /** Renders these pages next. */
  addFirst(keys: readonly string[]): void {
    this.#waiting = new Set([...keys, ...this.#waiting]);
    void this.#run();
  }

  /** Begins no other. */
  end(): void {
    this.#hasEnded = true;
    this.#waiting.clear();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      const [key] = this.#waiting;
      if (key === undefined || this.#hasEnded) break;
      this.#waiting.delete(key);
      const startedAt = performance.now();
      // It is rendered when somebody asks.
      await this.render(key).catch((error: unknown) =>
        log.warn({ err: error }, 'a page could not be made ahead'),
      );
      await Bun.sleep(restFactor * (performance.now() - startedAt));
    }
    this.#isRunning = false;
  }
}
