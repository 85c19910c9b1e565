import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { ensureBuilt } from '#site/launch/build.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

let server: TestServer;

beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer();
}, 120_000);
afterAll(() => server.stop());

/** Sends a body that never ends, a byte every second or none; resolves with the status, or 0 when it is cut off without one. */
function postSlowly(drips: boolean): Promise<number> {
  return new Promise((resolve) => {
    let dripping: Timer | undefined;
    const socket = connect(Number(new URL(server.url).port), 'localhost', () => {
      socket.write(
        'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
      );
      if (drips) dripping = setInterval(() => socket.write(' '), 1000);
    });
    const end = (status: number) => {
      clearInterval(dripping);
      socket.destroy();
      resolve(status);
    };
    socket.once('data', (part) => end(Number(String(part).split(' ')[1])));
    socket.once('error', () => end(0));
    socket.once('close', () => end(0));
  });
}

test('a body that drips or stalls is answered 408, whenever it began', async () => {
  // Bun looks for idle connections every four seconds, so when one began decides how early it is cut off.
  const statuses = await Promise.all(
    [0, 1000, 2000, 3000].flatMap((wait) =>
      [true, false].map(async (drips) => {
        await Bun.sleep(wait);
        return postSlowly(drips);
      }),
    ),
  );
  expect(statuses).toEqual(Array(8).fill(408));
}, 30_000);
