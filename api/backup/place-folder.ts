import { constants, type Dirent } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { putDurably } from '#db/durable-file.ts';
import { StartupError } from '#db/embedded.ts';
import { codeOf } from '#db/error-code.ts';
import type { Place } from './place.ts';

/** Beside the files, because a rename does not reach another disk. */
const leftover = '.part-';
const day = 86_400_000;

/** A folder of this machine. Its files are their owner's alone (0600, folders 0700): they hold what a database holds. */
export function folderPlace(root: string): Place {
  const at = (path: string) => join(root, path);
  /** @throws StartupError that names the folder */
  async function doing<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StartupError) throw error;
      throw new StartupError(`${root} cannot be ${what} (${codeOf(error) ?? 'unknown error'}).`);
    }
  }
  return {
    name: root,
    write: (path, bytes) =>
      doing('written', () => putDurably(at(`${leftover}${crypto.randomUUID()}`), at(path), bytes)),
    read: (path, most) => doing('read', () => orElse(undefined, readRegular(at(path), most))),
    list: (folder = '') =>
      doing('read', async () => {
        const sizes = new Map<string, number>();
        for (const entry of await orElse([], readdir(at(folder), { recursive: true, withFileTypes: true }))) {
          if (!entry.isFile() || entry.name.startsWith(leftover)) continue;
          const path = join(entry.parentPath, entry.name);
          const state = await orElse(undefined, stat(path));
          if (state) sizes.set(path.slice(root.length + 1), state.size);
        }
        return sizes;
      }),
    listTop: () =>
      doing('read', async () => {
        const entries = await orElse([], readdir(root, { withFileTypes: true }));
        const namesOf = (wanted: Dirent[]) => wanted.map(({ name }) => name);
        return {
          folders: namesOf(entries.filter((entry) => entry.isDirectory())),
          files: namesOf(entries.filter((entry) => entry.isFile())),
        };
      }),
    delete: (path) => doing('written', () => rm(at(path), { force: true })),
    deleteFolder: (folder) => doing('written', () => rm(at(folder), { recursive: true, force: true })),
    deleteLeftovers: () =>
      doing('written', async () => {
        for (const name of await orElse([], readdir(root))) {
          if (!name.startsWith(leftover)) continue;
          const state = await orElse(undefined, stat(at(name)));
          if (state && Date.now() - state.mtimeMs > day) await rm(at(name), { force: true });
        }
      }),
  };
}

/**
 * The bytes of a file, one more than `most` of them at most. A backup comes from somewhere: a pipe in it would never end, nor would a
 * link to a device.
 * @throws StartupError for what is no file
 */
async function readRegular(path: string, most: number): Promise<Uint8Array> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? notRegular(path) : error;
  });
  try {
    const state = await file.stat();
    if (!state.isFile()) throw notRegular(path);
    const bytes = Buffer.alloc(Math.min(state.size, most + 1));
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
      read = (await file.read(bytes, filled, bytes.length - filled, filled)).bytesRead;
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

const notRegular = (path: string) =>
  new StartupError(`${path} is no file: neither links nor pipes are read.`);

/** What is not there is no failure. */
async function orElse<T, Other>(other: Other, work: Promise<T>): Promise<T | Other> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return other;
    throw error;
  }
}
