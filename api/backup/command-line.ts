import { readFile } from 'node:fs/promises';
import { saidByServer } from '#db/backup/catalogue.ts';
import { isUnreachable, whyUnreachable } from '#db/database-errors.ts';
import { StartupError, startEmbedded } from '#db/embedded.ts';
import { createDatabase } from '#db/migrate.ts';
import { findPrimary } from '#db/primary.ts';
import { ensureSite } from '../command-database.ts';
import { config, passphrase } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { settingOf } from '../database-urls.ts';
import { printable } from '../printable.ts';
import type { FindKey } from './open-backup.ts';
import { openPlace } from './open-place.ts';
import type { Place } from './place.ts';
import { openByIdentities, openByPassphrase } from './seal.ts';

/** What `bun run backup` and `bun run restore` have in common. */

export const placeHelp = `PLACE is a folder, or s3://key:secret@host/bucket/folder?region=…&tls=on; without one it is that of BACKUP_URL, which other users of
this machine cannot read in the list of processes.`;

/**
 * The place of an argument, else of BACKUP_URL.
 * @param what is to be said where there is neither
 * @throws StartupError
 */
export function placeOf(argument: string | undefined, what = 'where the backup is'): Place {
  const address = argument ?? config().backupUrl;
  if (address === undefined)
    throw new StartupError(`Say ${what}: a folder, an s3:// address, or BACKUP_URL.`);
  return openPlace(address);
}

/** The passphrase of a file, else of BACKUP_PASSPHRASE. @throws StartupError, ConfigError */
export async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return config().backupPassphrase;
  const text = (await textOf(file)).trim();
  if (text === '') throw new StartupError(`${file} has no passphrase in it.`);
  return passphrase(file, text);
}

/** What opens a backup: keys of files, else a passphrase. */
export const keyFinder =
  (identityFiles: readonly string[], passphraseFile: string | undefined): FindKey =>
  async (place) => {
    if (identityFiles.length > 0) {
      const texts = await Promise.all(identityFiles.map(textOf));
      return openByIdentities(identityFiles.join(', '), texts.join('\n'));
    }
    const secret = await readPassphrase(passphraseFile);
    return secret === undefined ? undefined : openByPassphrase(place, secret);
  };

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new StartupError(`${file} cannot be read.`);
  }
}

/** Runs a command with what was typed behind it; what an operator can mend is told in a sentence, with status 1. */
export async function runCommand(command: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    if (isEnding) return;
    process.exitCode = 1;
    if (error instanceof StartupError || error instanceof ConfigError)
      console.error(error.message.split('\n').map(printable).join('\n'));
    else if (isUnreachable(error)) {
      const { databaseUrl = '', databaseDirectUrl = databaseUrl } = config();
      console.error(whyUnreachable(error, databaseDirectUrl, settingOf(config())));
    } else {
      // The error itself also has the row that it is about.
      const refusal = saidByServer(error);
      if (refusal === undefined) throw error;
      console.error(`The database refuses: ${printable(refusal)}.`);
    }
  }
}

/** Whether a signal ends the command; what that breaks on its way is no news. */
let isEnding = false;

/** Ctrl-C comes from the terminal and passed on by `bun run`: the first is enough. */
function endOnSignals(stop: () => Promise<void>): void {
  const endWith = (code: number) => () => {
    if (isEnding) return;
    isEnding = true;
    console.error('Stopped: start the command again.');
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => {});
    void stop().finally(() => process.exit(code));
  };
  process.on('SIGINT', endWith(130));
  process.on('SIGTERM', endWith(143));
}

/**
 * Gives `action` the address of the site's database: DATABASE_URL, or the built-in one, which is started if it does not run. Nothing is
 * migrated: a backup is of the database as it is. A signal ends the process, and a built-in database that nobody else uses.
 * @param mayBeMade whether a built-in one that there is not yet is made
 * @throws StartupError
 */
export async function withDatabase<T>(mayBeMade: boolean, action: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config();
  const address = databaseDirectUrl ?? databaseUrl;
  if (address !== undefined) {
    endOnSignals(() => Promise.resolve());
    return action(await findPrimary(address));
  }
  if (!mayBeMade) ensureSite(dataDir);
  const starting = startEmbedded(dataDir);
  endOnSignals(async () => (await starting).stop());
  const embedded = await starting;
  try {
    if (mayBeMade) await createDatabase(embedded.url());
    return await action(embedded.url());
  } finally {
    await embedded.stop();
  }
}

export const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en-GB')} ${thing}${count === 1 ? '' : 's'}`;
