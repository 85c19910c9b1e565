import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import sharp from 'sharp';
import { connection } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { bearer } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { fileForm, makeFile } from '#tests/kit/pictures.ts';
import { startStore, type TestStore } from '#tests/kit/s3.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { until } from '#tests/kit/until.ts';

/** Three processes on one database and one store, which stops and comes back. */
const database = useDatabase();
let store: TestStore;
let servers: TestServer[] = [];

beforeAll(async () => {
  await ensureBuilt();
  store = await startStore();
  const settings = { STORAGE_URL: store.url };
  servers = await Promise.all([1, 2, 3].map(() => startTestServer({ databaseUrl: database.url, settings })));
}, 360_000);

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await store.remove();
}, 300_000);

/** What each process answers to an address. */
const everywhere = (path: string, init: RequestInit = {}) =>
  Promise.all(servers.map(({ url }) => fetch(url + path, init)));
const statuses = async (path: string) => (await everywhere(path)).map(({ status }) => status);
const isRed = async (answer: Response) => {
  if (!answer.ok) throw new Error(`no picture: ${answer.status} ${await answer.text()}`);
  const { dominant } = await sharp(await answer.bytes()).stats();
  return dominant.r > 200 && dominant.g < 60;
};

test('a picture that one process took is shown, stood in for and taken down by all', async () => {
  const [first] = servers;
  if (!first) throw new Error('the servers have started');
  const editor = await makeFan({ role: 'editor' });
  const star = await makeStar({ names: { en: 'Star' } });
  const file = await makeFile('jpeg', { width: 600, height: 400, colours: ['#ff0000', '#ee0000'] });
  const sent = await fetch(`${first.url}/api/admin/pictures`, {
    method: 'POST',
    body: fileForm(file),
    headers: bearer(editor.token),
  });
  if (!sent.ok) throw new Error(`the picture was not taken: ${sent.status} ${await sent.text()}`);
  const { id, key } = (await sent.json()) as { id: number; key: string };
  await connection()`update stars set hero_key = ${key} where id = ${star}`;

  const picture = `/media/${key}/3x2-400.webp`;
  const red = async () => (await Promise.all((await everywhere(picture)).map(isRed))).join();
  // A store that is late once is stood in for, too.
  const untilAllRed = () => until(async () => (await red()) === 'true,true,true');
  await untilAllRed();
  const page = `/en/star/${star}`;
  const showing = async () => {
    const pages = await Promise.all((await everywhere(page)).map((answer) => answer.text()));
    return pages.map((text) => text.includes(key)).join();
  };
  expect(await showing()).toBe('true,true,true');

  await store.stop();
  expect(await statuses(picture)).toEqual([200, 200, 200]);
  expect(await red()).toBe('false,false,false');
  await store.start();
  await untilAllRed();

  await fetch(`${first.url}/api/admin/pictures/${id}/withdraw`, {
    method: 'POST',
    headers: bearer(editor.token),
  });
  expect(await statuses(picture)).toEqual([410, 410, 410]);
  await until(async () => (await showing()) === 'false,false,false', 15_000);
  await fetch(`${first.url}/api/admin/pictures/${id}/withdraw`, {
    method: 'DELETE',
    headers: bearer(editor.token),
  });
  await untilAllRed();
  await until(async () => (await showing()) === 'true,true,true', 15_000);
}, 300_000);

test('an upload that stops midway is answered 408, and holds no room', async () => {
  const port = Number(new URL(servers[0]?.url ?? '').port);
  const editor = await makeFan({ role: 'editor' });
  const head = [
    'POST /api/admin/pictures HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${editor.token}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 20000000',
    '\r\n--x\r\n',
  ].join('\r\n');
  /** Resolves with the status, or 0 when it is cut off without one. */
  const stopMidway = () =>
    new Promise<number>((resolve) => {
      const socket = connect(port, 'localhost', () => socket.write(head));
      socket.once('data', (part) => {
        socket.destroy();
        resolve(Number(String(part).split(' ')[1]));
      });
      socket.once('close', () => resolve(0));
    });
  // More than fit into memory at a time: the last of them wait for the first.
  expect(await Promise.all(Array.from({ length: 6 }, stopMidway))).toEqual(Array(6).fill(408));
  const answer = await fetch(`${servers[0]?.url}/api/admin/pictures`, {
    method: 'POST',
    body: fileForm(await makeFile('png', { width: 700 })),
    headers: bearer(editor.token),
  });
  expect(answer.status).toBe(200);
}, 300_000);

test('a file that is too large is refused in words before it has come', async () => {
  const [first] = servers;
  const editor = await makeFan({ role: 'editor' });
  const large = new Uint8Array(26_000_000);
  large.set(await makeFile('jpeg'));
  const answer = await fetch(`${first?.url}/api/admin/pictures`, {
    method: 'POST',
    body: fileForm(large),
    headers: bearer(editor.token),
  });
  expect([answer.status, await answer.json()]).toEqual([
    413,
    { error: 'A picture may have at most 25 MB.', code: 'too_large', field: 'file' },
  ]);
});
