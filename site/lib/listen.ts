import { readFileSync } from 'node:fs';

type Server = ReturnType<typeof Bun.serve>;

/** How long clients that have connected may wait to be taken. */
const mostWaiting = 2_000;
/** How long nothing is under way before connections on which nothing was asked are closed. */
const quiet = 1_000;

export interface Listening {
  url: string;
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
  return {
    url: local ? `http://localhost:${first.port}/` : first.url.href,
    async drain(longest) {
      const deadline = Date.now() + longest;
      await takeAll(first.port ?? port);
      const ended = Promise.all(servers.map((server) => server.stop()));
      await Promise.race([ended, untilQuiet(servers, deadline)]);
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

/**
 * Waits until all who have connected were taken: the system resets who waits when nobody listens any more. Then what has arrived
 * is read, because a connection on which nothing is under way is closed at once.
 */
async function takeAll(port: number): Promise<void> {
  const deadline = Date.now() + mostWaiting;
  do await Bun.sleep(100);
  while (someWait(port) && Date.now() < deadline);
  await new Promise<void>((next) => setImmediate(next));
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
