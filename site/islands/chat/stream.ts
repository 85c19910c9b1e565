import { token } from '../../stores/session.ts';
import { type EventRun, EventStreamParser, runsOf } from './events.ts';

/** `waiting`: nothing comes just now; `polling`: a stream is not possible here, new messages are asked for. */
export type Connection = 'connecting' | 'live' | 'waiting' | 'polling';

interface StreamListener {
  /** The newest event that is known: the stream goes on after it. */
  lastEventId(): number;
  /** Those after it wait until it is done. When it fails the stream is left, and the next one goes on after the last that was done. */
  events(run: EventRun): Promise<void>;
  /** Asks once for what is new. */
  poll(): Promise<void>;
  state(connection: Connection): void;
  /** There is no such channel any more, or it is another one now. */
  gone(): void;
}

/** The server beats every 8 s: nothing for so long is a dead connection, or a proxy that holds everything back. */
const silenceTimeout = 20_000;
const firstByteTimeout = 10_000;
const maxRetryDelay = 30_000;
const pollInterval = 4000;
const hiddenPollInterval = 30_000;
/** How long is polled before a stream is tried again; twice as long after the next failure, and so on up to five times. */
const pollingTime = 60_000;
const maxPollingFactor = 5;
/** Failed streams after which polling begins. */
const failuresBeforePolling = 2;
/** A stream that ends sooner is cut again and again: the next one waits longer, but no longer than this. */
const stableAfter = 10_000;
const maxCutRetryDelay = 8000;

interface Outcome {
  /** The server spoke: streams are possible here. */
  hasSpoken: boolean;
  /** It held, or ended as the server announced: the next failure is the first again. */
  isStable: boolean;
  /** The server said when to come back, ms. */
  retryAfter?: number;
}

/**
 * Follows a channel's stream for as long as the page lives (decision C2): reconnects with growing, jittered pauses, at once
 * when the network or the reader is back, and falls back to polling where streams are blocked. Loses nothing: every
 * connection goes on after the last event that arrived. There is never more than one.
 */
export function openStream(path: string, listener: StreamListener): void {
  let connection: AbortController | undefined;
  let wakeUp = () => {};
  /** When the connection was begun or last heard, ms: events of focus come in swarms, only the first may end a silent one. */
  let lastActivity = 0;
  /** The next connection is wanted without a pause. */
  let skipDelay = false;
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

  async function connect(): Promise<Outcome> {
    const control = new AbortController();
    connection = control;
    const began = Date.now();
    lastActivity = began;
    let watchdog = setTimeout(() => control.abort(), firstByteTimeout);
    let hasSpoken = false;
    const outcome = (): Outcome => ({ hasSpoken, isStable: hasSpoken && Date.now() - began >= stableAfter });
    try {
      const response = await fetch(path, {
        cache: 'no-store',
        headers: {
          ...(token.get() ? { authorization: `Bearer ${token.get()}` } : {}),
          accept: 'text/event-stream',
          'last-event-id': String(listener.lastEventId()),
        },
        signal: control.signal,
      });
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
      if (response.status === 404 || response.redirected) listener.gone();
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!response.ok || !response.body || !isStream)
        return Number.isFinite(retryAfter) ? { ...outcome(), retryAfter } : outcome();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const events = new EventStreamParser();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return outcome();
        clearTimeout(watchdog);
        watchdog = setTimeout(() => control.abort(), silenceTimeout);
        lastActivity = Date.now();
        if (!hasSpoken) listener.state('live');
        hasSpoken = true;
        for (const run of runsOf(events.read(value))) {
          if (run.name === 'reconnect') {
            const { afterMs = 0 }: { afterMs?: number } = JSON.parse(run.data.join(''));
            return { hasSpoken, isStable: true, retryAfter: afterMs };
          }
          try {
            await listener.events(run);
          } catch {
            // Asked again at once, a server in trouble would have more of it; polling may work where this did not.
            return { hasSpoken: false, isStable: false };
          }
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
    const until = Date.now() + pollingTime * Math.min(maxPollingFactor, failures - failuresBeforePolling + 1);
    while (failures > 0 && Date.now() < until) {
      try {
        await listener.poll();
      } catch {
        return false;
      }
      listener.state('polling');
      await sleep(document.hidden ? hiddenPollInterval : pollInterval * (0.75 + Math.random() / 2));
    }
    return true;
  }

  /** How long to wait for the next connection, ms; never as long as all the others do. */
  function retryDelay({ hasSpoken, isStable, retryAfter }: Outcome): number {
    if (retryAfter !== undefined) return Math.min(maxRetryDelay, retryAfter * (1 + Math.random()));
    if (isStable) return 1000 * Math.random();
    const growing = Math.min(hasSpoken ? maxCutRetryDelay : maxRetryDelay, 1000 * 2 ** (cuts - 1));
    return growing * (0.5 + Math.random() / 2);
  }

  async function run(): Promise<void> {
    listener.state('connecting');
    for (;;) {
      const outcome = await connect();
      failures = outcome.hasSpoken ? 0 : failures + 1;
      cuts = outcome.isStable ? 0 : cuts + 1;
      if (failures >= failuresBeforePolling && (await poll())) continue;
      listener.state('waiting');
      if (!skipDelay) await sleep(retryDelay(outcome));
      skipDelay = false;
      listener.state('connecting');
    }
  }

  /** The next connection, or question, is wanted now; one that has been silent for more than a heartbeat is not trusted. */
  const checkConnection = () => {
    if (connection && !connection.signal.aborted && Date.now() - lastActivity > firstByteTimeout) {
      skipDelay = true;
      connection.abort();
    }
    wakeUp();
  };
  const checkIfVisible = () => {
    if (!document.hidden) checkConnection();
  };
  const onOnline = () => {
    failures = 0;
    cuts = 0;
    checkConnection();
  };
  const onOffline = () => connection?.abort();
  addEventListener('focus', checkIfVisible);
  addEventListener('pageshow', checkIfVisible);
  document.addEventListener('visibilitychange', checkIfVisible);
  addEventListener('online', onOnline);
  addEventListener('offline', onOffline);
  void run();
}
