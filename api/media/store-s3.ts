import { S3Client } from 'bun';
import { log } from '#db/log.ts';
import { readObject } from '../read-object.ts';
import type { StorageSettings } from '../storage-url.ts';
import { within } from '../within.ts';
import { maxPictureBytes, type Store, StoreAway } from './store.ts';

/** Milliseconds for which a store that was away is not asked again: a page has many pictures, and each would wait. */
const pause = 2_000;
/** Milliseconds until a store that says nothing counts as away. */
const timeout = 5_000;
/** The same for an original on its way there. */
const writeTimeout = 60_000;

/** A bucket of an S3-compatible store (Bun's own client). */
export function s3Store(settings: StorageSettings): Store {
  const client = new S3Client(settings);
  let awayUntil = 0;
  let isAway = false;

  async function ask<Result>(work: () => Promise<Result>, longest: number): Promise<Result> {
    if (Date.now() < awayUntil) throw new StoreAway('it was a moment ago');
    try {
      const result = await within(longest, work());
      if (isAway) log.warn('the store of pictures is back');
      isAway = false;
      return result;
    } catch (error) {
      const away = new StoreAway(error);
      if (!isAway) log.error({ err: away }, 'the store of pictures is away');
      isAway = true;
      awayUntil = Date.now() + pause;
      throw away;
    }
  }

  return {
    read: (path) => ask(() => readWhole(client, path), timeout),
    write: (path, bytes) => ask(async () => void (await client.write(path, bytes)), writeTimeout),
    deleteFolder: (folder) => ask(() => deleteBelow(client, `${folder}/`), writeTimeout),
  };
}

async function readWhole(client: S3Client, path: string): Promise<Uint8Array | undefined> {
  const bytes = await readObject(client, path, maxPictureBytes);
  if (bytes && bytes.byteLength > maxPictureBytes) throw new Error(`${path} has more bytes than a picture`);
  return bytes;
}

/** The list of a bucket comes in pages of a thousand; what was deleted is not in the next one. */
async function deleteBelow(client: S3Client, prefix: string): Promise<void> {
  for (;;) {
    const { contents = [], isTruncated } = await client.list({ prefix });
    await Promise.all(contents.map(({ key }) => client.delete(key)));
    if (!isTruncated || contents.length === 0) return;
  }
}
