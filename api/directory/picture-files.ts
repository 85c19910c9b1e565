import { mkdir, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { StartupError } from '#db/embedded.ts';
import { writeAtomically } from '../media/store-disk.ts';
import { readOriginal } from '../media/upload-sizes.ts';

/** Pictures beside a directory's file, in a folder: each is called by its key. */

const extensions = ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif'];

/**
 * Writes the originals of uploads, one after the other.
 * @returns keys of those that the store has lost
 * @throws StoreAway; StartupError
 */
export async function writePictures(
  keys: readonly string[],
  folder: string,
  onProgress: (done: number, total: number) => void,
): Promise<string[]> {
  await orRefuse(`${folder} cannot be written.`, () => mkdir(folder, { recursive: true }));
  const lost: string[] = [];
  for (const [done, key] of keys.entries()) {
    const original = await readOriginal(key);
    if (original)
      await orRefuse(`${folder} cannot be written.`, () =>
        writeAtomically(join(folder, `${key}.jpg`), original),
      );
    else lost.push(key);
    onProgress(done + 1, keys.length);
  }
  return lost;
}

/**
 * Paths of a folder's own pictures by their keys. A key of a file is looked up among them, so that it leads nowhere else, and links
 * are none of them.
 * @throws StartupError
 */
export async function findPictureFiles(folder: string): Promise<Map<string, string>> {
  const entries = await orRefuse(`${folder} cannot be read.`, () => readdir(folder, { withFileTypes: true }));
  const names = entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  return new Map(
    names.flatMap((name) => {
      const extension = extname(name);
      return extensions.includes(extension.toLowerCase())
        ? [[name.slice(0, -extension.length), join(folder, name)] as const]
        : [];
    }),
  );
}

async function orRefuse<Result>(sentence: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch {
    throw new StartupError(sentence);
  }
}
