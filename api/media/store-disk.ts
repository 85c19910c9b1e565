import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { putDurably } from '#db/durable-file.ts';
import { codeOf } from '#db/error-code.ts';
import { log } from '#db/log.ts';
import { isOriginalPath, type Store, StoreAway, StoreUnwritable } from './store.ts';

/** Originals are nobody's but the site's: other users of the machine read neither files nor folders. */
const ownerOnly = { file: 0o600, folder: 0o700 };

/** Files below `DATA_DIR`, for processes of one user that share it. */
export function diskStore(dataDir: string): Store {
  const root = join(resolve(dataDir), 'uploads');
  let closing: Promise<void> | undefined;
  let isUnwritable = false;
  /** Closes a folder of an older release, which everybody could read, and with it all that is in it. */
  const close = () => {
    closing ??= chmod(root, ownerOnly.folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') closing = undefined;
      else
        log.warn(
          { folder: root, code: codeOf(error) },
          'originals cannot be closed to other users of the machine',
        );
    });
    return closing;
  };
  return {
    read: (path) =>
      orAway(async () => {
        await close();
        return readFileIfExists(join(root, path));
      }),
    write: async (path, bytes) => {
      await close();
      try {
        const file = join(root, path);
        if (isOriginalPath(path)) await putDurably(`${file}.${crypto.randomUUID()}`, file, bytes);
        else await writeAtomically(file, bytes, ownerOnly);
        isUnwritable = false;
      } catch (error) {
        // Once, not for each picture: a log that grows would take the last of the disk.
        if (!isUnwritable) log.error({ err: error, folder: root }, 'the folder of pictures takes nothing');
        isUnwritable = true;
        throw new StoreUnwritable(error);
      }
    },
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

/** The bytes of a file; undefined when there is none, or when a power cut left it empty. */
export async function readFileIfExists(path: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await readFile(path);
    return bytes.byteLength > 0 ? bytes : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes beside and renames: no reader meets half a file. A power cut may leave it empty; what must outlive that goes by `putDurably`.
 * @param modes of the file and of folders that are made for it
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  modes: { file: number; folder: number } = { file: 0o666, folder: 0o777 },
): Promise<void> {
  const temporaryPath = `${path}.${process.pid}.${crypto.randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: modes.folder });
  try {
    await writeFile(temporaryPath, bytes, { mode: modes.file });
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
