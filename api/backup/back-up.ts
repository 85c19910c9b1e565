import { availableParallelism } from 'node:os';
import { getTableName } from 'drizzle-orm';
import { readSnapshot, SnapshotRefused, type Upload } from '#db/backup/dump.ts';
import { StartupError } from '#db/embedded.ts';
import { pushSubscriptions } from '#db/schema/reminders.ts';
import { version as release } from '../../package.json';
import { maxPictureBytes, originalPath } from '../media/store.ts';
import { isOriginal } from '../media/uploads.ts';
import { findVapidKeys } from '../push/keys.ts';
import {
  type Cleared,
  keepNewest,
  manifestPath,
  newName,
  pictureFile,
  pictureFolder,
  pictureListFile,
} from './generations.ts';
import { type Manifest, manifestVersion, type Picture } from './manifest.ts';
import { originals } from './originals.ts';
import { sha256, writePart, writeRows } from './parts.ts';
import type { Place } from './place.ts';
import type { Report } from './report.ts';
import type { Seal } from './seal.ts';

const subscriptions = getTableName(pushSubscriptions);

export interface BackupSummary extends Cleared {
  name: string;
  tables: number;
  rows: number;
  pictures: number;
  /** Of the pictures, those that the place did not have yet. */
  sent: number;
  /** Bytes that were written. */
  bytes: number;
  /** Keys of pictures whose original neither the site's store nor the place has, or that is damaged in the store. */
  lost: string[];
  /** Pictures whose original the site's store has lost and the place still has. */
  onlyHere: Picture[];
  /** Whether browsers have subscribed, and the keys of web push to which they are bound were not found. */
  lacksKeys: boolean;
  /** Why the keys of web push cannot be read, though there are some; the backup has none then. */
  keysFault: string | undefined;
}

/** Where a backup is being made: the folder is its own. */
interface Target {
  place: Place;
  seal: Seal;
  folder: string;
}

/**
 * Copies the site into a place: the database of one moment, then originals of pictures that are not there yet, the keys of web push,
 * and last the manifest. Cut at any point it leaves a torn backup, which is refused, and pictures, which the next one finds; one that
 * fails by itself leaves the pictures alone.
 * @param url of the site's database
 * @param keep so many whole backups stay, undefined: all
 * @throws StartupError
 */
export async function backUp(
  url: string,
  { place, seal, keep, report }: { place: Place; seal: Seal; keep: number | undefined; report: Report },
): Promise<BackupSummary> {
  const name = newName();
  const to = { place, seal, folder: name };
  const { manifest, keysFault, sent, lost, onlyHere } = await copySite(url, to, report).catch(
    async (error: unknown) => {
      await discard(to);
      throw error;
    },
  );
  await place.deleteLeftovers();
  const parts = [...manifest.tables, manifest.jobs].flatMap((rows) => rows.parts);
  return {
    name,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    pictures: manifest.pictures.count,
    sent: sent.length,
    bytes: [...parts, ...sent].reduce((sum, { bytes }) => sum + bytes, 0),
    lost,
    onlyHere,
    keysFault,
    lacksKeys:
      !manifest.vapid && manifest.tables.some(({ name, rows }) => name === subscriptions && rows > 0),
    ...(keep === undefined ? { deleted: 0 } : await keepNewest(place, keep)),
  };
}

async function copySite(url: string, to: Target, report: Report) {
  const { place, seal, folder } = to;
  const { uploads, ...database } = await copyDatabase(url, to, report);
  const { pictures, ...told } = await copyPictures(place, seal, uploads, report);
  const list = new TextEncoder().encode(JSON.stringify(pictures));
  const { vapid, keysFault } = await readKeys();
  const manifest: Manifest = {
    format: 'byeol-backup',
    version: manifestVersion,
    release,
    ...database,
    // Not sealed: whoever deletes old backups needs it, and it says no more than the names of files.
    pictures: { count: pictures.length, list: await writePart(place, folder, pictureListFile, list) },
    vapid: vapid
      ? await writePart(
          place,
          folder,
          `vapid.json${seal.suffix}`,
          await seal.seal(new TextEncoder().encode(JSON.stringify(vapid))),
        )
      : null,
  };
  await seal.confirm();
  await place.write(
    manifestPath(folder, seal.suffix),
    await seal.seal(new TextEncoder().encode(JSON.stringify(manifest))),
  );
  return { manifest, keysFault, ...told };
}

/** What is wrong with their file is the site's fault, not the backup's: all else is as good as ever. */
async function readKeys() {
  try {
    return { vapid: await findVapidKeys(), keysFault: undefined };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { vapid: undefined, keysFault: error.message };
  }
}

/**
 * Nothing goes on from what a failed run has of the database, and on a full disk it would take the room of the next. The key of a
 * bucket may have no right to delete, and what failed is told, not this.
 */
async function discard({ place, seal, folder }: Target): Promise<void> {
  try {
    // First of all, so that one whose deletion is cut is torn: a store may have taken it and not said so.
    await place.delete(manifestPath(folder, seal.suffix));
    await place.deleteFolder(folder);
  } catch {}
}

async function copyDatabase(url: string, to: Target, report: Report) {
  try {
    return await readSnapshot(url, async (snapshot) => {
      const createdAt = new Date().toISOString();
      const tables: Manifest['tables'] = [];
      let bytes = 0;
      for (const [index, table] of snapshot.tables.entries()) {
        const tell = (more = 0) => {
          bytes += more;
          report.step(
            `database: table ${index + 1} of ${snapshot.tables.length} (${table.name}), ${megabytes(bytes)}`,
          );
        };
        tell();
        const file = `tables/${String(index + 1).padStart(3, '0')}-${table.name.replace(/[^\w-]/g, '_')}`;
        tables.push({ ...table, ...(await writeRows(to, file, snapshot.rowsOf(table), tell)) });
      }
      const jobs = await writeRows(to, 'jobs', snapshot.jobs(), () => {});
      const { migrations, sequences, uploads } = snapshot;
      return { createdAt, migrations, tables, sequences, jobs, uploads };
    });
  } catch (error) {
    if (error instanceof SnapshotRefused) throw new StartupError(error.message);
    throw error;
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Stores answer slowly and many at once. */
const atOnce = Math.max(4, availableParallelism());

/**
 * Sends the originals that the place has not. One that was encrypted for others is sent again. Its name has the checksum of the file
 * as it lies there, so that what was sent before need not be read. The same key is the same picture for ever (`keyOf` in
 * `api/media/uploads.ts`).
 */
async function copyPictures(place: Place, seal: Seal, uploads: readonly Upload[], report: Report) {
  const from = originals();
  const folder = `${pictureFolder}/${seal.tag}`;
  const existing = new Map<string, Picture>();
  for (const [path, bytes] of await place.list(folder)) {
    const file = path.slice(pictureFolder.length + 1);
    const { key, sum } = file.match(pictureFile)?.groups ?? {};
    if (key !== undefined && sum !== undefined) existing.set(key, { key, file, bytes, sha256: sum });
  }
  const pictures: Picture[] = [];
  const sent: Picture[] = [];
  const lost: string[] = [];
  const onlyHere: Picture[] = [];
  const stored = await from.list();
  const waiting = uploads.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const { key, isWithdrawn } of waiting) {
      if (failures.length > 0) return;
      report.step(`pictures: ${pictures.length} of ${uploads.length}`);
      // A power cut may leave a file without bytes.
      const isStored = (stored.get(originalPath(key)) ?? 0) > 0;
      // What the site has thrown away for good is no part of it any more, though an older backup has it.
      if (isWithdrawn && !isStored) continue;
      const known = existing.get(key);
      const picture = known ?? (await send(key));
      if (picture) pictures.push(picture);
      else if (!isWithdrawn) lost.push(key);
      if (known && !isStored) onlyHere.push(known);
    }
  };
  const send = async (key: string): Promise<Picture | undefined> => {
    const original = await from.read(originalPath(key), maxPictureBytes);
    // What was sent is taken for good by every later backup.
    if (!original || original.byteLength > maxPictureBytes || !(await isOriginal(original))) return undefined;
    const bytes = await seal.seal(original);
    const file = `${seal.tag}/${key}.${sha256(bytes)}.jpg${seal.suffix}`;
    const picture = { key, ...(await writePart(place, pictureFolder, file, bytes)) };
    sent.push(picture);
    return picture;
  };
  // What is on its way when another fails is waited for: it would be written beside what is taken back.
  await Promise.all(
    Array.from({ length: atOnce }, () => work().catch((error: unknown) => void failures.push(error))),
  );
  if (failures.length > 0) throw failures[0];
  return { pictures: pictures.sort((a, b) => (a.key < b.key ? -1 : 1)), sent, lost, onlyHere };
}
