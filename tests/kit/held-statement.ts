import { connect, createServer } from 'node:net';

/** A line to a database, on which what has a statement in it stays unsent. */
export async function holdAt(url: string, statement: string) {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const { hostname, port } = new URL(url);
  const door = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.on('data', (bytes) => {
      if (bytes.includes(statement)) resolve();
      else far.write(bytes);
    });
    far.pipe(near);
    for (const end of [near, far])
      end.on('error', () => end.destroy()).on('close', () => [near, far].map((each) => each.destroy()));
  });
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  const address = door.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const own = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(address.port) });
  return { url: own.href, held, close: () => void door.close() };
}
