import { S3Client } from 'bun';
import { codeOf } from '#db/error-code.ts';
import { log } from '#db/log.ts';
import { readObject } from '../read-object.ts';
import type { StorageSettings } from '../storage-url.ts';
import { TooLate, within } from '../within.ts';
import { isOriginalPath, maxPictureBytes, PictureUnusable, type Store, StoreAway } from './store.ts';

/** Milliseconds for which a store that was away is not asked again: a page has many pictures, and each would wait. */
const pause = 2_000;
/** Milliseconds until a store that says nothing counts as away. */
const timeouts = {
  size: 5_000,
  /** Half of what a reader waits for a picture: it is still to be cut, or another drawn in its place. */
  readOriginal: 15_000,
  writeOriginal: 60_000,
  deletion: 60_000,
};

/** What the log is told once when something begins to fail, and once when it works again. */
const news = {
  read: { failure: 'the store of pictures is away', end: 'the store of pictures is back' },
  write: {
    failure: 'the store of pictures takes nothing',
    end: 'the store of pictures takes pictures again',
  },
  delete: { failure: 'the store of pictures deletes nothing', end: 'the store of pictures deletes again' },
};

/** A bucket of an S3-compatible store (Bun's own client). */
export function s3Store(settings: StorageSettings): Store {
  const client = new S3Client(settings);
  let awayUntil = 0;
  const failing = new Set<keyof typeof news>();

  async function ask<Result>(
    what: keyof typeof news,
    longest: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (Date.now() < awayUntil) throw new StoreAway('it was a moment ago');
    try {
      const result = await within(longest, work());
      if (failing.delete(what)) log.warn(news[what].end);
      return result;
    } catch (error) {
      const away = new StoreAway(error);
      if (!failing.has(what)) log.error({ err: away }, news[what].failure);
      failing.add(what);
      // A store that answers, though it refuses, keeps nobody waiting; one that takes or deletes nothing may still be read.
      if (what === 'read' && isStoreUnreachable(error)) awayUntil = Date.now() + pause;
      throw away;
    }
  }

  return {
    async read(path) {
      const longest = isOriginalPath(path) ? timeouts.readOriginal : timeouts.size;
      const bytes = await ask('read', longest, () => readObject(client, path, maxPictureBytes));
      // One bad picture is no reason to leave the store alone: outside of `ask`.
      if (bytes && bytes.byteLength > maxPictureBytes)
        throw new PictureUnusable(`${path} has more bytes than a picture`);
      return bytes?.byteLength === 0 ? undefined : bytes;
    },
    write: (path, bytes) =>
      ask('write', isOriginalPath(path) ? timeouts.writeOriginal : timeouts.size, async () => {
        await client.write(path, bytes);
      }),
    async deleteFolder(folder) {
      const end = new AbortController();
      try {
        await ask('delete', timeouts.deletion, () => deleteBelow(client, `${folder}/`, end.signal));
      } finally {
        end.abort();
      }
    },
  };
}

/** What Bun's client calls a connection that did not come about, or broke. */
const isStoreUnreachable = (error: unknown): boolean =>
  error instanceof TooLate || /^(?:Connection|DNS|FailedToOpenSocket|Timeout)/.test(codeOf(error) ?? '');

/** Requests that a deletion has under way at once. */
const deletionsAtOnce = 16;

/**
 * The list of a bucket comes in pages of a thousand; what was deleted is not in the next one.
 * @param signal when nobody waits for it any more: what is there from then on may be new
 */
async function deleteBelow(client: S3Client, prefix: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { contents = [], isTruncated } = await client.list({ prefix });
    const waiting = contents.values();
    const work = async () => {
      for (const { key } of waiting) {
        signal.throwIfAborted();
        await client.delete(key);
      }
    };
    await Promise.all(Array.from({ length: deletionsAtOnce }, work));
    if (!isTruncated || contents.length === 0) return;
  }
}
