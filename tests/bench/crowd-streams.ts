/**
 * Readers of a channel who stay: a stream that breaks off is opened again after its last event, as a browser does. Some of them, spread
 * over all, note every message that they get; the others only its bytes. `bun tests/bench/crowd-streams.ts` reads its plan as a line,
 * says `ready` when all are open, and after another line prints what it saw.
 */
export interface StreamsPlan {
  port: number;
  path: string;
  streams: number;
  probes: number;
}

export interface StreamsResult {
  open: number;
  /** How often a stream broke off, and ms until the last of them was open again. */
  cut: number;
  backAfter: number;
  /** Ids of messages, as each probe got them. */
  seen: number[][];
  /** ms from sending to reading, of messages that were sent while the stream was open. */
  p50: number;
  p95: number;
  p99: number;
}

interface Reader {
  number: number;
  isProbe: boolean;
  isOpen: boolean;
  openedAt: number;
  brokeAt: number;
  lastEventId: string | undefined;
  /** Of a probe: what is not a whole event yet. Of the others: what came last. */
  text: string;
  chunk: Buffer | undefined;
  seen: number[];
}

const lines = console[Symbol.asyncIterator]();
const nextLine = async () => String((await lines.next()).value);
const plan: StreamsPlan = JSON.parse(await nextLine());
const latencies: number[] = [];
let cut = 0;
let backAfter = 0;
let isOver = false;

/** Fifty behind an address. */
const addressOf = (n: number) => `10.66.${Math.floor(n / 50 / 250)}.${Math.floor(n / 50) % 250}`;

/** A probe reads whole events; what was sent before its stream was open is caught up, and late for no fault of the delivery. */
function readEvents(reader: Reader, chunk: Buffer): void {
  const text = reader.text + chunk.toString('latin1');
  const end = text.lastIndexOf('\n\n');
  reader.text = text.slice(end + 2);
  const now = Date.now();
  for (const [, id = '', event, data = ''] of text
    .slice(0, end + 2)
    .matchAll(/^id: (\d+)\nevent: (\w+)\ndata: (.*)$/gm)) {
    reader.lastEventId = id;
    if (event !== 'message') continue;
    reader.seen.push(Number(id));
    const sentAt = Number(/"content":"t(\d+)/.exec(data)?.[1] ?? 0);
    if (sentAt >= reader.openedAt) latencies.push(now - sentAt);
  }
}

/** Of one that counts only: the last event of what came last. */
function lastIdOf({ lastEventId, chunk }: Reader): string | undefined {
  return [...(chunk?.toString('latin1').matchAll(/^id: (\d+)$/gm) ?? [])].at(-1)?.[1] ?? lastEventId;
}

function open(reader: Reader): Promise<void> {
  return new Promise((resolve) => {
    const comeAgain = () => {
      if (!isOver) setTimeout(() => void open(reader).then(resolve), 500 + Math.random() * 1_500);
    };
    void Bun.connect<Reader>({
      hostname: '127.0.0.1',
      port: plan.port,
      data: reader,
      socket: {
        open(socket) {
          const after = reader.lastEventId ? `Last-Event-ID: ${reader.lastEventId}\r\n` : '';
          socket.write(
            `GET ${plan.path} HTTP/1.1\r\nHost: localhost:${plan.port}\r\nX-Forwarded-For: ${addressOf(reader.number)}\r\n${after}\r\n`,
          );
        },
        data(socket, chunk) {
          if (!reader.isOpen) {
            if (!chunk.subarray(0, 12).toString().startsWith('HTTP/1.1 200')) return void socket.end();
            reader.isOpen = true;
            reader.openedAt = Date.now();
            if (reader.brokeAt > 0) backAfter = Math.max(backAfter, reader.openedAt - reader.brokeAt);
            resolve();
          }
          if (reader.isProbe) readEvents(reader, chunk);
          else if (chunk.includes('id: ')) reader.chunk = chunk;
        },
        close() {
          if (isOver) return;
          if (reader.isOpen) {
            cut += 1;
            reader.brokeAt = Date.now();
          }
          if (!reader.isProbe) reader.lastEventId = lastIdOf(reader);
          Object.assign(reader, { isOpen: false, text: '', chunk: undefined });
          comeAgain();
        },
        connectError: comeAgain,
      },
    }).catch(() => {});
  });
}

const interval = Math.max(1, Math.floor(plan.streams / plan.probes));
const readers = Array.from(
  { length: plan.streams },
  (_, number): Reader => ({
    number,
    isProbe: number % interval === 0,
    isOpen: false,
    openedAt: 0,
    brokeAt: 0,
    lastEventId: undefined,
    text: '',
    chunk: undefined,
    seen: [],
  }),
);
for (let from = 0; from < readers.length; from += 50)
  await Promise.all(readers.slice(from, from + 50).map(open));
console.log('ready');
await nextLine();
isOver = true;
latencies.sort((a, b) => a - b);
const share = (part: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
const result: StreamsResult = {
  open: readers.filter(({ isOpen }) => isOpen).length,
  cut,
  backAfter,
  seen: readers.filter(({ isProbe }) => isProbe).map(({ seen }) => seen),
  p50: share(0.5),
  p95: share(0.95),
  p99: share(0.99),
};
console.log(JSON.stringify(result));
process.exit(0);
