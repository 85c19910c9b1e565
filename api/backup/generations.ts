import { randomBytes } from 'node:crypto';
import { StartupError } from '#db/embedded.ts';
import { readPictureList } from './manifest.ts';
import type { Place } from './place.ts';

/** The backups of one place: a folder each, called by its moment, beside the pictures that they share. */

export const pictureFolder = 'pictures';
export const pictureListFile = 'pictures.json';
const manifestFile = 'manifest.json';
/** Bytes of the list of pictures, which has some 200 for each. */
const mostOfPictureList = 1024 ** 3;
const namePattern = /^\d{8}T\d{9}Z-[0-9a-f]{6}$/;
const day = 86_400_000;

/** To the millisecond, in UTC: sorted by names, backups are sorted by time. */
const stampOf = (time: number) => new Date(time).toISOString().replace(/[-:.]/g, '');

/** The name of a backup of now. */
export const newName = (): string => `${stampOf(Date.now())}-${randomBytes(3).toString('hex')}`;

export const manifestPath = (name: string, suffix: string) => `${name}/${manifestFile}${suffix}`;

export interface Generation {
  name: string;
  /** Where its manifest is; undefined: it is torn, or being made. */
  manifest: string | undefined;
}

/** The backups of a place, the oldest first. */
export async function listGenerations(place: Place): Promise<Generation[]> {
  const { folders } = await place.listTop();
  const names = folders.filter((name) => namePattern.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const files = await place.list(name);
      const manifest = ['', '.age']
        .map((suffix) => manifestPath(name, suffix))
        .find((path) => files.has(path));
      return { name, manifest };
    }),
  );
}

/** Whether a place has whole backups that only a key opens. */
export async function hasSealed(place: Place): Promise<boolean> {
  return (await listGenerations(place)).some(({ manifest }) => manifest?.endsWith('.age'));
}

/**
 * The backup of a name, or the newest.
 * @throws StartupError when there is none, or when it is torn: nobody gets an older one without asking for it
 */
export async function chooseGeneration(
  place: Place,
  wanted: string | undefined,
): Promise<{ name: string; manifest: string }> {
  const all = await listGenerations(place);
  const chosen = wanted === undefined ? all.at(-1) : all.find(({ name }) => name === wanted);
  if (!chosen)
    throw new StartupError(`There is no backup${wanted === undefined ? '' : ` ${wanted}`} in ${place.name}.`);
  const { name, manifest } = chosen;
  if (manifest !== undefined) return { name, manifest };
  const older = all.filter((each) => each.manifest !== undefined && each.name < name).at(-1);
  throw new StartupError(
    `The backup ${name} in ${place.name} is torn: it has no manifest, because it was cut or is still being made. ${
      older
        ? `The one before it that is whole can be had by --backup ${older.name}.`
        : 'There is none before it.'
    }`,
  );
}

/** Of a picture's file below `pictures`: the folder has the tag of its seal, the name its key and the checksum of the file. */
export const pictureFile = /^[0-9a-z]+\/(?<key>upload-[0-9a-f]{24})\.(?<sum>[0-9a-f]{64})\.jpg(?:\.age)?$/;

export interface Cleared {
  /** How many backups were deleted. */
  deleted: number;
  /** The torn backup because of which none was. */
  waitsFor?: string;
}

/**
 * Deletes all but the newest whole backups, and pictures that none of these has. Nothing is deleted while another backup may be
 * under way, which is a torn one of less than a day: it counts on pictures that it found. Files of others stay.
 */
export async function keepNewest(place: Place, count: number): Promise<Cleared> {
  // Before the backups: what one that begins from now on sends is not among them.
  const pictures = await place.list(pictureFolder);
  const all = await listGenerations(place);
  const dayAgo = stampOf(Date.now() - day);
  const torn = all.find(({ name, manifest }) => manifest === undefined && name > dayAgo);
  if (torn) return { deleted: 0, waitsFor: torn.name };
  const kept = all.filter(({ manifest }) => manifest !== undefined).slice(-count);
  const names = new Set(kept.map(({ name }) => name));
  const gone = all.filter(({ name }) => !names.has(name));
  for (const { name, manifest } of gone) {
    // First of all, so that one whose deletion is cut is torn.
    if (manifest !== undefined) await place.delete(manifest);
    await place.deleteFolder(name);
  }
  const needed = new Set<string>();
  for (const { name } of kept) {
    const list = await place.read(`${name}/${pictureListFile}`, mostOfPictureList);
    if (!list) return { deleted: gone.length };
    for (const { file } of readPictureList(new TextDecoder().decode(list), name)) needed.add(file);
  }
  const before = new Set(all.map(({ name }) => name));
  const { folders } = await place.listTop();
  // One that began meanwhile may count on any of them: they go the next time.
  if (folders.some((name) => namePattern.test(name) && !before.has(name))) return { deleted: gone.length };
  for (const path of pictures.keys()) {
    const file = path.slice(pictureFolder.length + 1);
    if (pictureFile.test(file) && !needed.has(file)) await place.delete(path);
  }
  return { deleted: gone.length };
}
