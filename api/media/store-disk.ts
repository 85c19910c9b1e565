import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Store, StoreAway } from './store.ts';

/** Files below `DATA_DIR`, for processes that share it. */
export function diskStore(dataDir: string): Store {
  const root = join(resolve(dataDir), 'uploads');
  return {
    read: (path) => orAway(() => readFileIfExists(join(root, path))),
    write: (path, bytes) => orAway(() => writeAtomically(join(root, path), bytes)),
    deleteFolder: (folder) => orAway(() => rm(join(root, folder), { recursive: true, force: true })),
  };
}

async function orAway<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new StoreAway(error);
  }
}

/** The bytes of a file; undefined when there is none. */
export async function readFileIfExists(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes beside and renames, so that a reader or a crash never meets half a picture. */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const temporaryPath = `${path}.${process.pid}.${crypto.randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporaryPath, bytes);
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
