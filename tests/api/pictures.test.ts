import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { config, setConfig } from '#api/config.ts';
import { onInvalidation } from '#api/invalidation.ts';
import { store } from '#api/media/choose-store.ts';
import { deleteWithdrawnBytes } from '#api/media/library.ts';
import { answerMedia } from '#api/media/routes.ts';
import { StoreAway, StoreUnwritable } from '#api/media/store.ts';
import { readOriginal } from '#api/media/upload-sizes.ts';
import { VARIANTS } from '#api/media/variants.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { readStarProfile } from '#api/stars/stars.ts';
import { connection } from '#db/client.ts';
import { findStarProfile } from '#db/queries/stars/stars.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { makeCertificate } from '#tests/kit/certificate.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { untilSomebodyWaits } from '#tests/kit/lock-waits.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';
import { fileForm, makeFile, makeNoise } from '#tests/kit/pictures.ts';
import { until } from '#tests/kit/until.ts';

useDatabase({ patient: true });

let editor: { id: number; token: string };
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'byeol-pictures-'));
  setConfig({ ...config(), dataDir });
});
beforeEach(async () => {
  editor = await makeFan({ role: 'editor' });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const send = (body: RequestInit['body'], headers: Record<string, string> = bearer(editor.token)) =>
  call('/api/admin/pictures', { method: 'POST', body, headers });
const upload = (bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) =>
  send(fileForm(bytes, { fields }));
const read = (answer: Answer, name: string): unknown => Reflect.get(Object(answer.json), name);
const idOf = (answer: Answer) => Number(read(answer, 'id'));
const keyOf = (answer: Answer) => String(read(answer, 'key'));
const problem = (answer: Answer) => [answer.status, read(answer, 'code'), read(answer, 'field')];
const ask = (method: string, path: string, body?: unknown) => {
  const init = body === undefined ? { method } : sending(body, method);
  return call(`/api/admin/pictures${path}`, {
    ...init,
    headers: { ...init.headers, ...bearer(editor.token) },
  });
};
const seen = (path: string) => answerMedia(new Request(`http://localhost${path}`), path);
const statusOf = async (key: string) => (await seen(`/media/${key}/3x2-400.webp`)).status;

/** Another picture for every test: the same bytes are the same picture. */
let shade = 0;
const freshFile = (options: Parameters<typeof makeFile>[1] = {}) => {
  const grey = (++shade).toString(16).padStart(2, '0');
  return makeFile('jpeg', { colours: [`#${grey}2030`, `#2040${grey}`], ...options });
};

describe('an upload', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
    'is taken as %s by its content, whatever it is called, and served in all formats without its EXIF',
    async (format) => {
      const bytes = await makeFile(format, { colours: ['#00aa00', '#aa00aa'] });
      const answer = await send(fileForm(bytes, { name: '../../etc/passwd.svg', type: 'text/html' }));
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          id: expect.any(Number),
          key: expect.stringMatching(/^upload-[0-9a-f]{24}$/),
          width: 320,
          height: 200,
          // Two of the formats keep the very same pixels, which are one picture.
          isKnown: expect.any(Boolean),
          credit: null,
        },
      ]);
      for (const extension of ['avif', 'webp', 'jpg', 'png'] as const) {
        const served = await seen(`/media/${keyOf(answer)}/3x2-400.${extension}`);
        const pixels = new Uint8Array(await served.arrayBuffer());
        const { width, height, exif, xmp, iptc } = await sharp(pixels).metadata();
        expect([served.status, width, height, exif, xmp, iptc]).toEqual([
          200,
          400,
          267,
          undefined,
          undefined,
          undefined,
        ]);
      }
    },
  );

  test('leaves camera and place behind, also in the private original and anywhere on the disk', async () => {
    const bytes = await freshFile();
    const { exif } = await sharp(bytes).metadata();
    expect(exif?.includes('Secret Camera')).toBe(true);
    const key = keyOf(await upload(bytes));
    const original = await readOriginal(key);
    expect((await sharp(original).metadata()).exif).toBeUndefined();
    for (const path of await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true })) {
      // A size that another test asked for may still be on its way.
      if (!path.isFile() || !/\.[a-z]{3,4}$/.test(path.name)) continue;
      const content = await readFile(join(path.parentPath, path.name), 'latin1');
      expect(content).not.toContain('Secret Camera');
    }
  });

  test('is read by no other user of the machine, also where an older release left its folder open', async () => {
    const older = await mkdtemp(join(dataDir, 'older-'));
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    await mkdir(join(older, 'uploads'), { mode: 0o755 });
    const now = config();
    setConfig({ ...now, dataDir: older });
    expect(await readOriginal(`upload-${'0'.repeat(24)}`)).toBeUndefined();
    const folder = join(older, 'uploads');
    expect(await modeOf(folder)).toBe('700');
    const key = keyOf(await upload(await freshFile()));
    await seen(`/media/${key}/3x2-400.webp`);
    setConfig(now);
    const written = async () =>
      (await readdir(join(folder, key))).filter((name) => /\.(?:jpg|webp)$/.test(name));
    await until(async () => (await written()).length === 2);
    const files = await written();
    expect(await Promise.all(['', ...files].map((file) => modeOf(join(folder, key, file))))).toEqual([
      '700',
      '600',
      '600',
    ]);
  });

  test('is turned upright', async () => {
    const answer = await upload(await freshFile({ width: 300, height: 200, orientation: 6 }));
    expect(answer.json).toMatchObject({ width: 200, height: 300 });
    const { data } = await sharp(await readOriginal(keyOf(answer)))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Turned clockwise by a quarter, the left half is the upper one.
    expect([(data[0] ?? 0) < 40, (data.at(-1) ?? 0) < 60]).toEqual([true, true]);
    const [row] = await connection()`select aspect, placeholder from pictures where key = ${keyOf(answer)}`;
    expect(row).toEqual({ aspect: '3:4', placeholder: expect.stringMatching(/^#[0-9a-f]{6}$/) });
  });

  test('of the same bytes is the same picture, once in the audit log, however many send it at once', async () => {
    const bytes = await freshFile();
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(bytes)));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(answers.filter(({ json }) => Reflect.get(Object(json), 'isKnown') === false)).toHaveLength(1);
    const log = await connection()`select actor_id from audit_log
      where action = 'picture.add' and subject_id = ${idOf(answers[0] as Answer)}`;
    expect(log).toHaveLength(1);
  });

  test('that was there already is told to be, with the credit that it keeps, or gets where it had none', async () => {
    const bytes = await freshFile();
    const whole = { credit: 'Kim', licence: 'CC BY 4.0', creditUrl: 'https://photos.example/kim' };
    const sendWith = async (fields: Record<string, string>) =>
      (await send(fileForm(bytes, { fields }), bearer(editor.token))).json;
    expect(await sendWith({ credit: 'Lee' })).toMatchObject({ isKnown: false, credit: 'Lee' });
    expect(await sendWith({ credit: 'Park' })).toMatchObject({ isKnown: true, credit: 'Lee' });
    // The three belong together: one alone is nobody's credit yet.
    expect(await sendWith(whole)).toMatchObject({ isKnown: true, credit: 'Kim' });
    expect(await sendWith({ ...whole, credit: 'Park' })).toMatchObject({ isKnown: true, credit: 'Kim' });
  });

  test('by a key is made once, and its key is for these bytes alone', async () => {
    const [bytes, others] = [await freshFile(), await freshFile()];
    const press = (file: Uint8Array<ArrayBuffer>, fields = {}) =>
      send(fileForm(file, { fields }), { ...bearer(editor.token), 'idempotency-key': 'press-1' });
    const answers = await Promise.all([press(bytes), press(bytes), press(bytes)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(idOf)).size).toBe(1);
    // The answer of the first call, also of what was taken down since.
    expect((await ask('POST', `/${idOf(answers[0] as Answer)}/withdraw`, {})).status).toBe(200);
    expect((await press(bytes)).json).toEqual((answers[0] as Answer).json);
    for (const other of [await press(others), await press(bytes, { credit: 'Somebody' })])
      expect(problem(other)).toEqual([409, 'key_reused', 'Idempotency-Key']);
    const [row] =
      await connection()`select count(*)::int as n from pictures where id > ${idOf(answers[0] as Answer)}`;
    expect(row).toEqual({ n: 0 });
  });

  test('is what its bytes are, wherever its name points to and whatever it says it is', async () => {
    for (const [name, type] of [
      ['../../../../etc/cron.d/x.jpg', 'image/jpeg'],
      ['..\\..\\boot.jpg', 'text/html'],
      ['/etc/passwd', 'image/svg+xml'],
      ['x.jpg\0.php', 'application/x-php'],
      ['x'.repeat(5000), ''],
    ] as const) {
      const form = new FormData();
      form.set('file', new File([await freshFile()], name, { type }));
      const answer = await send(form);
      expect([name, answer.status, keyOf(answer)]).toEqual([
        name,
        200,
        expect.stringMatching(/^upload-[0-9a-f]{24}$/),
      ]);
      expect(await readdir(join(dataDir, 'uploads', keyOf(answer)))).toContain('original.jpg');
    }
    const key = keyOf(await upload(await freshFile()));
    for (const path of [
      `/media/${key}/original.jpg`,
      `/media/${key}/../${key}/original.jpg`,
      `/media/${key}/..%2f..%2fsecret/3x2-400.webp`,
      `/media/${key}%00/3x2-400.webp`,
      `/media/..%2f${key}/3x2-400.webp`,
      `/media/${key.toUpperCase()}/3x2-400.webp`,
      `/media/${key}/3x2-999999.webp`,
    ])
      expect([path, (await seen(path)).status]).toEqual([path, 404]);
  });

  test('keeps what was said with it', async () => {
    const fields = {
      'alt.ko': '무대 위의 별',
      'alt.en': '',
      credit: 'Kim Byeol',
      licence: 'CC BY 4.0',
      takenAt: '2024-05',
    };
    const id = idOf(await upload(await freshFile(), fields));
    expect((await ask('GET', `/${id}`)).json).toMatchObject({
      alt: { ko: '무대 위의 별' },
      credit: 'Kim Byeol',
      licence: 'CC BY 4.0',
      creditUrl: null,
      takenAt: '2024-05',
      focus: null,
      withdrawnAt: null,
      usedBy: { starIds: [], articleIds: [] },
    });
    expect(problem(await upload(await freshFile(), { takenAt: '2024-02-30' }))).toEqual([
      400,
      'date',
      'takenAt',
    ]);
  });
});

test('a picture that takes long is waited for as long as a reader would, then told to be asked for again', async () => {
  const path = `/media/${keyOf(await upload(await freshFile()))}/3x2-1200.avif`;
  const request = new Request(`http://localhost${path}`);
  let isIdleLimited = true;
  registerConnection(request, undefined, () => {
    isIdleLimited = false;
  });
  const answer = await answerMedia(request, path, 0);
  expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
    503,
    '10',
    'no-store',
  ]);
  // The server would cut a connection off in which nothing happens, without an answer.
  expect(isIdleLimited).toBe(false);
  expect((await seen(path)).status).toBe(200);
});

test('every size of every picture, asked for at once, keeps out neither who asks for one nor an editor', async () => {
  const uploads = [
    await upload(await freshFile()),
    await upload(await freshFile()),
    await upload(await freshFile()),
  ] as const;
  const sizes = Object.entries<readonly number[]>(VARIANTS).flatMap(([aspect, widths]) =>
    widths.map((width) => `${aspect.replace(':', 'x')}-${width}`),
  );
  const paths = uploads.flatMap((answer) =>
    sizes.flatMap((size) => ['webp', 'jpg'].map((format) => `/media/${keyOf(answer)}/${size}.${format}`)),
  );
  const wanted = keyOf(await upload(await freshFile()));
  expect(paths.length).toBeGreaterThan(102);
  const statuses: number[] = [];
  const crowd = Promise.all(paths.map(async (path) => statuses.push((await seen(path)).status)));
  await until(() => statuses.includes(503));
  const whole = await ask('GET', `/${idOf(uploads[0])}/whole`);
  expect([await statusOf(wanted), whole.status]).toEqual([200, 200]);
  expect(statuses.length).toBeLessThan(paths.length);
  await crowd;
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

test('a disk that takes nothing is told to the editor and to the log, and what it has is still shown', async () => {
  // What others asked for may still be written, into a folder that is not theirs to find.
  const before = config();
  const own = await mkdtemp(join(dataDir, 'full-'));
  setConfig({ ...before, dataDir: own });
  const key = keyOf(await upload(await freshFile()));
  expect(await statusOf(key)).toBe(200);
  const folder = join(own, 'uploads');
  await until(() => Bun.file(join(folder, key, '3x2-400-auto.webp')).exists());
  const log = recordLog();
  // No folder can be made below a file, whoever runs the tests.
  await rename(folder, `${folder}-kept`);
  await writeFile(folder, '');
  const answers = [await upload(await freshFile()), await upload(await freshFile())];
  await rm(folder);
  await rename(`${folder}-kept`, folder);
  log.stop();
  for (const answer of answers) {
    expect(problem(answer)).toEqual([503, 'unwritable', 'file']);
    expect(read(answer, 'error')).toBe(
      'The disk of the site cannot be written: whoever runs it has to mend that.',
    );
  }
  expect(log.lines().filter(({ msg }) => msg === 'the folder of pictures takes nothing')).toHaveLength(1);
  expect(await statusOf(key)).toBe(200);
  expect((await upload(await freshFile())).status).toBe(200);
  setConfig(before);
});

test.each([
  ['ENOSPC', true],
  ['EDQUOT', true],
  ['EROFS', false],
])('a disk that answers %s is full: %p', (code, isFull) => {
  expect(new StoreUnwritable(Object.assign(new Error('no'), { code })).isFull).toBe(isFull);
});

test('what a power cut left empty is made again, an original that it damaged is drawn until somebody sends it again', async () => {
  const bytes = await freshFile();
  const answer = await upload(bytes);
  const folder = join(dataDir, 'uploads', keyOf(answer));
  const path = `/media/${keyOf(answer)}/3x2-400.webp`;
  const first = await (await seen(path)).bytes();
  await until(() => Bun.file(join(folder, '3x2-400-auto.webp')).exists());
  await truncate(join(folder, '3x2-400-auto.webp'));
  expect(await (await seen(path)).bytes()).toEqual(first);
  const original = join(folder, 'original.jpg');
  const size = (await stat(original)).size;
  for (const damage of ['middle', 'end', 'all'] as const) {
    if (damage === 'middle') {
      const spoilt = await readFile(original);
      await writeFile(original, spoilt.fill(0, Math.round(size / 2), Math.round(size / 2) + 400));
    } else await truncate(original, damage === 'end' ? 2_000 : 0);
    const log = recordLog();
    const standIn = await seen(`/media/${keyOf(answer)}/1x1-224.webp`);
    // Told once, however many sizes are asked for; an empty one counts as none.
    await seen(`/media/${keyOf(answer)}/3x2-800.webp`);
    log.stop();
    expect(log.lines().filter(({ msg }) => msg === 'the original of a picture is damaged')).toHaveLength(
      damage === 'all' ? 0 : 1,
    );
    expect([standIn.status, standIn.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=0, must-revalidate',
    ]);
    expect((await ask('GET', `/${idOf(answer)}/whole`)).status).toBe(404);
    expect((await upload(bytes)).status).toBe(200);
    expect((await stat(original)).size).toBe(size);
    expect((await ask('GET', `/${idOf(answer)}/whole`)).status).toBe(200);
  }
  expect((await seen(`/media/${keyOf(answer)}/1x1-224.webp`)).headers.get('cache-control')).toBe(
    'public, max-age=600',
  );
});

describe('a picture of somebody else’s server', () => {
  const before = config();
  let asked = 0;
  let end = () => {};
  /** A server of its own for each test, and the key of a picture that it has. */
  const pictureAt = async (port: number) => {
    const key = `video-${port}`;
    setConfig({ ...config(), fetchAllow: [`localhost:${port}`] });
    await connection()`insert into pictures (key, source_url, placeholder)
      values (${key}, ${`http://localhost:${port}/poster`}, '#112233')`;
    return key;
  };
  afterEach(() => {
    end();
    setConfig({ ...config(), fetchAllow: before.fetchAllow });
  });

  test('that says nothing keeps no drawn picture waiting, and is not asked again for a while', async () => {
    asked = 0;
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      asked += 1;
      sockets.add(socket.on('error', () => {}));
    });
    await new Promise<void>((done) => silent.listen(0, 'localhost', done));
    end = () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    };
    const address = silent.address();
    const key = await pictureAt(typeof address === 'object' && address ? address.port : 0);
    const sizes = ['3x2-400', '3x2-800', '1x1-224'].map((size) => `/media/${key}/${size}.webp`);
    let isAnswered = false;
    const waiting = Promise.all(sizes.map(seen)).finally(() => {
      isAnswered = true;
    });
    await until(() => asked > 0);
    const drawn = await seen('/media/brand/3x4-416.png');
    expect([drawn.status, isAnswered]).toEqual([200, false]);
    end();
    for (const { status } of await waiting) expect(status).toBe(502);
    expect((await seen(`/media/${key}/1x1-480.webp`)).status).toBe(502);
    expect(asked).toBe(1);
  });

  test('is none when it is a document or damaged', async () => {
    const { env } = process;
    const trust = env.NODE_TLS_REJECT_UNAUTHORIZED;
    env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const photo = await freshFile();
    const bodies = {
      photo,
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>'),
      half: photo.slice(0, 900),
    };
    const log = recordLog();
    for (const [name, status] of [
      ['photo', 200],
      ['svg', 502],
      ['half', 502],
    ] as const) {
      const server = Bun.serve({ port: 0, tls: makeCertificate(), fetch: () => new Response(bodies[name]) });
      const key = await pictureAt(server.port ?? 0);
      expect([name, (await seen(`/media/${key}/3x2-400.webp`)).status]).toEqual([name, status]);
      await server.stop(true);
    }
    log.stop();
    if (trust === undefined) delete env.NODE_TLS_REJECT_UNAUTHORIZED;
    else env.NODE_TLS_REJECT_UNAUTHORIZED = trust;
  });
});

describe('what is no picture', () => {
  const text = (content: string) => new TextEncoder().encode(content);
  const after = async (content: string) => new Uint8Array([...(await freshFile()), ...text(content)]);

  test.each<[string, string, () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>]>([
    [
      'svg',
      'SVG',
      () => text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    ],
    ['html', 'HTML', () => text('\n<!DOCTYPE html><title>x</title>')],
    ['type', 'plain text', () => text('hello')],
    [
      'type',
      'a photograph of a phone that no browser shows',
      () => text('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
    ],
    ['required', 'nothing', () => new Uint8Array()],
    ['damaged', 'half a picture', async () => (await freshFile()).slice(0, 900)],
    ['damaged', 'the first bytes of one alone', () => new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
    ['hidden', 'a page after a picture', () => after('<html><body onload=alert(1)>')],
    ['hidden', 'a script after a picture', () => after('<script>alert(1)</script>')],
    ['hidden', 'a script that looks like a GIF', () => text('GIF89a/*<script>*/=1;')],
    ['hidden', 'PHP after a picture', () => after('<?php system($_GET[0]); ?>')],
    ['hidden', 'a PDF after a picture', () => after('%PDF-1.7\n')],
    [
      'hidden',
      'an archive after a picture',
      () => after(`PK\x01\x02${'x'.repeat(50)}PK\x05\x06${'\0'.repeat(18)}`),
    ],
  ])('is refused in words as %s: %s', async (code, _, make) => {
    const before = await connection()`select count(*)::int from pictures`;
    const answer = await upload(await make());
    expect(problem(answer)).toEqual([400, code, 'file']);
    expect(String(read(answer, 'error'))).toMatch(/\.$/);
    expect(await connection()`select count(*)::int from pictures`).toEqual(before);
  });

  test('is refused when its script stands in the picture’s own metadata', async () => {
    const bytes = await sharp(await freshFile())
      .withExif({ IFD0: { Copyright: '<script>alert(document.domain)</script>' } })
      .jpeg()
      .toBuffer();
    expect(problem(await upload(new Uint8Array(bytes)))).toEqual([400, 'hidden', 'file']);
  });

  test('is refused before its pixels are unpacked: a bomb of 64 megapixels in a few kilobytes', async () => {
    const bomb = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.byteLength).toBeLessThan(300_000);
    expect(problem(await upload(new Uint8Array(bomb)))).toEqual([400, 'pixels', 'file']);
    const heavy = await sharp({ create: { width: 7000, height: 3500, channels: 3, background: '#000' } })
      .avif({ effort: 0 })
      .toBuffer();
    expect(problem(await upload(new Uint8Array(heavy)))).toEqual([400, 'pixels', 'file']);
  });

  test('is refused when its pixels fill more than the store gives back: noise, which no JPEG makes small', async () => {
    const noise = makeNoise(5_000);
    expect(noise.byteLength).toBeLessThan(25_000_000);
    expect(problem(await upload(noise))).toEqual([413, 'too_large', 'file']);
  });

  test('takes little memory, however many pixels a JPEG has', async () => {
    const photo = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#123' } })
      .jpeg()
      .toBuffer();
    const memory = async (name: string) =>
      Number((await readFile('/proc/self/status', 'utf8')).match(new RegExp(`${name}:\\s+(\\d+)`))?.[1]) /
      1024;
    // The highest from here on.
    await writeFile('/proc/self/clear_refs', '5');
    const before = await memory('VmRSS');
    expect((await upload(new Uint8Array(photo))).status).toBe(200);
    expect((await memory('VmHWM')) - before).toBeWithin(0, 200);
  });

  test.each([
    [2, 65_000],
    [60, 30_000],
    [30_000, 90],
    [15, 100],
  ])('is refused as a line of %d × %d pixels, which no crop shows', async (width, height) => {
    const line = await sharp({ create: { width, height, channels: 3, background: '#c02030' } })
      .png()
      .toBuffer();
    expect(problem(await upload(new Uint8Array(line)))).toEqual([400, 'shape', 'file']);
  });

  test('is refused by its size, announced or not', async () => {
    const large = new Uint8Array(26_000_000);
    large.set(await freshFile());
    expect(problem(await upload(large))).toEqual([413, 'too_large', 'file']);
    const form = new Response(fileForm(large));
    const type = form.headers.get('content-type') ?? '';
    const streamed = await send(form.body, { ...bearer(editor.token), 'content-type': type });
    expect([streamed.status, read(streamed, 'code')]).toEqual([413, 'too_large']);
  });

  test('is refused without a file, without a form, and with half a form', async () => {
    const form = new FormData();
    form.set('file', 'not a file');
    expect(problem(await send(form))).toEqual([400, 'required', 'file']);
    expect((await send('{}', { ...bearer(editor.token), 'content-type': 'application/json' })).status).toBe(
      415,
    );
    const broken = await send('--x\r\nnonsense', {
      ...bearer(editor.token),
      'content-type': 'multipart/form-data; boundary=x',
    });
    expect([broken.status, read(broken, 'code')]).toEqual([400, 'malformed']);
  });
});

describe('who may', () => {
  test('upload is an editor; the bytes of others are not read', async () => {
    const fan = await makeFan();
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await send(body, headers)).status).toBe(401);
    expect(pulled).toBeLessThan(3);
    expect((await send(fileForm(await freshFile()), bearer(fan.token))).status).toBe(403);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/1'],
      ['GET', '/1/whole'],
      ['PUT', '/1'],
      ['POST', '/1/withdraw'],
      ['DELETE', '/1/withdraw'],
    ] as const) {
      const answer = await call(`/api/admin/pictures${path}`, {
        ...(method === 'PUT' ? sending({}, 'PUT') : { method }),
        headers: { 'content-type': 'application/json', ...bearer(fan.token) },
      });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });

  test('a hundred uploads at once lose nothing', async () => {
    const files = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        makeFile('png', { width: 40 + index, height: 30, colours: ['#102030', '#405060'] }),
      ),
    );
    const answers = await Promise.all(files.map((bytes) => upload(bytes)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(idOf)).size).toBe(100);
    for (const answer of answers) expect(await readOriginal(keyOf(answer))).toBeInstanceOf(Uint8Array);
  }, 300_000);
});

describe('an editor', () => {
  test('says what is seen, whose it is and what every crop keeps; a change that others overtook is refused', async () => {
    const id = idOf(await upload(await freshFile(), { 'alt.en': 'On stage', 'alt.ms': 'Di pentas' }));
    const { version } = await answerOf(
      typedCall('get', '/api/admin/pictures/:id', { params: { id }, headers: bearer(editor.token) }),
    );
    const change = { version, alt: { ko: '무대', ms: '' }, credit: 'Lee', focus: { x: 0.25, y: 0.75 } };
    expect((await ask('PUT', `/${id}`, change)).status).toBe(200);
    expect((await ask('GET', `/${id}`)).json).toMatchObject({
      alt: { ko: '무대', en: 'On stage' },
      credit: 'Lee',
      focus: { x: 0.25, y: 0.75 },
    });
    const late = await ask('PUT', `/${id}`, change);
    expect(problem(late).slice(0, 2)).toEqual([409, 'changed']);
    expect(read(late, 'current')).toMatchObject({ id, credit: 'Lee', focus: { x: 0.25, y: 0.75 } });
    expect(problem(await ask('PUT', `/${id}`, { focus: { x: 1.5, y: 0 } }))[0]).toBe(400);
    expect(problem(await ask('PUT', `/${id}`, { creditUrl: 'javascript:alert(1)' }))).toEqual([
      400,
      'url',
      'creditUrl',
    ]);
    expect(problem(await ask('PUT', `/${id}`, { credit: 'x'.repeat(121) }))).toEqual([400, 'long', 'credit']);
    expect((await ask('GET', '/999999')).status).toBe(404);
  });

  test('sees a crop follow the focus at the same address', async () => {
    const answer = await upload(
      await freshFile({ width: 900, height: 300, colours: ['#ff0000', '#0000ff'] }),
    );
    const middle = async () => {
      const bytes = await (await seen(`/media/${keyOf(answer)}/1x1-224.png`)).arrayBuffer();
      const { data, info } = await sharp(new Uint8Array(bytes))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const at = (112 * info.width + 112) * info.channels;
      return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue';
    };
    await ask('PUT', `/${idOf(answer)}`, { focus: { x: 0, y: 0.5 } });
    expect(await middle()).toBe('red');
    await ask('PUT', `/${idOf(answer)}`, { focus: { x: 1, y: 0.5 } });
    expect(await middle()).toBe('blue');
  });

  test.each([
    [1, 65_000],
    [60, 30_000],
    [65_000, 2],
  ])(
    'has sizes cut out of a line of %d × %d pixels that was once taken, which is not enlarged as a whole',
    async (width, height) => {
      const key = keyOf(await upload(await freshFile()));
      const line = await sharp({ create: { width, height, channels: 3, background: '#c02030' } })
        .jpeg()
        .toBuffer();
      await writeFile(join(dataDir, 'uploads', key, 'original.jpg'), line);
      const served = await seen(`/media/${key}/3x2-1200.webp`);
      const pixels = await sharp(new Uint8Array(await served.arrayBuffer()))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([served.status, pixels.info.width, pixels.info.height]).toEqual([200, 1200, 800]);
      expect((pixels.data[0] ?? 0) > 150 && (pixels.data[2] ?? 255) < 90).toBe(true);
    },
  );
});

describe('a take-down', () => {
  test('answers 410 at once, tells why to whoever sends it again, and is undone for thirty days', async () => {
    const bytes = await freshFile();
    const answer = await upload(bytes);
    const id = idOf(answer);
    const key = keyOf(answer);
    expect((await seen(`/media/${key}/3x2-400.webp`)).headers.get('cache-tag')).toBe('pictures');
    const heard: string[] = [];
    const end = await onInvalidation(
      (tags) => heard.push(...tags),
      () => {},
    );
    expect((await ask('POST', `/${id}/withdraw`, { reason: 'The photographer asked' })).status).toBe(200);
    await until(() => heard.includes('pictures'));
    await end();
    expect(await statusOf(key)).toBe(410);
    expect(problem(await ask('POST', `/${id}/withdraw`)).slice(0, 2)).toEqual([409, 'already_withdrawn']);
    const again = await upload(bytes);
    expect([...problem(again), read(again, 'error')]).toEqual([
      409,
      'withdrawn',
      'file',
      'This picture was withdrawn: The photographer asked',
    ]);
    expect((await ask('GET', '?withdrawn=true')).text).toContain(key);
    expect((await ask('GET', '?withdrawn=false')).text).not.toContain(key);
    expect((await ask('DELETE', `/${id}/withdraw`)).status).toBe(200);
    expect(await statusOf(key)).toBe(200);
    expect(problem(await ask('DELETE', `/${id}/withdraw`)).slice(0, 2)).toEqual([409, 'not_withdrawn']);
    const log = await connection()`select action, notes from audit_log where subject = 'picture'
      and subject_id = ${id} order by id`;
    expect([...log]).toEqual([
      { action: 'picture.add', notes: null },
      { action: 'picture.withdraw', notes: 'The photographer asked' },
      { action: 'picture.restore', notes: null },
    ]);
  });

  test('is final after thirty days: the bytes are gone, and the same ones may come anew', async () => {
    const bytes = await freshFile();
    const said = { credit: 'Kim Byeol', licence: 'CC BY 4.0', creditUrl: 'https://photos.example/1' };
    const answer = await upload(bytes, said);
    await ask('POST', `/${idOf(answer)}/withdraw`);
    await connection()`update pictures set withdrawn_at = now() - interval '31 days' where id = ${idOf(answer)}`;
    expect(problem(await ask('DELETE', `/${idOf(answer)}/withdraw`)).slice(0, 2)).toEqual([409, 'final']);
    await deleteWithdrawnBytes();
    expect(await readOriginal(keyOf(answer))).toBeUndefined();
    expect(await statusOf(keyOf(answer))).toBe(410);
    expect((await upload(bytes)).json).toEqual(answer.json);
    expect(await statusOf(keyOf(answer))).toBe(200);
    // A page may have named it all the while.
    expect((await ask('GET', `/${idOf(answer)}`)).json).toMatchObject(said);
  });

  /** A picture whose withdrawal became final, for so many days by now. */
  const makeWithdrawn = async (days: number) => {
    const bytes = await freshFile();
    const answer = await upload(bytes);
    await ask('POST', `/${idOf(answer)}/withdraw`);
    await connection()`update pictures set withdrawn_at = now() - make_interval(days => ${30 + days})
      where id = ${idOf(answer)}`;
    return { bytes, id: idOf(answer), key: keyOf(answer) };
  };

  test('is deleted as well when it came back long after, with a restored backup', async () => {
    const { key } = await makeWithdrawn(300);
    await deleteWithdrawnBytes();
    expect(await readOriginal(key)).toBeUndefined();
  });

  test('is deleted though another cannot be, which is told at the end', async () => {
    const older = await makeWithdrawn(2);
    const stuck = await makeWithdrawn(1);
    const disk = store();
    const remove = spyOn(disk, 'deleteFolder').mockImplementation(async (folder) => {
      if (folder === stuck.key) throw new StoreAway('it does not let go');
      await rm(join(dataDir, 'uploads', folder), { recursive: true, force: true });
    });
    await expect(deleteWithdrawnBytes()).rejects.toThrow('it does not let go');
    remove.mockRestore();
    expect(await readOriginal(older.key)).toBeUndefined();
    await expect(deleteWithdrawnBytes(AbortSignal.abort(new Error('the process stops')))).rejects.toThrow(
      'the process stops',
    );
    expect(await readOriginal(stuck.key)).toBeInstanceOf(Uint8Array);
    await deleteWithdrawnBytes();
    expect(await readOriginal(stuck.key)).toBeUndefined();
  });

  test('that is just taken in again is not deleted by the night', async () => {
    const { id, key } = await makeWithdrawn(1);
    let night: Promise<void> | undefined;
    await connection().begin(async (tx) => {
      await tx`update pictures set withdrawn_at = null where id = ${id}`;
      night = deleteWithdrawnBytes();
      await untilSomebodyWaits({ words: 'pictures' });
    });
    await night;
    expect(await readOriginal(key)).toBeInstanceOf(Uint8Array);
  });

  test('whose bytes the night deletes while they come anew has them all the same', async () => {
    const { bytes, id, key } = await makeWithdrawn(1);
    let again: Promise<Answer> | undefined;
    await connection().begin(async (tx) => {
      await tx`select from pictures where id = ${id} for update`;
      again = upload(bytes);
      await untilSomebodyWaits({ words: 'pictures' });
      await rm(join(dataDir, 'uploads', key), { recursive: true });
    });
    expect((await again)?.status).toBe(200);
    expect(await readOriginal(key)).toBeInstanceOf(Uint8Array);
    expect(await statusOf(key)).toBe(200);
  });

  test('takes the picture out of every page that shows it', async () => {
    const fields = { 'alt.en': 'A star on a stage', credit: 'Kim Byeol', licence: 'CC BY 4.0' };
    const answer = await upload(await freshFile(), fields);
    const key = keyOf(answer);
    const star = await makeStar({ names: { en: 'Star' } });
    const [{ slug } = { slug: '' }] = await connection()<{ slug: string }[]>`
      update stars set hero_key = ${key} where id = ${star} returning slug`;
    await connection()`insert into pictures (key, art, placeholder)
      values (${`star-${slug}-hero`}, ${JSON.stringify({ name: '별', fandomColor: '#3355FF', recipe: 'portrait', seed: 'x' })}::text::jsonb, '#112233')`;
    await connection()`insert into photos (star_id, picture_key, category, position) values (${star}, ${key}, 'casual', 0)`;
    const article = await makeArticle({ stars: [star], rewrites: { en: 'Story' } });
    await connection()`update articles set picture_key = ${key} where id = ${article}`;
    const shown = async () => {
      const pages = await Promise.all([
        call(`/api/stars/${star}/profile`),
        call(`/api/stars/${star}/photos`),
        call(`/api/articles/${article}`),
        call('/api/articles'),
      ]);
      return pages.map(({ status, text }): [number, boolean] => [status, text.includes(key)]);
    };
    const hero = async () => (await findStarProfile(star, 'en'))?.heroKey;
    const before = await shown();
    expect(await hero()).toBe(key);
    expect(await readStarProfile(star, 'en')).toMatchObject({
      heroAlt: 'A star on a stage',
      heroCredit: { name: 'Kim Byeol', licence: 'CC BY 4.0', url: null },
      photos: [{ photographer: 'Kim Byeol', licence: 'CC BY 4.0' }],
    });
    expect(before.slice(1)).toEqual([
      [200, true],
      [200, true],
      [200, true],
    ]);
    expect((await ask('GET', `/${idOf(answer)}`)).json).toMatchObject({
      usedBy: { starIds: [star], articleIds: [article] },
    });
    await ask('POST', `/${idOf(answer)}/withdraw`);
    expect(await shown()).toEqual(before.map(([status]): [number, boolean] => [status, false]));
    expect(await hero()).toBe(`star-${slug}-hero`);
    await ask('DELETE', `/${idOf(answer)}/withdraw`);
    expect(await shown()).toEqual(before);
  });
});
