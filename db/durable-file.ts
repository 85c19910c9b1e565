import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf } from './error-code.ts';

type Content = string | Uint8Array | Readable;

/**
 * Writes a file that only its owner reads, and brings it to the disk. A full disk is told to the caller and leaves nothing: a handle that is
 * left open ends the process when it is collected.
 * @param flags `wx` refuses what is there already
 */
export async function writeSynced(path: string, content: Content, flags: 'w' | 'wx' = 'w'): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Written beside, brought to the disk, and renamed: neither a reader nor a crash meets half a file.
 * @param draft in the folder of `path`, which is there
 */
export async function writeDurably(
  draft: string,
  path: string,
  content: Content,
  flags: 'w' | 'wx' = 'w',
): Promise<void> {
  await writeSynced(draft, content, flags);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * The same into a folder that is made where there is none, and is its owner's alone. A crash does not lose the file either: the folders
 * that got a new name in them are brought to the disk as well.
 */
export async function putDurably(draft: string, path: string, bytes: Uint8Array): Promise<void> {
  const firstMade = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeDurably(draft, path, bytes, 'wx');
  await syncFolder(dirname(path));
  if (firstMade === undefined) return;
  for (let folder = dirname(path); folder.length >= firstMade.length; folder = dirname(folder))
    await syncFolder(dirname(folder));
}

/** What systems answer of which no folder can be brought to the disk: Windows, and shared folders of virtual machines. */
const cannotSync = ['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP', 'EACCES'];

/** The file in it is on the disk by now: where the system cannot do the same for a folder, that is all that can be had. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!cannotSync.includes(codeOf(error) ?? '')) throw error;
  }
}
