import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from 'bun';
import sharp from 'sharp';
import { config, getConfig, setConfig } from '#api/config.ts';
import { checkOriginals } from '#api/media/check-originals.ts';
import { answerMedia } from '#api/media/routes.ts';
import { connection } from '#db/client.ts';
import { type Answer, bearer, call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { fileForm, makeFile } from '#tests/kit/pictures.ts';
import { startStore, type TestStore } from '#tests/kit/s3.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();

let s3: TestStore;
let dataDir: string;
let editor: { token: string };
const useStore = (url: string) =>
  setConfig({ ...config(), storage: getConfig({ STORAGE_URL: url }).storage, dataDir });

beforeAll(async () => {
  s3 = await startStore();
  dataDir = await mkdtemp(join(tmpdir(), 'byeol-pictures-'));
  useStore(s3.url);
  editor = await makeFan({ role: 'editor' });
});
afterAll(async () => {
  await s3.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const upload = async (bytes: Uint8Array<ArrayBuffer>): Promise<Answer> =>
  call('/api/admin/pictures', { method: 'POST', body: fileForm(bytes), headers: bearer(editor.token) });
const keyOf = ({ json }: Answer) => String(Reflect.get(Object(json), 'key'));
const red = { colours: ['#ff0000', '#ee0000'] as const };
const isRed = async (answer: Response) => {
  const { dominant } = await sharp(new Uint8Array(await answer.arrayBuffer())).stats();
  return dominant.r > 200 && dominant.g < 60 && dominant.b < 60;
};
const seen = (key: string, size = '3x2-400') => {
  const path = `/media/${key}/${size}.webp`;
  return answerMedia(new Request(`http://localhost${path}`), path);
};
/** A store that this machine kept waiting for seconds is away for a moment. */
const untilRed = (key: string, size?: string) => until(async () => isRed(await seen(key, size)));

test('originals and made sizes are in the bucket, and nothing of them on the disk', async () => {
  const answer = await upload(await makeFile('jpeg', red));
  expect(answer.status).toBe(200);
  const key = keyOf(answer);
  await untilRed(key);
  const { storage } = config();
  if (!storage) throw new Error('the store is set');
  const stored = async () => {
    const { contents = [] } = await new S3Client(storage).list({ prefix: `${key}/` });
    return contents.map((each) => each.key).sort();
  };
  // Whoever asks for a size does not wait until it is there.
  await until(async () => (await stored()).length > 1);
  expect(await stored()).toEqual([`${key}/3x2-400-auto.webp`, `${key}/original.jpg`]);
  expect(await readdir(dataDir)).toEqual([]);
});

test('a store that is away shows the drawn art of the star, takes nothing in, and heals', async () => {
  const star = await makeStar();
  const key = keyOf(await upload(await makeFile('png', { ...red, width: 500 })));
  const [{ slug } = { slug: '' }] = await connection()<{ slug: string }[]>`
    update stars set hero_key = ${key} where id = ${star} returning slug`;
  const art = { name: '별', fandomColor: '#3355FF', recipe: 'portrait', seed: 'x' };
  await connection()`insert into pictures (key, art, placeholder)
    values (${`star-${slug}-hero`}, ${JSON.stringify(art)}::text::jsonb, '#112233')`;
  await untilRed(key);

  await s3.stop();
  const standIn = await seen(key);
  expect([standIn.status, standIn.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=0, must-revalidate',
  ]);
  const drawn = await (await seen(`star-${slug}-hero`)).bytes();
  expect(await standIn.bytes()).toEqual(drawn);
  const refused = await upload(await makeFile('png', { ...red, width: 501 }));
  expect([refused.status, Reflect.get(Object(refused.json), 'code')]).toEqual([503, 'unavailable']);
  expect(refused.headers.get('retry-after')).toBe('5');

  await s3.start();
  await untilRed(key);
  expect((await upload(await makeFile('png', { ...red, width: 501 }))).status).toBe(200);
}, 300_000);

test('a bucket without the newest upload is told at the start', async () => {
  const key = keyOf(await upload(await makeFile('png', { ...red, width: 503 })));
  const log = recordLog();
  // Whatever else this process writes at that moment is not of it.
  const told = () => log.lines().filter(({ msg }) => msg.includes('newest uploaded picture'));
  await checkOriginals();
  expect(told()).toEqual([]);
  const { storage } = config();
  if (!storage) throw new Error('the store is set');
  await new S3Client(storage).delete(`${key}/original.jpg`);
  await checkOriginals();
  log.stop();
  expect(told()).toEqual([
    expect.objectContaining({
      key,
      msg: expect.stringContaining('not in the bucket pictures of STORAGE_URL'),
    }),
  ]);
});

test('a store that says nothing is given up after seconds, and once for all pictures of a page', async () => {
  const key = keyOf(await upload(await makeFile('png', { ...red, width: 502 })));
  let asked = 0;
  const silent = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  useStore(`s3://S3RVER:S3RVER@127.0.0.1:${port}/pictures?tls=off`);
  // The moment for which it counts as away lasts as long as this machine draws what stands in.
  setSystemTime(new Date());
  try {
    // Who waited for longer than half a minute would be told to come again.
    expect((await seen(key)).status).toBe(200);
    expect(asked).toBe(1);
    expect((await seen(key, '3x2-800')).status).toBe(200);
    expect(asked).toBe(1);
  } finally {
    setSystemTime();
  }
  silent.close();
  useStore(s3.url);
}, 300_000);

test('a bucket that takes nothing more shows what it has, and no reader waits for it to be written', async () => {
  const keys = [
    keyOf(await upload(await makeFile('png', { ...red, width: 504 }))),
    keyOf(await upload(await makeFile('png', { ...red, width: 505 }))),
  ] as const;
  const silence = Promise.withResolvers<Response>();
  const refusal = () =>
    new Response('<Error><Code>AccessDenied</Code><Message>no</Message></Error>', { status: 403 });
  let write = () => silence.promise;
  const { port } = new URL(s3.url.replace('s3:', 'http:'));
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      if (request.method === 'PUT') return write();
      const { pathname, search } = new URL(request.url);
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { headers: request.headers });
    },
  });
  useStore(s3.url.replace(`:${port}/`, `:${front.port}/`));
  const log = recordLog();
  const told = () => log.lines().filter(({ msg }) => msg === 'the store of pictures takes nothing').length;
  const first = await seen(keys[0]);
  // It is not given up yet, so nobody has waited for it.
  expect(told()).toBe(0);
  expect(await isRed(first)).toBe(true);
  silence.resolve(refusal());
  write = () => Promise.resolve(refusal());
  await untilRed(keys[0], '3x2-480');
  await until(() => told() > 0);
  await untilRed(keys[1]);
  expect((await upload(await makeFile('png', { ...red, width: 506 }))).status).toBe(503);
  await untilRed(keys[1], '3x2-800');
  log.stop();
  expect(told()).toBe(1);
  await front.stop(true);
  useStore(s3.url);
}, 300_000);
