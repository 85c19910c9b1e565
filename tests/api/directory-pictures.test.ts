import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config, setConfig } from '#api/config.ts';
import { mapPictures } from '#api/directory/document-pictures.ts';
import { exportDirectory } from '#api/directory/export.ts';
import { applyImport, previewImport } from '#api/directory/import.ts';
import type { PictureReference, StarDocument } from '#api/directory/model.ts';
import { writePictures } from '#api/directory/picture-files.ts';
import { countOutcomes } from '#api/directory/plan.ts';
import { readDirectoryFile } from '#api/directory/read-file.ts';
import { takePictures } from '#api/directory/take-pictures.ts';
import { readLibraryPicture, withdrawPicture } from '#api/media/library.ts';
import { answerMedia } from '#api/media/routes.ts';
import { addUpload } from '#api/media/uploads.ts';
import { connection } from '#db/client.ts';
import { findStarDocuments } from '#db/queries/directory/document.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { startOutlet } from '#tests/kit/feeds.ts';
import { makeFan } from '#tests/kit/make.ts';
import { makeFile } from '#tests/kit/pictures.ts';

useDatabase();

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'byeol-picture-files-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
let site = 0;
beforeEach(() => moveToEmptySite());

/** Nothing of before is there: no star, no picture, another folder of data. */
async function moveToEmptySite(): Promise<void> {
  await connection()`truncate stars, pictures restart identity cascade`;
  setConfig({ ...config(), dataDir: join(root, `data-${++site}`), fetchAllow: [] });
}

const rowsOf = (text: string) => readDirectoryFile(new TextEncoder().encode(text)).rows;
const byeol = (...stars: StarDocument[]) =>
  rowsOf(JSON.stringify({ format: 'byeol-directory', version: 1, stars }));
const source = { isFetching: false, isDryRun: false, rowByRow: false, onProgress: () => {} };
/** Takes a file in as the command does. */
async function takeIn(rows: ReturnType<typeof rowsOf>, from: { folder?: string; isFetching?: boolean }) {
  const taken = await takePictures(rows, { folder: undefined, ...source, ...from });
  const { rows: told } = await applyImport(taken.rows, { actorId: null, rowByRow: false });
  return { counts: countOutcomes(told), told, refused: Object.fromEntries(taken.refused) };
}
const documents = async () => (await findStarDocuments()).map(({ document }): StarDocument => document);
const uploadCount = async () =>
  (
    await connection()<{ n: number }[]>`select count(*)::int as n from pictures where upload_hash is not null`
  )[0]?.n;
const statusOf = async (key = '') => {
  const path = `/media/${key}/3x2-400.webp`;
  return (await answerMedia(new Request(`http://localhost${path}`), path)).status;
};
const shades = { hero: '#101010', avatar: '#404040', photo: '#808080', gone: '#c0c0c0' };
const bytesOf = (name: keyof typeof shades) => makeFile('jpeg', { colours: [shades[name], '#d02060'] });

const star = (slug: string, name: string, more: Partial<StarDocument>): StarDocument => ({
  slug,
  category: 'Idol',
  words: { ko: { name }, en: { name: slug } },
  ...more,
});
const credited = { credit: 'Lee', licence: 'CC BY 4.0', creditUrl: 'https://photos.example/2' };
const keyOf = ({ key }: { key: string }): PictureReference => ({ key });
const photo = (picture: PictureReference): NonNullable<StarDocument['photos']>[number] => ({
  picture,
  category: 'casual',
  words: { ko: { title: '사진' } },
});

test('a directory goes with its pictures to an empty site, and changes nothing the second time', async () => {
  const { id: editorId } = await makeFan({ role: 'editor' });
  const said = {
    alt: { ko: '무대 위의 별', vi: 'Trên sân khấu' },
    credit: 'Kim Hana',
    licence: 'CC BY 4.0',
    creditUrl: 'https://photos.example/1',
    takenAt: '2024-05',
    focus: { x: 0.25, y: 0.75 },
  };
  const hero = await addUpload(await bytesOf('hero'), { actorId: null, ...said });
  const avatar = await addUpload(await bytesOf('avatar'), { actorId: null, ...credited });
  const shown = await addUpload(await bytesOf('photo'), { actorId: null, ...credited });
  const gone = await addUpload(await bytesOf('gone'), { actorId: null, ...credited });
  await applyImport(
    byeol(
      star('han', '한', { hero: keyOf(hero), avatar: keyOf(avatar), photos: [photo(keyOf(shown))] }),
      star('duo', '듀오', {
        avatar: keyOf(hero),
        hero: keyOf(gone),
        timeline: [{ date: '2019', type: 'debut', picture: keyOf(avatar), words: { ko: { title: '데뷔' } } }],
      }),
    ),
    { actorId: null, rowByRow: false },
  );
  await withdrawPicture(gone.id, null, editorId);
  const before = await exportDirectory('byeol');
  const table = await exportDirectory('csv');
  const folder = join(root, 'moved');
  expect(await writePictures(before.uploads, folder, () => {})).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual([hero, avatar, shown].map(({ key }) => `${key}.jpg`).sort());

  await moveToEmptySite();
  const dry = await takePictures(rowsOf(before.text), { ...source, folder, isDryRun: true });
  const preview = await previewImport(dry.rows, dry.keys);
  expect(countOutcomes(preview)).toEqual({ add: 2, change: 0, same: 0, refuse: 0 });
  expect(preview.flatMap(({ missingPictures }) => missingPictures)).toEqual([gone.key]);
  expect(await uploadCount()).toBe(0);

  const { counts, refused } = await takeIn(rowsOf(before.text), { folder });
  expect(counts).toEqual({ add: 2, change: 0, same: 0, refuse: 0 });
  expect(refused).toEqual({ [gone.key]: 'The folder has none of this name.' });
  const shownPictures = (text: string) =>
    (JSON.parse(text) as { stars: StarDocument[] }).stars.map((each) =>
      mapPictures(each, (picture) => (picture.key === gone.key ? undefined : picture)),
    );
  const after = await exportDirectory('byeol');
  expect(shownPictures(after.text)).toEqual(shownPictures(before.text));
  expect(after.text).toContain(`"focus":{"x":0.25,"y":0.75}`);
  const [han] = await documents();
  const keys = [han?.hero?.key, han?.avatar?.key, han?.photos?.[0]?.picture.key];
  expect(await Promise.all(keys.map((key) => statusOf(key)))).toEqual([200, 200, 200]);

  for (const { text } of [before, table])
    expect((await takeIn(rowsOf(text), { folder })).counts).toEqual({
      add: 0,
      change: 0,
      same: 2,
      refuse: 0,
    });
  expect(await uploadCount()).toBe(3);
}, 120_000);

test('what is no picture of the folder is told and leaves the field as it is', async () => {
  const folder = join(root, 'hostile');
  await mkdir(folder);
  await writeFile(join(root, 'secret.jpg'), await bytesOf('hero'));
  await symlink(join(root, 'secret.jpg'), join(folder, 'link.jpg'));
  await writeFile(join(folder, 'page.jpg'), '<!doctype html><script>1</script>');
  await writeFile(join(folder, 'broken.png'), (await makeFile('png')).slice(0, 200));
  await writeFile(join(folder, 'huge.jpg'), '');
  await truncate(join(folder, 'huge.jpg'), 100_000_001);
  await writeFile(join(folder, 'script.jpg'), await bytesOf('avatar'));
  await writeFile(join(folder, 'own.JPG'), await bytesOf('photo'));

  await takeIn(
    byeol(star('han', '한', { hero: { key: 'own', ...credited }, photos: [photo({ key: 'own' })] })),
    {
      folder,
    },
  );
  const standing = await documents();
  expect(standing[0]?.hero?.key).toMatch(/^upload-/);

  const none = 'The folder has none of this name.';
  const sentences: Record<string, string> = {
    '../secret': none,
    link: none,
    page: 'This is a web page, not a picture.',
    broken: 'This picture is damaged and cannot be read.',
    huge: 'A picture may have at most 25 MB.',
    script: 'The field “creditUrl” is wrong: Must be an address that starts with http:// or https://.',
  };
  const photos = Object.keys(sentences).map((key) =>
    photo({ key, ...credited, ...(key === 'script' && { creditUrl: 'javascript:alert(1)' }) }),
  );
  for (const isDryRun of [true, false]) {
    const taken = await takePictures(
      byeol(star('han', '한', { hero: { key: 'page', ...credited }, photos })),
      {
        ...source,
        folder,
        isDryRun,
      },
    );
    expect(Object.fromEntries(taken.refused)).toEqual(sentences);
    const { rows } = await applyImport(taken.rows, { actorId: null, rowByRow: false });
    expect(rows.map(({ outcome, missingPictures }) => [outcome, [...missingPictures].sort()])).toEqual([
      ['same', Object.keys(sentences).sort()],
    ]);
  }
  expect([await documents(), await uploadCount()]).toEqual([standing, 1]);
}, 120_000);

test('a picture that the library has without a credit gets the one that a file tells', async () => {
  const folder = join(root, 'uncredited');
  await mkdir(folder);
  await writeFile(join(folder, 'hers.jpg'), await bytesOf('hero'));
  const { id, key } = await addUpload(await bytesOf('hero'), { actorId: null });
  await takeIn(byeol(star('han', '한', { hero: { key: 'hers', ...credited } })), { folder });
  expect((await documents())[0]?.hero).toEqual({ key });
  expect(await readLibraryPicture(id)).toMatchObject(credited);
}, 120_000);

test('a refused file brings no picture along, and a folder none that was withdrawn here', async () => {
  const { id: editorId } = await makeFan({ role: 'editor' });
  const { id, key } = await addUpload(await bytesOf('gone'), { actorId: null });
  const folder = join(root, 'again');
  await writePictures([key], folder, () => {});
  await withdrawPicture(id, 'Asked by its photographer', editorId);
  const named = star('han', '한', { hero: { key } });
  const withdrawn = { [key]: 'This picture was withdrawn.' };
  expect(await takeIn(byeol(named), { folder })).toMatchObject({ refused: withdrawn });
  expect((await documents())[0]).not.toHaveProperty('hero');
  // What is kept and exported is the same picture as what was uploaded.
  const kept = await Bun.file(join(folder, `${key}.jpg`)).bytes();
  expect(await addUpload(kept, { actorId: null }).catch((error: Error) => error.message)).toBe(
    'This picture was withdrawn: Asked by its photographer',
  );

  await writeFile(join(folder, 'fresh.jpg'), await bytesOf('hero'));
  const lost = star('unit', '유닛', { parent: 'nobody' });
  const rows = byeol(star('duo', '듀오', { hero: { key: 'fresh', ...credited } }), lost);
  expect((await takeIn(rows, { folder })).counts).toMatchObject({ refuse: 1 });
  expect(await uploadCount()).toBe(1);
}, 120_000);

test('addresses are asked only when told so, and never into a private network that is not allowed', async () => {
  const outlet = startOutlet();
  const inner = startOutlet();
  try {
    const bytes = await bytesOf('hero');
    const picture = () => new Response(bytes);
    outlet.special.set('/a.jpg', picture);
    inner.special.set('/a.jpg', picture);
    outlet.special.set('/in', () => Response.redirect(`${inner.url}/a.jpg`));
    const rows = byeol(
      star('han', '한', {
        hero: { key: 'a', url: `${outlet.url}/a.jpg`, ...credited, credit: 'Kim' },
        avatar: { key: 'b', url: `${outlet.url}/in`, ...credited },
        photos: [
          photo({ key: 'c', url: `${outlet.url}/gone`, ...credited }),
          photo({ key: 'd', ...credited }),
        ],
      }),
    );
    const closed = await takePictures(rows, { ...source, folder: undefined, isFetching: true });
    expect(closed.refused.get('a')).toBe('The host 127.0.0.1 is not public.');
    expect((await takeIn(rows, { folder: root })).counts).toMatchObject({ add: 1 });
    expect([outlet.asked, inner.asked]).toEqual([[], []]);

    setConfig({ ...config(), fetchAllow: [new URL(outlet.url).host] });
    const { counts, refused } = await takeIn(rows, { isFetching: true });
    expect(counts).toMatchObject({ change: 1 });
    expect(refused).toEqual({
      b: 'The host 127.0.0.1 is not public.',
      c: 'Its address answers 404.',
      d: 'The file has no address of it.',
    });
    expect(inner.asked).toEqual([]);
    const [han] = await documents();
    expect(await statusOf(han?.hero?.key)).toBe(200);
    expect((await exportDirectory('byeol')).text).toContain('"credit":"Kim"');
    expect((await takeIn(rows, { isFetching: true })).counts).toMatchObject({ same: 1 });
  } finally {
    await Promise.all([outlet.stop(), inner.stop()]);
  }
}, 120_000);

test('a picture whose first mention has no address is taken from a later one’s, of the same star or another', async () => {
  const outlet = startOutlet();
  try {
    const [first, second] = [await bytesOf('hero'), await bytesOf('avatar')];
    outlet.special.set('/a.jpg', () => new Response(first));
    outlet.special.set('/b.jpg', () => new Response(second));
    setConfig({ ...config(), fetchAllow: [new URL(outlet.url).host] });
    const rows = byeol(
      star('han', '한', {
        hero: { key: 'a' },
        avatar: { key: 'b', ...credited },
        photos: [photo({ key: 'a', url: `${outlet.url}/a.jpg`, ...credited })],
      }),
      star('duo', '듀오', { avatar: { key: 'b', url: `${outlet.url}/b.jpg`, ...credited } }),
    );
    const { refused, told } = await takeIn(rows, { isFetching: true });
    expect([refused, told.flatMap(({ missingPictures }) => missingPictures)]).toEqual([{}, []]);
    expect(await uploadCount()).toBe(2);
    expect((await exportDirectory('byeol')).text).toContain('"credit":"Lee"');
  } finally {
    await outlet.stop();
  }
}, 120_000);
