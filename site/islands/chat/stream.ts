import { token } from '../../stores/session.ts';
import { EventReader, type ServerEvent } from './events.ts';

/** `waiting`: nothing comes just now; `polling`: a stream is not possible here, new messages are asked for. */
export type Connection = 'connecting' | 'live' | 'waiting' | 'polling';

export interface Listener {
  /** The newest event that is known: the stream goes on after it. */
  lastEventId(): number;
  event(event: ServerEvent): void;
  /** Asks once for what is new. */
  poll(): Promise<void>;
  state(connection: Connection): void;
}

/** The server beats every 8 s: nothing for so long is a dead connection, or a proxy that holds everything back. */
const silence = 20_000;
const firstByte = 10_000;
const longestPause = 30_000;
const pollEvery = 4000;
const pollHiddenEvery = 30_000;
/** How long is polled before a stream is tried again. */
const pollingTime = 60_000;
/** Failed streams after which polling begins. */
const patience = 2;

interface Outcome {
  /** The server spoke: the next failure is the first again. */
  spoke: boolean;
  /** The server said when to come back, ms. */
  wait?: number;
}

/**
 * Follows a channel's stream for as long as the page lives (decision C2): reconnects with growing, jittered pauses, at once
 * when the network or the reader is back, and falls back to polling where streams are blocked. Loses nothing: every
 * connection goes on after the last event that arrived.
 */
export function follow(path: string, listener: Listener): { close(): void } {
  const closing = new AbortController();
  let connection: AbortController | undefined;
  let wakeUp = () => {};
  let lastByte = 0;
  let failures = 0;

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function listen(): Promise<Outcome> {
    const control = new AbortController();
    connection = control;
    let watchdog = setTimeout(() => control.abort(), firstByte);
    let spoke = false;
    try {
      const response = await fetch(path, {
        cache: 'no-store',
        headers: {
          ...(token.get() ? { authorization: `Bearer ${token.get()}` } : {}),
          accept: 'text/event-stream',
          'last-event-id': String(listener.lastEventId()),
        },
        signal: AbortSignal.any([control.signal, closing.signal]),
      });
      const wait = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!response.ok || !response.body || !isStream)
        return Number.isFinite(wait) ? { spoke, wait } : { spoke };
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const events = new EventReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return { spoke };
        clearTimeout(watchdog);
        watchdog = setTimeout(() => control.abort(), silence);
        lastByte = Date.now();
        if (!spoke) listener.state('live');
        spoke = true;
        for (const event of events.read(value)) {
          if (event.name === 'reconnect') {
            const { afterMs = 0 }: { afterMs?: number } = JSON.parse(event.data);
            return { spoke, wait: afterMs * (1 + Math.random()) };
          }
          listener.event(event);
        }
      }
    } catch {
      return { spoke };
    } finally {
      clearTimeout(watchdog);
      control.abort();
    }
  }

  /** Polls for a while; ends early when even that does not work. */
  async function poll(): Promise<void> {
    const until = Date.now() + pollingTime;
    while (!closing.signal.aborted && failures > 0 && Date.now() < until) {
      try {
        await listener.poll();
      } catch {
        return;
      }
      listener.state('polling');
      await sleep(document.hidden ? pollHiddenEvery : pollEvery * (0.75 + Math.random() / 2));
    }
  }

  async function run(): Promise<void> {
    listener.state('connecting');
    while (!closing.signal.aborted) {
      const { spoke, wait } = await listen();
      if (closing.signal.aborted) return;
      failures = spoke ? 0 : failures + 1;
      listener.state('waiting');
      if (failures >= patience) await poll();
      const growing =
        Math.min(longestPause, 1000 * 2 ** Math.max(0, failures - 1)) * (0.5 + Math.random() / 2);
      await sleep(Math.min(longestPause, wait ?? (spoke ? 1000 * Math.random() : growing)));
      listener.state('connecting');
    }
  }

  /** Back at the page: a connection that has been silent for more than a heartbeat is not trusted. */
  const look = () => {
    if (document.hidden) return;
    if (Date.now() - lastByte > firstByte) connection?.abort();
    wakeUp();
  };
  const back = () => {
    failures = 0;
    look();
  };
  const gone = () => connection?.abort();
  const { signal } = closing;
  addEventListener('focus', look, { signal });
  addEventListener('pageshow', look, { signal });
  document.addEventListener('visibilitychange', look, { signal });
  addEventListener('online', back, { signal });
  addEventListener('offline', gone, { signal });
  void run();
  return { close: () => closing.abort() };
}
