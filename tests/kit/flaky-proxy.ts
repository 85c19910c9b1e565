import { connect, createServer, type Socket } from 'node:net';

/** The way between a browser and the server, which can fail as networks do. */
export interface FlakyProxy {
  /** Origin of its browser's end. */
  url: string;
  /** How many connections were turned away so far. */
  readonly refused: number;
  /** Open streams go silent: no byte and no end, as behind a router that forgot them. What is idle is closed, new connections pass. */
  silence(): void;
  /** Ends everything and takes nothing new. */
  cut(): void;
  /** Takes new connections again. */
  mend(): void;
  close(): Promise<void>;
}

interface Pair {
  ends: [Socket, Socket];
  streams: boolean;
}

/** Lays a line of TCP to a server. */
export async function startFlakyProxy(server: string): Promise<FlakyProxy> {
  const { port } = new URL(server);
  const pairs = new Set<Pair>();
  let isCut = false;
  let refused = 0;
  const door = createServer((near) => {
    if (isCut) {
      refused += 1;
      near.destroy();
      return;
    }
    const far = connect(Number(port), 'localhost');
    const pair: Pair = { ends: [near, far], streams: false };
    pairs.add(pair);
    far.on('data', (bytes) => {
      pair.streams ||= bytes.includes('text/event-stream');
    });
    near.pipe(far).pipe(near);
    for (const end of pair.ends) {
      end.on('error', () => end.destroy());
      end.on('close', () => {
        pairs.delete(pair);
        for (const each of pair.ends) each.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const address = door.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const end = () => {
    for (const { ends } of pairs) for (const each of ends) each.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    get refused() {
      return refused;
    },
    silence() {
      for (const { ends, streams } of pairs) {
        const [near, far] = ends;
        if (!streams) near.destroy();
        near.unpipe();
        far.unpipe();
        near.pause();
        far.pause();
      }
    },
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
    close() {
      end();
      return new Promise((resolve) => door.close(() => resolve()));
    },
  };
}
