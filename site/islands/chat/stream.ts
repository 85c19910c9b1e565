import { token } from '../../stores/session.ts';
import { EventReader, type ServerEvent } from './events.ts';

/** `waiting`: nothing comes just now; `polling`: a stream is not possible here, new messages are asked for. */
export type Connection = 'connecting' | 'live' | 'waiting' | 'polling';

interface Listener {
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
/** How long is polled before a stream is tried again; twice as long after the next failure, and so on up to five times. */
const pollingTime = 60_000;
const mostPolling = 5;
/** Failed streams after which polling begins. */
const patience = 2;
/** A stream that ends sooner is cut again and again: the next one waits longer, but no longer than this. */
const steady = 10_000;
const longestCutPause = 8000;

interface Outcome {
  /** The server spoke: streams are possible here. */
  spoke: boolean;
  /** It held, or ended as the server announced: the next failure is the first again. */
  held: boolean;
  /** The server said when to come back, ms. */
  wait?: number;
}

/**
 * Follows a channel's stream for as long as the page lives (decision C2): reconnects with growing, jittered pauses, at once
 * when the network or the reader is back, and falls back to polling where streams are blocked. Loses nothing: every
 * connection goes on after the last event that arrived. There is never more than one.
 */
export function follow(path: string, listener: Listener): { close(): void } {
  const closing = new AbortController();
  let connection: AbortController | undefined;
  let wakeUp = () => {};
  /** When the connection was begun or last heard, ms: events of focus come in swarms, only the first may end a silent one. */
  let lastSign = 0;
  /** The next connection is wanted without a pause. */
  let hurry = false;
  /** Streams in a row on which nothing came. */
  let failures = 0;
  /** Streams in a row that did not hold. */
  let cuts = 0;

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
    const began = Date.now();
    lastSign = began;
    let watchdog = setTimeout(() => control.abort(), firstByte);
    let spoke = false;
    const outcome = (): Outcome => ({ spoke, held: spoke && Date.now() - began >= steady });
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
        return Number.isFinite(wait) ? { ...outcome(), wait } : outcome();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const events = new EventReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return outcome();
        clearTimeout(watchdog);
        watchdog = setTimeout(() => control.abort(), silence);
        lastSign = Date.now();
        if (!spoke) listener.state('live');
        spoke = true;
        for (const event of events.read(value)) {
          if (event.name === 'reconnect') {
            const { afterMs = 0 }: { afterMs?: number } = JSON.parse(event.data);
            return { spoke, held: true, wait: afterMs };
          }
          listener.event(event);
        }
      }
    } catch {
      return outcome();
    } finally {
      clearTimeout(watchdog);
      control.abort();
    }
  }

  /** Polls until it is time for the next stream; false when even that does not work. */
  async function poll(): Promise<boolean> {
    const until = Date.now() + pollingTime * Math.min(mostPolling, failures - patience + 1);
    while (!closing.signal.aborted && failures > 0 && Date.now() < until) {
      try {
        await listener.poll();
      } catch {
        return false;
      }
      listener.state('polling');
      await sleep(document.hidden ? pollHiddenEvery : pollEvery * (0.75 + Math.random() / 2));
    }
    return true;
  }

  /** How long to wait for the next connection, ms; never as long as all the others do. */
  function pause({ spoke, held, wait }: Outcome): number {
    if (wait !== undefined) return Math.min(longestPause, wait * (1 + Math.random()));
    if (held) return 1000 * Math.random();
    const growing = Math.min(spoke ? longestCutPause : longestPause, 1000 * 2 ** (cuts - 1));
    return growing * (0.5 + Math.random() / 2);
  }

  async function run(): Promise<void> {
    listener.state('connecting');
    while (!closing.signal.aborted) {
      const outcome = await listen();
      if (closing.signal.aborted) return;
      failures = outcome.spoke ? 0 : failures + 1;
      cuts = outcome.held ? 0 : cuts + 1;
      if (failures >= patience && (await poll())) continue;
      listener.state('waiting');
      if (!hurry) await sleep(pause(outcome));
      hurry = false;
      listener.state('connecting');
    }
  }

  /** The next connection, or question, is wanted now; one that has been silent for more than a heartbeat is not trusted. */
  const look = () => {
    if (connection && !connection.signal.aborted && Date.now() - lastSign > firstByte) {
      hurry = true;
      connection.abort();
    }
    wakeUp();
  };
  const lookIfSeen = () => {
    if (!document.hidden) look();
  };
  const back = () => {
    failures = 0;
    cuts = 0;
    look();
  };
  const gone = () => connection?.abort();
  const { signal } = closing;
  addEventListener('focus', lookIfSeen, { signal });
  addEventListener('pageshow', lookIfSeen, { signal });
  document.addEventListener('visibilitychange', lookIfSeen, { signal });
  addEventListener('online', back, { signal });
  addEventListener('offline', gone, { signal });
  void run();
  return {
    close() {
      closing.abort();
      wakeUp();
    },
  };
}
