import { readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { LoadRefused, loadSnapshot, readTarget } from '#db/backup/load.ts';
import { withMigrationsUpTo } from '#db/backup/migrations.ts';
import { StartupError } from '#db/embedded.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { config } from '../config.ts';
import { allJobs } from '../jobs/all.ts';
import { requeue, type WaitingJob } from '../jobs/requeue.ts';
import { originalPath } from '../media/store.ts';
import { isOriginal } from '../media/uploads.ts';
import { restoreVapidKeys } from '../push/keys.ts';
import type { VapidKeys } from '../push/read-keys.ts';
import { pictureFolder } from './generations.ts';
import { type Manifest, readVapidKeys } from './manifest.ts';
import { type OpenedBackup, verifyBackup } from './open-backup.ts';
import { originals } from './originals.ts';
import { readPart, readRows } from './parts.ts';
import type { Report } from './report.ts';

const migrationsFolder = 'db/migrations';

/**
 * Makes the site of a backup in an empty database. First everything is checked, then pictures and keys of web push are put in their
 * places, then the database is filled in one transaction, and last it is brought to this release. Cut before that transaction ends
 * it can be run again; cut after it, the site is there and its start does the rest.
 * @param url of the database, which must be open (`openDatabase`)
 * @throws StartupError when the database is not empty or in use, when the backup is of a newer release, torn or altered
 */
export async function restore(url: string, backup: OpenedBackup, report: Report): Promise<void> {
  const { manifest, place, name, open } = backup;
  checkRelease(manifest, name);
  await checkTarget(url, manifest, name);
  await verifyBackup(backup, report);
  const [keys, jobs] = [await readKeys(backup), await readJobs(backup)];
  await restorePictures(backup, report);
  if (keys) await restoreKeys(keys, report);
  await withMigrationsUpTo(migrationsFolder, manifest.migrations.length, (folder) =>
    migrateDatabase(url, { folder }),
  );
  try {
    const strangers = await loadSnapshot(url, {
      tables: manifest.tables,
      sequences: manifest.sequences,
      rowsOf: (shape) => {
        const index = manifest.tables.findIndex((table) => table.name === shape.name);
        const table = manifest.tables[index];
        if (!table) throw new Error(`no table ${shape.name}`);
        report.step(`database: table ${index + 1} of ${manifest.tables.length} (${shape.name})`);
        return readRows(place, name, table, open);
      },
      also: (tx) => requeue(allJobs, jobs, executorOf(tx)),
    });
    if (strangers.length > 0)
      report.note(`Left out, because no migration made them: the tables ${strangers.join(', ')}.`);
  } catch (error) {
    if (error instanceof LoadRefused) throw new StartupError(error.message);
    throw error;
  }
  report.step('database: migrations since the backup');
  await migrateDatabase(url);
}

/** @throws StartupError when this release does not know the database of the backup */
function checkRelease({ migrations, release }: Manifest, name: string): void {
  const own = readMigrationFiles({ migrationsFolder });
  const newest = Math.max(...own.map(({ folderMillis }) => folderMillis));
  if (migrations.some(({ createdAt }) => createdAt > newest))
    throw new StartupError(
      `The backup ${name} was made by a newer release (${release}) with migrations that this one does not have: restore it with that one.`,
    );
  if (migrations.length > own.length || migrations.some(({ hash }, index) => hash !== own[index]?.hash))
    throw new StartupError(
      `The backup ${name} is of an older state of Byeol, which this release cannot take over: restore it with the release ${release}.`,
    );
}

/** @throws StartupError */
async function checkTarget(url: string, { migrations }: Manifest, name: string): Promise<void> {
  const target = await readTarget(url);
  if (target.occupied === 'used')
    throw new StartupError('The database is in use: stop the site and whatever else is connected to it.');
  if (target.occupied === 'filled')
    throw new StartupError(
      'The database is not empty: a backup is restored into an empty one, and nothing is written over.',
    );
  // One that was cut while it made the tables has left the first of them.
  if (target.migrations?.some(({ hash }, index) => hash !== migrations[index]?.hash))
    throw new StartupError(
      `The database was set up by another release than the backup ${name} is of: make a new, empty one, so that migrations act on its rows.`,
    );
}

/**
 * Before the database: a picture that no row names does no harm, a row without its picture does. A right checksum tells only that a
 * file is the one that the backup's maker meant: what is no picture as uploads are kept is left out, and its star's art stands in.
 */
async function restorePictures({ place, pictures, open }: OpenedBackup, report: Report): Promise<void> {
  const to = originals();
  const waiting = pictures.values();
  const strange: string[] = [];
  let done = 0;
  const work = async () => {
    for (const picture of waiting) {
      report.step(`pictures: ${done + 1} of ${pictures.length}`);
      const bytes = await open(await readPart(place, pictureFolder, picture));
      if (await isOriginal(bytes)) await to.write(originalPath(picture.key), bytes);
      else strange.push(picture.key);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  if (strange.length > 0)
    report.note(`Left out, because they are no pictures as the site keeps them: ${strange.join(', ')}.`);
}

async function readKeys({ place, name, manifest, open }: OpenedBackup): Promise<VapidKeys | undefined> {
  if (!manifest.vapid) return undefined;
  const bytes = await open(await readPart(place, name, manifest.vapid));
  return readVapidKeys(new TextDecoder().decode(bytes), name);
}

async function restoreKeys(keys: VapidKeys, report: Report): Promise<void> {
  const others = await restoreVapidKeys(keys);
  if (others !== undefined) report.note(`DATA_DIR had other keys of web push: they are in ${others} now.`);
  const { vapid } = config();
  if (vapid && vapid.publicKey !== keys.publicKey)
    report.note(
      'VAPID_PUBLIC_KEY is another than the site had, so browsers that subscribed would get nothing. Its keys are in vapid.json of DATA_DIR: unset the settings, or set them to these.',
    );
}

async function readJobs({ place, name, manifest, open }: OpenedBackup): Promise<WaitingJob[]> {
  const jobs: WaitingJob[] = [];
  for await (const lines of readRows(place, name, manifest.jobs, open))
    for (const line of new TextDecoder().decode(lines).trimEnd().split('\n')) jobs.push(JSON.parse(line));
  return jobs;
}

/** pg-boss's statements over the transaction that fills the database. Its values are text, also where it says `$1::json`. */
const executorOf = (tx: postgres.TransactionSql) => ({
  executeSql: async (text: string, values: string[]) => ({
    rows: [...(await tx.unsafe(text.replace(/\$\d+/g, '$&::text'), values))],
  }),
});
