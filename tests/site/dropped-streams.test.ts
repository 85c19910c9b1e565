import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { contention } from '#tests/kit/contention.ts';
import { makeChannel } from '#tests/kit/make.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(120_000);

let server: TestServer;
let star: number;
const sockets = new Set<Socket>();

beforeAll(async () => {
  await ensureBuilt();
  // A tenth of a thousand.
  server = await startTestServer({ settings: { TRUSTED_PROXIES: '127.0.0.1,::1', ADDRESS_LIMITS: '0.1' } });
  openDatabase(server.databaseUrl);
  star = await makeChannel({});
  await closeDatabase();
}, 120_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop();
}, 120_000);

/** Opens a stream from an address; resolves with its status and its socket when it has been greeted or refused. */
function open(address: string): Promise<{ status: number; socket: Socket }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
      socket.write(
        `GET /api/community/channels/${star}/stream HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      ),
    );
    sockets.add(socket);
    socket.on('error', reject);
    socket.on('data', (part) => {
      text += part;
      const status = Number(text.split(' ')[1]);
      if (status !== 200 || text.includes('event: hello')) resolve({ status, socket });
    });
  });
}

/** They come every eight seconds, and writing one finds out who is gone at the latest. */
const nextHeartbeat = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('data', (part) => {
      if (String(part).includes('event: heartbeat')) resolve();
    });
  });

const active = async (): Promise<number> => {
  const answer = await fetch(`${server.url}/api/community/channels/${star}`);
  return (await answer.json()).channel.activeUsers;
};

describe('a hundred streams of one address', () => {
  for (const [round, [ending, cut]] of Object.entries({
    closed: (socket: Socket) => socket.destroy(),
    reset: (socket: Socket) => socket.resetAndDestroy(),
    ended: (socket: Socket) => socket.end(),
  }).entries()) {
    test(`that are ${ending} make room long before anything is written to them, and nobody is counted who is gone`, async () => {
      const crowd = `192.0.2.${round}`;
      const keptStream = await open(`198.51.100.${round}`);
      const opened = await Promise.all(Array.from({ length: 100 }, () => open(crowd)));
      expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200));
      expect((await open(crowd)).status).toBe(429);
      await until(async () => (await active()) === 2);

      await nextHeartbeat(keptStream.socket);
      const began = performance.now();
      for (const { socket } of opened) cut(socket);
      await until(async () => (await active()) === 1);
      expect((await open(crowd)).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(7_000 * contention());

      expect(keptStream.socket.destroyed).toBe(false);
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await until(async () => (await active()) === 0);
    });
  }
});
