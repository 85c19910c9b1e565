import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from 'bun';
import { readRows, writePart } from '#api/backup/parts.ts';
import { bucketPlace } from '#api/backup/place-bucket.ts';
import { folderPlace } from '#api/backup/place-folder.ts';
import { leaveAsIs } from '#api/backup/seal.ts';
import { getConfig } from '#api/config.ts';
import { StoreAway } from '#api/media/store.ts';
import { s3Store } from '#api/media/store-s3.ts';
import type { StorageSettings } from '#api/storage-url.ts';
import { refusal, withFolder } from '#tests/kit/backups.ts';

const mebibyte = 1024 * 1024;
/** What one answer would send if it were read. */
const mostSent = 512 * mebibyte;

let server: Server<undefined>;
let settings: StorageSettings;
let sent = 0;

beforeAll(() => {
  const chunk = new Uint8Array(mebibyte);
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += chunk.byteLength;
            if (sent > mostSent) controller.close();
            else controller.enqueue(chunk);
          },
        }),
      ),
  });
  const { storage } = getConfig({ STORAGE_URL: `s3://key:secret@127.0.0.1:${server.port}/bucket?tls=off` });
  if (!storage) throw new Error('the store is set');
  settings = storage;
});
afterAll(() => server.stop(true));

test('a store whose answer does not end is read no further than a file can reach', async () => {
  sent = 0;
  const bytes = await bucketPlace(settings, '').read('manifest.json', 1_000);
  expect([bytes?.byteLength, sent < 64 * mebibyte]).toEqual([1_001, true]);
  sent = 0;
  const store = s3Store(settings);
  const read = (path: string) => store.read(path).catch((error: unknown) => error);
  expect(await read('upload-1/original.jpg')).toEqual(expect.any(StoreAway));
  expect(sent).toBeLessThan(128 * mebibyte);
  // The next picture is asked for all the same.
  sent = mostSent - mebibyte;
  expect(await read('upload-2/original.jpg')).toEqual(new Uint8Array(mebibyte));
});

test('a deletion that was given up deletes nothing more', async () => {
  let deletions = 0;
  const bucket = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ method }) {
      if (method === 'GET') {
        const contents = Array.from(
          { length: 200 },
          (_, n) => `<Contents><Key>upload-1/${n}</Key></Contents>`,
        );
        return new Response(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
      }
      deletions += 1;
      if (deletions === 1) return new Response(null, { status: 403 });
      await Bun.sleep(50);
      return new Response(null, { status: 204 });
    },
  });
  const { storage } = getConfig({ STORAGE_URL: `s3://key:secret@127.0.0.1:${bucket.port}/bucket?tls=off` });
  if (!storage) throw new Error('the store is set');
  await expect(s3Store(storage).deleteFolder('upload-1')).rejects.toBeInstanceOf(StoreAway);
  await Bun.sleep(500);
  expect(deletions).toBeWithin(1, 40);
  await bucket.stop(true);
});

test('files that vanish while a folder is listed are left out', () =>
  withFolder(async (folder) => {
    const place = folderPlace(folder);
    for (let round = 0; round < 3; round += 1) {
      const files = Array.from({ length: 1_000 }, (_, index) => join(folder, 'pictures', `${index}.jpg`));
      const leftovers = Array.from({ length: 1_000 }, (_, index) => join(folder, `.part-${index}`));
      await mkdir(join(folder, 'pictures'), { recursive: true });
      await Promise.all([...files, ...leftovers].map((file) => writeFile(file, 'x')));
      const asked = Promise.all([place.list('pictures'), place.deleteLeftovers()]);
      await Promise.all([...files, ...leftovers].map((file) => rm(file)));
      expect((await asked)[0].size).toBeLessThan(files.length);
    }
  }));

test('a file of a backup that unpacks to more than one can hold is refused by its name', () =>
  withFolder(async (folder) => {
    const place = folderPlace(folder);
    const parts = [
      await writePart(place, 'b', 'good.zst', Bun.zstdCompressSync('a\nb\n')),
      await writePart(place, 'b', 'bomb.zst', Bun.zstdCompressSync(new Uint8Array(256 * mebibyte))),
    ];
    const read = async () => {
      let size = 0;
      for await (const text of readRows(place, 'b', { rows: 2, parts }, leaveAsIs)) size += text.byteLength;
      return size;
    };
    expect(await refusal(read())).toBe(
      `The backup in ${place.name} is damaged: b/bomb.zst cannot be unpacked.`,
    );
    parts.pop();
    expect(await read()).toBe(4);
  }));
