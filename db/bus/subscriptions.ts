/** One connection that hears channels. */
export interface Line {
  listen(channel: string): Promise<void>;
  close(): Promise<void>;
}

/** How processes reach each other: PostgreSQL or Valkey. */
export interface Transport {
  publish(channel: string, payload: string): Promise<void>;
  /** Opens a line that tells what it hears, and once when it is lost. */
  connect(onMessage: (channel: string, payload: string) => void, onLost: () => void): Promise<Line>;
  close(): Promise<void>;
}

interface Listener {
  onMessage: (payload: string) => void;
  onReady: () => void;
}

const firstPause = 100;
const longestPause = 2_000;

/** A line and the channels that it hears or is about to hear. */
interface Open {
  line: Promise<Line>;
  heard: Map<string, Promise<void>>;
}

/**
 * Everything that this process listens to, over one line that is opened again for as long as it takes. Whoever listens is
 * told each time the line is up, because messages may have been missed.
 */
export class Subscriptions {
  #listeners = new Map<string, Set<Listener>>();
  #open: Open | undefined;
  #pause = firstPause;

  constructor(private readonly transport: Transport) {}

  /** Resolves when the channel is heard for the first time; @throws what hindered it */
  async add(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const known = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, known.add(listener));
    try {
      await this.#hear(channel);
    } catch (error) {
      await this.#remove(channel, listener);
      throw error;
    }
    listener.onReady();
    return () => this.#remove(channel, listener);
  }

  #hear(channel: string): Promise<void> {
    const { line, heard } = this.#openLine();
    const known = heard.get(channel) ?? line.then((open) => open.listen(channel));
    heard.set(channel, known);
    return known;
  }

  #openLine(): Open {
    if (this.#open) return this.#open;
    const lost = () => {
      if (this.#open !== open) return;
      this.#open = undefined;
      this.#openAgain();
    };
    const line = this.transport.connect((channel, payload) => {
      for (const { onMessage } of this.#listeners.get(channel) ?? []) onMessage(payload);
    }, lost);
    const open: Open = { line, heard: new Map() };
    this.#open = open;
    line.catch(() => {
      if (this.#open === open) this.#open = undefined;
    });
    return open;
  }

  #openAgain(): void {
    if (this.#listeners.size === 0) return;
    setTimeout(async () => {
      try {
        await Promise.all([...this.#listeners.keys()].map((channel) => this.#hear(channel)));
        this.#pause = firstPause;
        for (const listeners of this.#listeners.values()) for (const { onReady } of listeners) onReady();
      } catch {
        void this.#closeLine();
        this.#pause = Math.min(longestPause, this.#pause * 2);
        this.#openAgain();
      }
    }, this.#pause);
  }

  /** The last one closes the line. */
  async #remove(channel: string, listener: Listener): Promise<void> {
    const known = this.#listeners.get(channel);
    known?.delete(listener);
    if (known?.size === 0) this.#listeners.delete(channel);
    if (this.#listeners.size === 0) await this.#closeLine();
  }

  async #closeLine(): Promise<void> {
    const closing = this.#open;
    this.#open = undefined;
    await closing?.line.then((line) => line.close()).catch(() => {});
  }
}
