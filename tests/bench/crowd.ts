/**
 * A crowd that asks a site, a process of its own: each kind of request comes at its rate, whatever the answers take, over plain sockets
 * that are kept. The time of an answer counts from when its request was due. `bun tests/bench/crowd.ts` reads its plan as a line, says
 * `ready`, asks until another line comes, and prints what it saw as a third.
 */
export interface CrowdRequest {
  method: 'GET' | 'POST';
  path: string;
  /** The address that a proxy would name. */
  address: string;
  token?: string;
  /** JSON; `$now` becomes the time in ms, `$key` a new UUID. */
  body?: string;
}

export interface CrowdKind {
  kind: string;
  perSecond: number;
  /** Asked in turn. */
  requests: CrowdRequest[];
  /** What broke off is asked again until it is answered, with the same key. */
  again?: boolean;
}

export interface CrowdPlan {
  port: number;
  connections: number;
  kinds: CrowdKind[];
}

export interface CrowdResult {
  /** Of each kind what was answered with 200: when it was due, in ms since 1970, and after how many ms it was there. */
  kinds: { kind: string; answers: [due: number, after: number][] }[];
  /** Moments in ms since 1970. */
  failures: { at: number; kind: string; reason: string }[];
  /** The keys of those that are asked again, once they were answered with 200. */
  acknowledged: string[];
  /** By address and ETag: when such an answer was first and last asked for. */
  versions: { path: string; etag: string; first: number; last: number }[];
}

interface Asked extends CrowdRequest {
  kind: CrowdKind;
  due: number;
  key: string;
  isRepeat: boolean;
}

interface Connection {
  asked: Asked | undefined;
  received: Buffer | undefined;
  needed: number;
}

const lines = console[Symbol.asyncIterator]();
const nextLine = async () => String((await lines.next()).value);
const { port, connections, kinds }: CrowdPlan = JSON.parse(await nextLine());

const answers = new Map(kinds.map((kind) => [kind, [] as [number, number][]]));
const failures: CrowdResult['failures'] = [];
const acknowledged: string[] = [];
const versions = new Map<string, CrowdResult['versions'][number]>();
const waiting: Asked[] = [];
const idle: Bun.Socket<Connection>[] = [];
let unanswered = 0;
let isOver = false;
const headEnd = Buffer.from('\r\n\r\n');

/** Asks the next that waits, if there is one and somebody to ask it. */
function dispatch(): void {
  while (waiting.length > 0 && idle.length > 0) {
    const [socket, asked] = [idle.shift(), waiting.shift()];
    if (!socket || !asked) return;
    socket.data = { asked, received: undefined, needed: -1 };
    socket.write(textOf(asked));
  }
}

function textOf({ method, path, address, token, body = '', key }: Asked): string {
  const content = body.replace('$now', String(Date.now())).replace('$key', key);
  return [
    `${method} ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    'Accept-Encoding: br',
    `X-Forwarded-For: ${address}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
    `\r\n${content}`,
  ].join('\r\n');
}

function fail(asked: Asked, reason: string): void {
  unanswered -= 1;
  // A repeat may be told that the first attempt is still under way.
  if (!(asked.isRepeat && reason === '409')) failures.push({ at: Date.now(), kind: asked.kind.kind, reason });
  if (asked.kind.again) setTimeout(() => ask({ ...asked, isRepeat: true }), 200);
}

function answer(socket: Bun.Socket<Connection>, head: string): void {
  const { asked } = socket.data;
  socket.data.asked = undefined;
  idle.push(socket);
  if (!asked) return;
  const status = head.slice(9, 12);
  if (status === '200') {
    unanswered -= 1;
    const due = Math.round(performance.timeOrigin + asked.due);
    answers.get(asked.kind)?.push([due, Math.round((performance.now() - asked.due) * 10) / 10]);
    if (asked.kind.again) acknowledged.push(asked.key);
    const etag = /^etag: (.+)$/im.exec(head)?.[1];
    if (etag && asked.method === 'GET') note(asked.path, etag, due);
  } else fail(asked, status);
}

function note(path: string, etag: string, at: number): void {
  const known = versions.get(path + etag);
  if (known) known.last = Math.max(known.last, at);
  else versions.set(path + etag, { path, etag, first: at, last: at });
}

function connect(): void {
  void Bun.connect<Connection>({
    hostname: '127.0.0.1',
    port,
    data: { asked: undefined, received: undefined, needed: -1 },
    socket: {
      open(socket) {
        idle.push(socket);
        dispatch();
      },
      data(socket, chunk) {
        const state = socket.data;
        state.received = state.received ? Buffer.concat([state.received, chunk]) : chunk;
        const headLength = state.received.indexOf(headEnd);
        if (headLength < 0) return;
        const head = state.received.toString('latin1', 0, headLength);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (state.received.byteLength < headLength + 4 + length) return;
        answer(socket, head);
        dispatch();
      },
      close(socket) {
        const place = idle.indexOf(socket);
        if (place >= 0) idle.splice(place, 1);
        if (socket.data.asked) fail(socket.data.asked, 'cut');
        if (!isOver) connect();
      },
      connectError() {
        // Nobody listens: whoever is due now is turned away, as in a browser.
        const turnedAway = waiting.shift();
        if (turnedAway) fail(turnedAway, 'refused');
        setTimeout(connect, 50);
      },
    },
  }).catch(() => {});
}

function ask(asked: Asked): void {
  unanswered += 1;
  waiting.push({ ...asked, due: performance.now() });
  dispatch();
}

for (let opened = 0; opened < connections; opened += 1) connect();
console.log('ready');
const begin = performance.now();
const askedSoFar = new Map(kinds.map((kind) => [kind, 0]));
const timer = setInterval(() => {
  for (const kind of kinds) {
    let asked = askedSoFar.get(kind) ?? 0;
    const dueBy = Math.floor(((performance.now() - begin) / 1_000) * kind.perSecond);
    for (; asked < dueBy; asked += 1) {
      const request = kind.requests[asked % kind.requests.length];
      if (request) ask({ ...request, kind, due: 0, key: crypto.randomUUID(), isRepeat: false });
    }
    askedSoFar.set(kind, asked);
  }
}, 5);
await nextLine();
clearInterval(timer);
for (let waited = 0; unanswered > 0 && waited < 10_000; waited += 50) await Bun.sleep(50);
isOver = true;

const result: CrowdResult = {
  kinds: kinds.map((kind) => ({ kind: kind.kind, answers: answers.get(kind) ?? [] })),
  failures,
  acknowledged,
  versions: [...versions.values()],
};
console.log(JSON.stringify(result));
process.exit(0);
