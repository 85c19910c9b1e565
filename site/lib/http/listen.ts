import { hasPendingConnections, type OwnQueue, ownListenersAt, socketsAt } from './accept-queue.ts';
import { leaveSharedPort, type Place, spreadEvenly } from './shared-port.ts';

type Server = ReturnType<typeof Bun.serve>;

/**
 * Milliseconds that connections may wait in the accept queue before the port closes. Linux hands over who says nothing at its
 * second try (TCP_DEFER_ACCEPT): after a second, or after three where the answer to the first overtook its own count.
 */
const acceptQueueTimeout = 3_500;
/** Milliseconds that answers are held while the last connections are accepted. */
const holdTimeout = 500;
/** How long nothing is under way before connections on which nothing was asked are closed. */
const quietPeriod = 1_000;

/** How a process goes where others serve the same port, and whom it tells that nobody comes to it any more. */
export interface Leaving {
  /** Undefined: nobody else takes what comes. */
  place?: Place | undefined;
  onClosed?(): void;
}

export interface ListeningServer {
  url: string;
  /** While it is there, no answer is sent before it: the port is being closed. */
  readonly closing: Promise<void> | undefined;
  /** Answers what was accepted, then ends; what is under way after `timeout` milliseconds is cut off. */
  drain(timeout: number, leaving?: Leaving): Promise<void>;
}

/**
 * Listens at a host and port by `serve`. `localhost` means both loopback addresses: Bun takes only 127.0.0.1 for it,
 * browsers may try ::1 first. A machine without IPv6 is served at 127.0.0.1 alone.
 * @param isShared other processes listen there as well
 */
export function listen(
  host: string,
  port: number,
  serve: (hostname: string, port: number) => Server,
  isShared = false,
): ListeningServer {
  const local = host === 'localhost';
  const first = serve(local ? '127.0.0.1' : host, port);
  const second = local ? attempt(() => serve('::1', first.port ?? port)) : undefined;
  const servers = second ? [first, second] : [first];
  const listeningPort = first.port ?? port;
  if (isShared) spreadEvenly(listeningPort);
  let closing: Promise<void> | undefined;
  return {
    get closing() {
      return closing;
    },
    url: local ? `http://localhost:${first.port}/` : first.url.href,
    async drain(timeout, { place, onClosed } = {}) {
      const deadline = Date.now() + timeout;
      const closed = Promise.withResolvers<void>();
      if (!(place && leaveSharedPort(listeningPort, place))) {
        await acceptQueueDrained(listeningPort, 100, acceptQueueTimeout);
        // Who asks again and again, each time on a new connection, always waits in the queue, unless the answer is held.
        closing = closed.promise;
        await acceptQueueDrained(listeningPort, 20, holdTimeout);
      } else {
        await ownQueueDrained(listeningPort);
      }
      const ended = Promise.all(servers.map((server) => server.stop()));
      closing = undefined;
      closed.resolve();
      onClosed?.();
      await Promise.race([ended, untilQuiet(servers, deadline)]);
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

/**
 * Waits until the accept queue (backlog) of the port is empty: the system resets who waits in it when nobody listens any more.
 * Asked twice, so that what the last accepted have sent is read, too: a connection on which nothing is under way is closed at once.
 * @param pause milliseconds between two looks
 * @param timeout milliseconds, however many wait then
 */
async function acceptQueueDrained(
  port: number,
  pause: number,
  timeout: number,
  own?: OwnQueue,
): Promise<void> {
  const deadline = Date.now() + timeout;
  for (let emptyLooks = 0; emptyLooks < 2 && Date.now() < deadline; ) {
    await Bun.sleep(pause);
    emptyLooks = hasPendingConnections(port, own) ? 0 : emptyLooks + 1;
  }
}

/** The same for a port that others serve as well, to whom new connections go by now. */
async function ownQueueDrained(port: number): Promise<void> {
  // What Linux had in its hands when it was told to choose others is listed by then.
  await Bun.sleep(20);
  await acceptQueueDrained(port, 50, acceptQueueTimeout, {
    inodes: new Set(ownListenersAt(port).map(({ inode }) => inode)),
    handshakes: new Set(
      socketsAt(port)
        .filter(({ state }) => state === '03')
        .map(({ remote }) => remote),
    ),
  });
}

/** Resolves when nothing has been under way for a while, at the latest at `deadline`. */
async function untilQuiet(servers: readonly Server[], deadline: number): Promise<void> {
  let busyAt = Date.now();
  while (Date.now() < Math.min(deadline, busyAt + quietPeriod)) {
    await Bun.sleep(50);
    if (servers.some(({ pendingRequests }) => pendingRequests > 0)) busyAt = Date.now();
  }
}

function attempt(serve: () => Server): Server | undefined {
  try {
    return serve();
  } catch {
    return undefined;
  }
}
