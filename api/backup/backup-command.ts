import { isAbsolute, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartupError } from '#db/embedded.ts';
import { faultOfArguments } from '../command-help.ts';
import { config } from '../config.ts';
import { backUp, megabytes } from './back-up.ts';
import { counted, keyFinder, placeHelp, placeOf, readPassphrase, withDatabase } from './command-line.ts';
import { pictureFolder } from './generations.ts';
import { openBackup, verifyBackup } from './open-backup.ts';
import type { Place } from './place.ts';
import { reportTo } from './report.ts';
import { leaveUnsealed, type Seal, sealByPassphrase, sealFor } from './seal.ts';

/** `bun run backup`: the whole site into a folder or a bucket, while it runs. */

const help = `Copies the whole site into a place, while it runs, or checks what lies there.

  bun run backup [PLACE] [--recipient age1…]… [--passphrase-file FILE] [--keep N]
  bun run backup --verify [PLACE] [--backup NAME] [--identity FILE]… [--passphrase-file FILE]

${placeHelp}

A backup has the database of one moment with its jobs, the originals of uploaded pictures, and the keys of web push. It is a folder
of the place, called by its moment; pictures lie beside it and are sent once for all backups of the place. What is cut can be
started again. A backup is whole when it has a manifest, which is written last.

--recipient        encrypts for a key of age (https://age-encryption.org); repeated, for several. This machine need not have the key.
--passphrase-file  encrypts by the passphrase in a file; without it by BACKUP_PASSPHRASE, if that is set and nobody is named.
--keep             deletes all but the newest N whole backups, and pictures that none of them has.
--verify           reads every file of the newest backup, or of the one that --backup names, and compares its checksum.
--identity         the file with the key that opens it, as age-keygen writes it.

Settings, logs, letters of the outbox and pictures of other sizes are no part of it: the last can be made again, keep the settings
with your other secrets.
`;

const options = {
  recipient: { type: 'string', multiple: true },
  'passphrase-file': { type: 'string' },
  keep: { type: 'string' },
  verify: { type: 'boolean' },
  backup: { type: 'string' },
  identity: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws StartupError */
function readArguments(args: string[]) {
  let fault = '';
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const isMixed = values.verify
      ? values.recipient !== undefined || values.keep !== undefined
      : values.backup !== undefined || values.identity !== undefined;
    if (positionals.length <= 1 && !isMixed) return { ...values, place: positionals[0] };
  } catch (error) {
    fault = faultOfArguments(error);
  }
  throw new StartupError(
    `${fault}Say what to do: bun run backup PLACE, or bun run backup --verify PLACE. --help tells the rest.`,
  );
}

/** @throws StartupError */
function keepOf(said: string | undefined): number | undefined {
  if (said !== undefined && !/^[1-9]\d{0,5}$/.test(said))
    throw new StartupError('--keep takes a number from 1 on.');
  return said === undefined ? undefined : Number(said);
}

/** @throws StartupError */
async function chooseSeal(
  place: Place,
  recipients: readonly string[],
  passphraseFile: string | undefined,
): Promise<Seal> {
  if (recipients.length > 0) {
    if (passphraseFile !== undefined)
      throw new StartupError('Choose one: --recipient, or --passphrase-file.');
    return sealFor(recipients);
  }
  const secret = await readPassphrase(passphraseFile);
  return secret === undefined ? leaveUnsealed(place) : sealByPassphrase(place, secret);
}

/** What a place has in common with what it is to outlive: a relative path, too, is one below the folder of the release. */
function dangerOf(place: Place): string | undefined {
  const isInside = (folder: string) => {
    const way = relative(folder, place.name);
    return isAbsolute(place.name) && !isAbsolute(way) && !/^\.\.(?:[/\\]|$)/.test(way);
  };
  const { dataDir } = config();
  if (isInside(resolve(dataDir))) return `${place.name} is lost with DATA_DIR, of which it is a part`;
  // Commands run in the folder of the release.
  if (isInside(process.cwd()))
    return `${place.name} is deleted with this release, of whose folder it is a part`;
  return undefined;
}

/** Names of a store that is away altogether would fill the journal of every night. */
const listed = (names: readonly string[], most = 20): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/** Carries out what the operator typed behind `bun run backup`. @throws StartupError, ConfigError */
export async function backupCommand(args: string[]): Promise<void> {
  const said = readArguments(args);
  if (said.help) {
    process.stdout.write(help);
    return;
  }
  const place = placeOf(said.place, said.verify ? 'where the backup is' : 'where the backup is to be put');
  const report = reportTo(process.stderr);
  if (said.verify) {
    const backup = await openBackup(
      place,
      said.backup,
      keyFinder(said.identity ?? [], said['passphrase-file']),
    );
    const { files, bytes } = await verifyBackup(backup, report);
    report.end();
    console.log(
      `The backup ${backup.name} in ${place.name} is whole: ${counted(files, 'file')}, ${megabytes(bytes)}.`,
    );
    return;
  }
  const keep = keepOf(said.keep);
  const seal = await chooseSeal(place, said.recipient ?? [], said['passphrase-file']);
  const made = await withDatabase(false, (url) => backUp(url, { place, seal, keep, report }));
  report.end();
  console.log(
    `Backup ${made.name} in ${place.name}: ${counted(made.tables, 'table')} with ${counted(made.rows, 'row')}, ${counted(made.pictures, 'picture')} (${made.sent} sent), ${megabytes(made.bytes)}.`,
  );
  if (made.deleted > 0) console.log(`Deleted: ${counted(made.deleted, 'older backup')}.`);
  if (made.waitsFor !== undefined)
    console.error(
      `No older backup was deleted: ${made.waitsFor} is torn or still being made, and younger than a day.`,
    );
  if (seal.suffix === '')
    console.error(
      'It is not encrypted, and holds e-mail addresses and keys: --recipient or a passphrase does that.',
    );
  const danger = dangerOf(place);
  if (danger !== undefined) console.error(`${danger}: take a folder of another disk, or a bucket.`);
  if (made.lacksKeys && made.keysFault === undefined)
    console.error(
      'It has no keys of web push, to which browsers have subscribed: there are none in DATA_DIR of this machine, nor in the settings.',
    );
  // What the site itself has lost is the only thing that is wrong: the command fails, the backup stays.
  const losses = [
    ...(made.keysFault === undefined ? [] : [`It has no keys of web push: ${made.keysFault}`]),
    ...(made.lost.length > 0
      ? [`The store of the site has lost the originals of ${listed(made.lost)}.`]
      : []),
    ...(made.onlyHere.length > 0
      ? [
          `The store of the site has lost originals that the place still has: put back ${listed(made.onlyHere.map(({ file }) => `${pictureFolder}/${file}`))}.`,
        ]
      : []),
  ];
  if (losses.length > 0) throw new StartupError(losses.join('\n'));
}
