/**
 * Many open event streams in one process, by plain sockets. Some of them, spread over all, look at what they get: a
 * message says `t<milliseconds>` when it was sent. The others count bytes.
 * `bun tests/bench/chat-readers.ts` reads its plan as a line, `{"port":4411,"streams":[{"path":"/…","address":"10.0.0.1"}],"probes":20}`,
 * says `ready` when all are open, and after another line, which says how many messages each probe is to get, prints what it saw: at once,
 * or once all are there or `patience` is over. Only then what is late can be told from what is lost.
 */
export interface ReaderPlan {
  port: number;
  streams: { path: string; address: string }[];
  probes: number;
}

export interface ReaderResult {
  open: number;
  /** Messages that all probes together saw. */
  messages: number;
  probes: number;
  p50: number;
  p99: number;
  late: number;
  /** Of the readers that only count. */
  fewestBytes: number;
  mostBytes: number;
}

interface State {
  probe: boolean;
  bytes: number;
  incomplete: string;
  opened(): void;
  isOpen: boolean;
}

const lines = console[Symbol.asyncIterator]();
const nextLine = async () => String((await lines.next()).value);
const plan: ReaderPlan = JSON.parse(await nextLine());
const probeInterval = Math.max(1, Math.floor(plan.streams.length / plan.probes));
/** In ms. */
const patience = 20_000;
const latencies: number[] = [];
const states: State[] = [];

function readLatencies(state: State, chunk: Buffer): void {
  const now = Date.now();
  const text = state.incomplete + chunk.toString('latin1');
  const end = text.lastIndexOf('\n\n');
  state.incomplete = text.slice(end + 2);
  for (const [, sentAt] of text.slice(0, end + 2).matchAll(/"content":"t(\d+)/g))
    latencies.push(now - Number(sentAt));
}

function open({ path, address }: { path: string; address: string }, probe: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const state: State = { probe, bytes: 0, incomplete: '', opened: resolve, isOpen: false };
    states.push(state);
    void Bun.connect<State>({
      hostname: '127.0.0.1',
      port: plan.port,
      data: state,
      socket: {
        open(socket) {
          socket.write(
            `GET ${path} HTTP/1.1\r\nHost: localhost:${plan.port}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
          );
        },
        data(socket, chunk) {
          const state = socket.data;
          if (!state.isOpen) {
            state.isOpen = true;
            if (!chunk.subarray(0, 12).toString().startsWith('HTTP/1.1 200')) {
              reject(new Error(chunk.toString().slice(0, 200)));
              return;
            }
            state.opened();
          }
          state.bytes += chunk.byteLength;
          if (state.probe) readLatencies(state, chunk);
        },
        close: ({ data }) => {
          data.isOpen = false;
        },
        error: (_, error) => reject(error),
      },
    });
  });
}

for (let offset = 0; offset < plan.streams.length; offset += 50) {
  await Promise.all(
    plan.streams.slice(offset, offset + 50).map((each, n) => open(each, (offset + n) % probeInterval === 0)),
  );
}
console.log('ready');
const expected = Number(await nextLine()) * states.filter(({ probe }) => probe).length;
for (let waited = 0; latencies.length < expected && waited < patience; waited += 100) await Bun.sleep(100);
latencies.sort((a, b) => a - b);
const share = (part: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
const byteCounts = states.filter(({ probe }) => !probe).map(({ bytes }) => bytes);
const result: ReaderResult = {
  open: states.filter(({ isOpen }) => isOpen).length,
  messages: latencies.length,
  probes: states.filter(({ probe }) => probe).length,
  p50: share(0.5),
  p99: share(0.99),
  late: latencies.filter((each) => each > 1_000).length,
  fewestBytes: Math.min(...byteCounts, Number.POSITIVE_INFINITY),
  mostBytes: Math.max(...byteCounts, 0),
};
console.log(JSON.stringify(result));
process.exit(0);
