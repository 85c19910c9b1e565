import { StartupError } from '#db/embedded.ts';
import { chooseGeneration, pictureFolder } from './generations.ts';
import { type Manifest, type Part, type Picture, readManifest, readPictureList } from './manifest.ts';
import { readPart } from './parts.ts';
import type { Place } from './place.ts';
import type { Report } from './report.ts';
import type { Open } from './seal.ts';

/** Bytes of a manifest: hundreds of times those of a large site. */
const mostOfManifest = 64 * 1024 * 1024;

/** How an operator opens what is encrypted; undefined: nothing was given. */
export type FindKey = (place: Place) => Promise<Open | undefined>;

export interface OpenedBackup {
  place: Place;
  name: string;
  manifest: Manifest;
  pictures: Picture[];
  open: Open;
}

/**
 * Opens the backup of a name, or the newest, as far as its manifest and its list of pictures.
 * @throws StartupError when there is none, it is torn, of a newer release, or cannot be opened by what was given
 */
export async function openBackup(
  place: Place,
  wanted: string | undefined,
  findKey: FindKey,
): Promise<OpenedBackup> {
  const { name, manifest: path } = await chooseGeneration(place, wanted);
  const isSealed = path.endsWith('.age');
  const open = isSealed ? await findKey(place) : (bytes: Uint8Array) => Promise.resolve(bytes);
  if (!open)
    throw new StartupError(
      `The backup ${name} in ${place.name} is encrypted: give --identity FILE, --passphrase-file FILE or BACKUP_PASSPHRASE.`,
    );
  const bytes = await place.read(path, mostOfManifest);
  if (!bytes) throw new StartupError(`The backup ${name} in ${place.name} was deleted just now.`);
  const manifest = readManifest(new TextDecoder().decode(await opening(open, bytes, place, name)), name);
  const list = await readPart(place, name, manifest.pictures.list);
  const pictures = readPictureList(new TextDecoder().decode(list), name);
  return { place, name, manifest, pictures, open };
}

async function opening(open: Open, bytes: Uint8Array, place: Place, name: string): Promise<Uint8Array> {
  try {
    return await open(bytes);
  } catch {
    throw new StartupError(
      `The key does not open the backup ${name} in ${place.name}, or its manifest was altered.`,
    );
  }
}

/**
 * Reads every file of a backup and compares its checksum with the manifest's.
 * @returns how many files and bytes that were
 * @throws StartupError that names the first that is missing or was altered
 */
export async function verifyBackup(
  { place, name, manifest, pictures }: OpenedBackup,
  report: Report,
): Promise<{ files: number; bytes: number }> {
  const own: Part[] = [
    ...[...manifest.tables, manifest.jobs].flatMap(({ parts }) => parts),
    ...(manifest.vapid ? [manifest.vapid] : []),
  ];
  const files = [
    ...own.map((part) => ({ folder: name, part })),
    ...pictures.map((part) => ({ folder: pictureFolder, part })),
  ];
  const waiting = files.values();
  let done = 0;
  const work = async () => {
    for (const { folder, part } of waiting) {
      report.step(`checksums: file ${done + 1} of ${files.length}`);
      await readPart(place, folder, part);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return { files: files.length, bytes: files.reduce((sum, { part }) => sum + part.bytes, 0) };
}
