import { readFileSync } from 'node:fs';

type Server = ReturnType<typeof Bun.serve>;

/**
 * How long clients that have connected may wait to be taken. Linux hands over who says nothing at its second try: after a
 * second, or after three where the answer to the first overtook its own count.
 */
const mostWaiting = 3_500;
/** How long answers are held while the last are taken. */
const mostHeld = 500;
/** How long nothing is under way before connections on which nothing was asked are closed. */
const quiet = 1_000;

export interface Listening {
  url: string;
  /** While it is there, no answer is sent before it: the port is being closed. */
  readonly closing: Promise<void> | undefined;
  /** Answers what was accepted, then ends; what is under way after `longest` milliseconds is cut off. */
  drain(longest: number): Promise<void>;
}

/**
 * Listens at a host and port by `serve`. `localhost` means both loopback addresses: Bun takes only 127.0.0.1 for it,
 * browsers may try ::1 first. A machine without IPv6 is served at 127.0.0.1 alone.
 */
export function listen(
  host: string,
  port: number,
  serve: (hostname: string, port: number) => Server,
): Listening {
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
    async drain(longest) {
      const deadline = Date.now() + longest;
      await untilAllTaken(first.port ?? port, 100, mostWaiting);
      // Who asks again and again, each time on a new connection, is always about to be taken, unless the answer is held.
      const closed = Promise.withResolvers<void>();
      closing = closed.promise;
      await untilAllTaken(first.port ?? port, 20, mostHeld);
      const ended = Promise.all(servers.map((server) => server.stop()));
      closing = undefined;
      closed.resolve();
      await Promise.race([ended, untilQuiet(servers, deadline)]);
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

/**
 * Waits until all who have connected were taken: the system resets who waits when nobody listens any more. Asked twice, so that what
 * the last taken have sent is read, too: a connection on which nothing is under way is closed at once.
 * @param pause milliseconds between two looks
 * @param most milliseconds, however many wait then
 */
async function untilAllTaken(port: number, pause: number, most: number): Promise<void> {
  const deadline = Date.now() + most;
  for (let without = 0; without < 2 && Date.now() < deadline; ) {
    await Bun.sleep(pause);
    without = someWait(port) ? 0 : without + 1;
  }
}

/**
 * Whether somebody has connected to the port and was not taken yet. Linux hands a connection over when its first bytes come, as
 * Bun wishes, or after about a second: until then it is half open (03) to it; later it counts in the queue of who listens (0A).
 */
function someWait(port: number): boolean {
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
  while (Date.now() < Math.min(deadline, busyAt + quiet)) {
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
