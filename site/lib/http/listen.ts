import { readFileSync } from 'node:fs';

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

export interface ListeningServer {
  url: string;
  /** While it is there, no answer is sent before it: the port is being closed. */
  readonly closing: Promise<void> | undefined;
  /** Answers what was accepted, then ends; what is under way after `longest` milliseconds is cut off. */
  drain(timeout: number): Promise<void>;
}

/**
 * Listens at a host and port by `serve`. `localhost` means both loopback addresses: Bun takes only 127.0.0.1 for it,
 * browsers may try ::1 first. A machine without IPv6 is served at 127.0.0.1 alone.
 */
export function listen(
  host: string,
  port: number,
  serve: (hostname: string, port: number) => Server,
): ListeningServer {
  const local = host === 'localhost';
  const first = serve(local ? '127.0.0.1' : host, port);
  const second = local ? attempt(() => serve('::1', first.port ?? port)) : undefined;
  const servers = second ? [first, second] : [first];
  let closing: Promise<void> | undefined;
  return {
    get closing() {
      return closing;
    },
    url: local ? `http://localhost:${first.port}/` : first.url.href,
    async drain(timeout) {
      const deadline = Date.now() + timeout;
      await acceptQueueDrained(first.port ?? port, 100, acceptQueueTimeout);
      // Who asks again and again, each time on a new connection, always waits in the queue, unless the answer is held.
      const closed = Promise.withResolvers<void>();
      closing = closed.promise;
      await acceptQueueDrained(first.port ?? port, 20, holdTimeout);
      const ended = Promise.all(servers.map((server) => server.stop()));
      closing = undefined;
      closed.resolve();
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
async function acceptQueueDrained(port: number, pause: number, timeout: number): Promise<void> {
  const deadline = Date.now() + timeout;
  for (let emptyLooks = 0; emptyLooks < 2 && Date.now() < deadline; ) {
    await Bun.sleep(pause);
    emptyLooks = hasPendingConnections(port) ? 0 : emptyLooks + 1;
  }
}

/**
 * Whether a connection to the port was not accepted yet. Linux hands a connection over when its first bytes come, as
 * Bun wishes, or after about a second: until then it is half open (03) to it; later it counts in the queue of who listens (0A).
 */
function hasPendingConnections(port: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(linesOf).some((line) => {
    const [, address = '', , state, queues = ''] = line.trim().split(/\s+/);
    if (!address.endsWith(local)) return false;
    return state === '03' || (state === '0A' && Number.parseInt(queues.split(':')[1] ?? '0', 16) > 0);
  });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
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
