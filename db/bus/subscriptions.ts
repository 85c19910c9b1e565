import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log.ts';

/** One connection that hears channels. */
interface BusConnection {
  listen(channel: string): Promise<void>;
  /** Resolves when the other end answers. */
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

/** How processes reach each other: PostgreSQL or Valkey. */
export interface Transport {
  publish(channel: string, payload: string): Promise<void>;
  /** Opens a line that tells what it hears, and once when it is lost. */
  connect(onMessage: (channel: string, payload: string) => void, onLost: () => void): Promise<BusConnection>;
  close(): Promise<void>;
}

interface Listener {
  onMessage: (payload: string) => void;
  onReady: () => void;
}

const firstDelay = 100;
const maxDelay = 2_000;
/**
 * Milliseconds between two questions whether the other end is there: a machine that lost its power, or a router that forgot us, ends no
 * connection, and the kernel looks after an idle one for ten minutes and more. One that is not answered by the next is lost.
 */
const pingEvery = 5_000;
/** An answer that has come while the process was busy is read by then. */
const readWithin = 100;

/** A line and the channels that it hears or is about to hear. */
interface OpenConnection {
  connection: Promise<BusConnection>;
  subscribed: Map<string, Promise<void>>;
}

/**
 * Everything that this process listens to, over one line that is opened again for as long as it takes. Whoever listens is
 * told each time the line is up, because messages may have been missed.
 */
export class BusSubscriptions {
  #listeners = new Map<string, Set<Listener>>();
  #open: OpenConnection | undefined;
  #delay = firstDelay;
  #retry: Timer | undefined;
  #isConnected = true;

  constructor(
    private readonly transport: Transport,
    private readonly pause = pingEvery,
  ) {}

  /** False from when the line is lost until all that listens hears again and was told so: what others send may be missed. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Resolves when the channel is heard for the first time; @throws what hindered it */
  async add(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    try {
      await this.#subscribe(channel);
    } catch (error) {
      await this.#remove(channel, listener);
      throw error;
    }
    listener.onReady();
    return () => this.#remove(channel, listener);
  }

  #subscribe(channel: string): Promise<void> {
    const { connection, subscribed } = this.#connect();
    const subscription = subscribed.get(channel) ?? connection.then((opened) => opened.listen(channel));
    subscribed.set(channel, subscription);
    return subscription;
  }

  #connect(): OpenConnection {
    if (this.#open) return this.#open;
    const onLost = () => {
      if (this.#open !== open) return;
      this.#open = undefined;
      if (this.#isConnected) log.warn('the bus is lost: what other processes say shows later');
      this.#isConnected = false;
      this.#reconnect();
    };
    const connection = this.transport.connect((channel, payload) => {
      for (const { onMessage } of this.#listeners.get(channel) ?? []) onMessage(payload);
    }, onLost);
    const open: OpenConnection = { connection, subscribed: new Map() };
    this.#open = open;
    connection.then(
      (opened) => void this.#watch(open, opened, onLost),
      () => {
        if (this.#open === open) this.#open = undefined;
      },
    );
    return open;
  }

  /** Until the line is another one. */
  async #watch(open: OpenConnection, connection: BusConnection, onLost: () => void): Promise<void> {
    while (this.#open === open) {
      let isAnswered = false;
      connection.ping().then(
        () => {
          isAnswered = true;
        },
        () => {},
      );
      await sleep(this.pause, undefined, { ref: false });
      if (!isAnswered) await sleep(readWithin, undefined, { ref: false });
      if (isAnswered || this.#open !== open) continue;
      onLost();
      await connection.close().catch(() => {});
    }
  }

  /** Opens the line anew: what it led to is elsewhere by now. */
  reopen(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    this.#isConnected = false;
    void open.connection.then((connection) => connection.close()).catch(() => {});
    this.#reconnect();
  }

  #reconnect(): void {
    if (this.#listeners.size === 0) {
      this.#isConnected = true;
      return;
    }
    clearTimeout(this.#retry);
    this.#retry = setTimeout(async () => {
      const open = this.#connect();
      try {
        await Promise.all([...this.#listeners.keys()].map((channel) => this.#subscribe(channel)));
        // Another line has taken the place of this one, which says nothing of it.
        if (this.#open !== open) return;
        this.#delay = firstDelay;
        for (const listeners of this.#listeners.values()) for (const { onReady } of listeners) onReady();
        this.#isConnected = true;
        log.warn('the bus answers again');
      } catch {
        if (this.#open && this.#open !== open) return;
        void this.#close();
        this.#delay = Math.min(maxDelay, this.#delay * 2);
        this.#reconnect();
      }
    }, this.#delay);
  }

  /** The last one closes the line. */
  async #remove(channel: string, listener: Listener): Promise<void> {
    const listeners = this.#listeners.get(channel);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(channel);
    if (this.#listeners.size === 0) await this.#close();
  }

  async #close(): Promise<void> {
    const closing = this.#open;
    this.#open = undefined;
    await closing?.connection.then((connection) => connection.close()).catch(() => {});
  }
}
