import { afterAll, beforeAll, expect, test } from 'bun:test';
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
  expect(
    await s3Store(settings)
      .read('upload-1/original.jpg')
      .catch((error: unknown) => error),
  ).toEqual(expect.any(StoreAway));
  expect(sent).toBeLessThan(128 * mebibyte);
});

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
