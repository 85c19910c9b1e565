/**
 * The load generator of the bench, a process of its own: plain sockets, one request at a time per connection, HTTP/1.1
 * keep-alive. It reads its plan from standard input and prints one JSON line:
 * `echo '{"port":4321,"paths":["/ko"],"connections":32,"seconds":3}' | bun tests/bench/load.ts`
 */
export interface LoadPlan {
  port: number;
  /** Asked in turn, over and over. */
  paths: string[];
  connections: number;
  seconds: number;
  /** It ends when each path was asked. */
  once?: boolean;
  headers?: Record<string, string>;
  /** As many addresses as it comes from, through a proxy on loopback: what is limited by address is then limited for none. */
  clients?: number;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  failures: number;
  /** milliseconds */
  p50: number;
  p99: number;
  /** bytes of one answer, the last one seen whose length was told */
  answerBytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

interface Connection {
  /** What came of the head, or the end of the last chunk so far. */
  pending: Buffer | undefined;
  /** Bytes of the answer that have not come; infinitely many until the last chunk where its length is not told. */
  needed: number;
  startedAt: number;
}

/** Whether an answer is all there, by its length or by its last chunk, which may come in two pieces. */
function isComplete(state: Connection, received: Buffer): boolean {
  if (state.needed !== Number.POSITIVE_INFINITY) return state.needed <= 0;
  const tail = Buffer.concat([state.pending ?? Buffer.alloc(0), received]).subarray(-lastChunk.length);
  state.pending = tail;
  return tail.equals(lastChunk);
}

async function load(plan: LoadPlan): Promise<LoadResult> {
  const extra = Object.entries(plan.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = plan.paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost:${plan.port}\r\n${extra.join('')}`),
  );
  const ends = Array.from({ length: plan.clients ?? 0 }, (_, client) =>
    Buffer.from(`X-Forwarded-For: 10.0.${client >> 8}.${client & 255}\r\n\r\n`),
  );
  const plainEnd = Buffer.from('\r\n');
  let next = 0;
  let failures = 0;
  let answerBytes = 0;
  const latencies: number[] = [];
  const end = performance.now() + plan.seconds * 1000;
  const startedAt = performance.now();

  const sendRequest = (socket: Bun.Socket<Connection>) => {
    socket.data.startedAt = performance.now();
    socket.data.needed = -1;
    socket.data.pending = undefined;
    const end = ends[next % ends.length] ?? plainEnd;
    socket.write(Buffer.concat([requests[next % requests.length] ?? plainEnd, end]));
    next += 1;
  };

  const finish = (socket: Bun.Socket<Connection>) => {
    latencies.push(performance.now() - socket.data.startedAt);
    if (performance.now() < end && !(plan.once && next >= requests.length)) sendRequest(socket);
    else socket.end();
  };

  await Promise.all(
    Array.from(
      { length: plan.connections },
      () =>
        new Promise<void>((resolve) => {
          void Bun.connect<Connection>({
            hostname: '127.0.0.1',
            port: plan.port,
            data: { pending: undefined, needed: -1, startedAt: 0 },
            socket: {
              open: sendRequest,
              data(socket, chunk) {
                const state = socket.data;
                if (state.needed >= 0) {
                  state.needed -= chunk.byteLength;
                  if (isComplete(state, chunk)) finish(socket);
                  return;
                }
                const received = state.pending ? Buffer.concat([state.pending, chunk]) : chunk;
                const headLength = received.indexOf(headEnd);
                if (headLength < 0) {
                  state.pending = received;
                  return;
                }
                const head = received.toString('latin1', 0, headLength);
                if (!head.startsWith('HTTP/1.1 2')) failures += 1;
                const isChunked = /^transfer-encoding: chunked/im.test(head);
                const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
                answerBytes = headLength + 4 + length;
                state.needed = isChunked ? Number.POSITIVE_INFINITY : answerBytes - received.byteLength;
                state.pending = undefined;
                if (isComplete(state, received)) finish(socket);
              },
              close: () => resolve(),
              error: () => resolve(),
            },
          });
        }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requests: latencies.length,
    perSecond: Math.round(latencies.length / seconds),
    failures,
    p50: percentile(0.5),
    p99: percentile(0.99),
    answerBytes,
  };
}

if (import.meta.main) console.log(JSON.stringify(await load(await Bun.stdin.json())));
