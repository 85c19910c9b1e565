import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { config, setConfig } from '#api/config.ts';
import { readOriginal } from '#api/media/upload-sizes.ts';
import { languages } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { failureOf } from '#site/components/admin/failure.ts';
import { words } from '#site/i18n/words.ts';
import { answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { fileForm, makeFile } from '#tests/kit/pictures.ts';
import { startWikimedia, throttled, type Wikimedia } from '#tests/kit/wikimedia.ts';

useDatabase();
let dataDir: string;
let wiki: Wikimedia;
let editor: { id: number; token: string };
let star: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'byeol-commons-'));
});
beforeEach(async () => {
  wiki = startWikimedia();
  editor = await makeFan({ role: 'editor' });
  star = await makeStar({ names: { ko: '파도반', en: 'Padoban' } });
  setConfig({ ...config(), dataDir, commonsBaseUrl: wiki.url, fetchAllow: [wiki.host] });
});
afterEach(() => wiki.stop());
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const free = { Artist: '<b>Sori</b> Kim', License: 'cc-by-sa-4.0', LicenseShortName: 'CC BY-SA 4.0' };

/** Another picture each time, and other enough for a JPEG: the same bytes are the same picture. */
let shade = 0;
async function hasFile(name: string, extmetadata: Record<string, string> = free) {
  const grey = (8 * ++shade).toString(16).padStart(2, '0');
  const bytes = await makeFile('jpeg', { colours: [`#${grey}3040`, `#3040${grey}`] });
  wiki.files[name] = { extmetadata, download: () => new Response(bytes) };
  return bytes;
}
/** Instead of its bytes. */
async function answersWith(name: string, download: () => Response) {
  await hasFile(name);
  Object.assign(wiki.files[name] ?? {}, { download });
}

const take = (file: string, headers: Record<string, string> = {}) =>
  typedCall('post', '/api/admin/stars/:id/commons-picture', {
    params: { id: star },
    body: { file },
    headers: { ...bearer(editor.token), ...headers },
  });
const taken = (file: string) => answerOf(take(file));
const params = () => ({ params: { id: star }, headers: bearer(editor.token) });
const readStar = () => answerOf(typedCall('get', '/api/admin/stars/:id', params()));
const readPhotos = () => answerOf(typedCall('get', '/api/admin/stars/:id/photos', params()));
const readPicture = (id: number) =>
  answerOf(typedCall('get', '/api/admin/pictures/:id', { params: { id }, headers: bearer(editor.token) }));
const refusal = async (file: string) => {
  const { status, error } = await take(file);
  return [status, error?.code, error?.field];
};

describe('a picture of Commons', () => {
  test('is taken with its author, licence and page, without its EXIF, and is the round picture', async () => {
    await hasFile('Padoban 2024.jpg');
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    const { id, key, place, width } = await taken('Padoban 2024.jpg');
    expect([place, width]).toEqual(['avatar', 320]);
    const page = `${wiki.url}/wiki/File:Padoban%202024.jpg`;
    expect(await readPicture(id)).toMatchObject({
      key,
      credit: 'Sori Kim',
      licence: 'CC BY-SA 4.0',
      creditUrl: page,
      alt: { ko: '파도반', en: 'Padoban' },
      usedBy: { starIds: [star] },
    });
    expect((await sharp(await readOriginal(key)).metadata()).exif).toBeUndefined();
    const { avatar, hero, facts } = await readStar();
    expect([avatar?.key, hero]).toEqual([key, null]);
    const source = { name: 'Wikimedia Commons', url: page, readOn: expect.any(String) };
    expect(facts.avatar?.source).toEqual(source);
    // Midnight may come in between.
    expect([before, today()]).toContain(facts.avatar?.source?.readOn ?? '');
  });

  test('overwrites nothing: the second is the large one, the third a photo', async () => {
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']) await hasFile(name);
    const pictures = [await taken('a.jpg'), await taken('b.jpg'), await taken('c.jpg'), await taken('d.jpg')];
    expect(pictures.map(({ place }) => place)).toEqual(['avatar', 'hero', 'photos', 'photos']);
    const keys = pictures.map(({ key }) => key);
    const { avatar, hero } = await readStar();
    const { items } = await readPhotos();
    expect([avatar?.key, hero?.key, ...items.map(({ picture }) => picture.key)]).toEqual(keys);
    expect(items[0]).toMatchObject({ category: 'profile', photographer: 'Sori Kim', isOfficial: false });
  });

  test('is one however often it is taken, by one key or by none', async () => {
    await hasFile('a.jpg');
    const first = await taken('a.jpg');
    expect([await taken('a.jpg'), await taken('a.jpg')]).toEqual([first, first]);
    await hasFile('b.jpg');
    const key = { 'idempotency-key': crypto.randomUUID() };
    const second = await answerOf(take('b.jpg', key));
    delete wiki.files['b.jpg'];
    expect(await answerOf(take('b.jpg', key))).toEqual(second);
    const [row] =
      await connection()`select count(*)::int as changes from star_revisions where star_id = ${star}`;
    // The star before, and two pictures.
    expect(row).toEqual({ changes: 3 });
  });

  test('and another that is taken at the same moment both find a place', async () => {
    await hasFile('a.jpg');
    await hasFile('b.jpg');
    const places = (await Promise.all([taken('a.jpg'), taken('b.jpg')])).map(({ place }) => place);
    expect(places.sort()).toEqual(['avatar', 'hero']);
  });

  test('that was in the library keeps what was said of it, and gets a credit where it lacked one or a part of it', async () => {
    const add = async (name: string, fields: Record<string, string>) => {
      const body = fileForm(await hasFile(name), { fields });
      await call('/api/admin/pictures', { method: 'POST', body, headers: bearer(editor.token) });
      return readPicture((await taken(name)).id);
    };
    const own = { credit: 'Our own', licence: 'All rights reserved', creditUrl: 'https://agency.example/1' };
    expect(await add('a.jpg', { ...own, 'alt.en': 'On stage' })).toMatchObject({
      ...own,
      alt: { en: 'On stage' },
    });
    expect(await add('c.jpg', { credit: 'Our own' })).toMatchObject({
      credit: 'Sori Kim',
      licence: 'CC BY-SA 4.0',
    });
    expect(await add('b.jpg', { 'alt.en': 'On stage' })).toMatchObject({
      credit: 'Sori Kim',
      licence: 'CC BY-SA 4.0',
      alt: { en: 'On stage' },
    });
  });
});

describe('nothing is taken', () => {
  const rows = async () => {
    const { avatar, hero } = await readStar();
    const [row] = await connection()`select (select count(*)::int from pictures) as pictures,
      (select count(*)::int from star_revisions where star_id = ${star}) as revisions`;
    return { avatar, hero, ...row };
  };

  test.each([
    ['under a licence that is not free', { ...free, License: 'cc-by-nc-4.0' }, 'not_free'],
    ['that is marked as not free', { ...free, NonFree: 'true' }, 'not_free'],
    ['of nobody', { ...free, Artist: '' }, 'no_credit'],
  ])('%s', async (_, extmetadata, code) => {
    await hasFile('a.jpg', extmetadata);
    const before = await rows();
    expect(await refusal('a.jpg')).toEqual([400, code, 'file']);
    expect(wiki.asked).toHaveLength(1);
    expect(await rows()).toEqual(before);
  });

  test.each([
    ['gone', () => new Response('', { status: 404 }), [400, 'missing', 'file']],
    ['too large', () => new Response(new Uint8Array(25_000_001)), [413, 'too_large', 'file']],
    ['a page', () => new Response('<!doctype html><title>Error</title>'), [400, 'html', 'file']],
    ['a program', () => new Response('<svg xmlns="x" onload="x"/>'), [400, 'svg', 'file']],
    ['cut off', () => new Response(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])), [400, 'damaged', 'file']],
    ['an error', () => new Response('', { status: 500 }), [503, 'unreachable', undefined]],
    ['no answer', () => Response.redirect('http://127.0.0.1:9/'), [503, 'unreachable', undefined]],
  ])('where the file is %s', async (_, download, expected) => {
    await answersWith('a.jpg', download);
    const before = await rows();
    expect(await refusal('a.jpg')).toEqual(expected);
    expect(await rows()).toEqual(before);
  });

  test('that Commons does not have, nor by a name that names several', async () => {
    expect(await refusal('Gone.jpg')).toEqual([400, 'missing', 'file']);
    const asked = wiki.asked.length;
    for (const name of ['', 'a.jpg|b.jpg', 'a.jpg#x', 'x'.repeat(241)])
      expect(await refusal(name)).toEqual([400, 'invalid', 'file']);
    expect(wiki.asked).toHaveLength(asked);
  });

  test('that was taken down here', async () => {
    await hasFile('a.jpg');
    const { id } = await taken('a.jpg');
    await call(`/api/admin/pictures/${id}/withdraw`, {
      method: 'POST',
      headers: bearer(editor.token),
    });
    expect(await refusal('a.jpg')).toEqual([409, 'withdrawn', 'file']);
  });

  test('for a star that is not there, or by somebody who may not', async () => {
    await hasFile('a.jpg');
    const asking = (id: number, token: string) =>
      call(`/api/admin/stars/${id}/commons-picture`, {
        ...sending({ file: 'a.jpg' }),
        headers: { 'content-type': 'application/json', ...bearer(token) },
      });
    expect((await asking(2_000_000_000, editor.token)).status).toBe(404);
    expect((await asking(star, (await makeFan()).token)).status).toBe(403);
    expect(wiki.asked).toEqual([]);
  });

  test('from inside: a redirect and an address are held to the same rule', async () => {
    const inside = startWikimedia();
    await answersWith('a.jpg', () => Response.redirect(`${inside.url}/secret.jpg`));
    await hasFile('b.jpg');
    Object.assign(wiki.files['b.jpg'] ?? {}, { info: { thumburl: `${inside.url}/secret.jpg` } });
    for (const name of ['a.jpg', 'b.jpg']) {
      const { status, error } = await take(name);
      expect([status, error?.code, error?.error]).toEqual([
        503,
        'unreachable',
        'Wikimedia Commons cannot be reached: The host 127.0.0.1 is not public.',
      ]);
    }
    expect(inside.asked).toEqual([]);
    await inside.stop();
  });
});

describe('Commons is asked politely for files', () => {
  test('by who says how to be reached, and a pause is given once', async () => {
    const bytes = await hasFile('a.jpg');
    const answers = [throttled(1), new Response(bytes)];
    await answersWith('a.jpg', () => answers.shift() ?? new Response('', { status: 500 }));
    expect((await taken('a.jpg')).place).toBe('avatar');
    const [, first, second] = wiki.asked;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
    expect(second?.agent).toContain(`; ${config().mailFrom})`);
  });

  test('and a pause longer than anybody waits is told', async () => {
    await answersWith('a.jpg', () => throttled(3_600));
    const { status, error, retryAfter } = await take('a.jpg');
    expect([status, error?.code, retryAfter]).toEqual([503, 'throttled', 3_600]);
    expect(error?.error).toBe('Wikimedia Commons asks for a pause of 3600 s. Try again then.');
  });
});

test('every refusal has its own sentence in every language', () => {
  const inFile = ['missing', 'not_free', 'no_credit', 'too_large', 'html', 'svg', 'damaged', 'withdrawn'];
  const cases = [
    ...inFile.map((code) => ({ code, field: 'file' })),
    { code: 'throttled' },
    { code: 'unreachable' },
  ];
  for (const language of languages) {
    const t = words(language);
    const head = { status: 400, headers: new Headers(), retryAfter: 0 };
    const sentences = cases.map(
      (error) => failureOf(t, language, { ...head, error: { error: '', ...error } }, new Map()).text,
    );
    expect(new Set(sentences).size).toBe(cases.length);
    expect(sentences).not.toContain(t('admin:failed'));
  }
});
