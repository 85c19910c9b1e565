import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '#db/embedded.ts';
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
      throw new StartupError(`${root} cannot be ${what} (${codeOf(error)}).`);
    }
  }
  return {
    name: root,
    write: (path, bytes) =>
      doing('written', () => writeDurably(at(`${leftover}${crypto.randomUUID()}`), at(path), bytes)),
    read: (path) => doing('read', () => orElse(undefined, readFile(at(path)))),
    list: (folder) =>
      doing('read', async () => {
        const sizes = new Map<string, number>();
        for (const entry of await orElse([], readdir(at(folder), { recursive: true, withFileTypes: true }))) {
          if (!entry.isFile() || entry.name.startsWith(leftover)) continue;
          const path = join(entry.parentPath, entry.name);
          sizes.set(path.slice(root.length + 1), (await stat(path)).size);
        }
        return sizes;
      }),
    listFolders: () =>
      doing('read', async () => {
        const entries = await orElse([], readdir(root, { withFileTypes: true }));
        return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      }),
    delete: (path) => doing('written', () => rm(at(path), { force: true })),
    deleteFolder: (folder) => doing('written', () => rm(at(folder), { recursive: true, force: true })),
    deleteLeftovers: () =>
      doing('written', async () => {
        for (const name of await orElse([], readdir(root))) {
          if (!name.startsWith(leftover)) continue;
          if (Date.now() - (await stat(at(name))).mtimeMs > day) await rm(at(name), { force: true });
        }
      }),
  };
}

/** Written beside, brought to the disk, and renamed: neither a reader nor a crash meets half a file. */
async function writeDurably(draft: string, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

/** What is not there is no failure. */
async function orElse<T, Other>(other: Other, work: Promise<T>): Promise<T | Other> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return other;
    throw error;
  }
}
