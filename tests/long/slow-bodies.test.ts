import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { ensureBuilt } from '#site/launch/build.ts';
import { contention } from '#tests/kit/contention.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

let server: TestServer;

beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer();
  // What a page takes the first time is not what the second test is about.
  await (await fetch(`${server.url}/ko`)).text();
}, 300_000);
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

// At the same time: each waits for ten seconds to be over.
test.concurrent('a body that drips or stalls is answered 408, whenever it began', async () => {
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
}, 300_000);

test.concurrent('headers that never end are cut off, and others are answered meanwhile', async () => {
  const { port } = new URL(server.url);
  const began = performance.now();
  const cuts = Array.from({ length: 50 }, () => {
    const socket = connect(Number(port), 'localhost', () =>
      socket.write('GET /ko HTTP/1.1\r\nHost: localhost\r\nX-A: '),
    );
    return new Promise<void>((cut) => socket.once('close', () => cut()).once('error', () => cut()));
  });
  await Bun.sleep(500);
  const asked = performance.now();
  expect((await fetch(`${server.url}/ko`)).status).toBe(200);
  expect(performance.now() - asked).toBeLessThan(8_000 * contention());
  await Promise.all(cuts);
  expect(performance.now() - began).toBeLessThan(40_000 * contention());
}, 300_000);
