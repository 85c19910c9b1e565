import { parseArgs } from 'node:util';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { StartupError } from '#db/embedded.ts';
import { faultOfArguments } from '../command-help.ts';
import { stopJobs } from '../jobs/jobs.ts';
import { counted, keyFinder, placeHelp, placeOf, withDatabase } from './command-line.ts';
import { openBackup } from './open-backup.ts';
import { reportTo } from './report.ts';
import { restore } from './restore.ts';

/** `bun run restore`: the site of a backup, on a machine that has none. */

const help = `Makes the site of a backup on a machine that has none.

  bun run restore [PLACE] [--backup NAME] [--identity FILE]… [--passphrase-file FILE]

${placeHelp}

The newest backup of the place is taken, or the one that --backup names. It goes to where the settings say: the database of DATABASE_URL,
which must be there and empty, or the built-in one of DATA_DIR; pictures into the bucket of STORAGE_URL or into DATA_DIR; the keys of
web push into DATA_DIR. Every file is checked before anything is written. A backup of an older release is brought to this one. When a
restore was cut, run it again.

--identity         the file with the key of age that opens it, as age-keygen writes it.
--passphrase-file  a file with the passphrase; without it BACKUP_PASSPHRASE is taken, if that is set.
`;

/** @throws StartupError */
function readArguments(args: string[]) {
  let fault = '';
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        backup: { type: 'string' },
        identity: { type: 'string', multiple: true },
        'passphrase-file': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (positionals.length <= 1) return { ...values, place: positionals[0] };
  } catch (error) {
    fault = faultOfArguments(error);
  }
  throw new StartupError(`${fault}Say from where: bun run restore PLACE. --help tells the rest.`);
}

/** Carries out what the operator typed behind `bun run restore`. @throws StartupError, ConfigError */
export async function restoreCommand(args: string[]): Promise<void> {
  const said = readArguments(args);
  if (said.help) {
    process.stdout.write(help);
    return;
  }
  const place = placeOf(said.place);
  const report = reportTo(process.stderr);
  const backup = await openBackup(
    place,
    said.backup,
    keyFinder(said.identity ?? [], said['passphrase-file']),
  );
  const { name, manifest, pictures } = backup;
  await withDatabase(true, async (url) => {
    openDatabase(url, 2);
    try {
      await restore(url, backup, report);
    } finally {
      await stopJobs();
      await closeDatabase();
    }
  });
  report.end();
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `Restored the backup ${name} of ${manifest.createdAt}: ${counted(manifest.tables.length, 'table')} with ${counted(rows, 'row')}, ${counted(pictures.length, 'picture')}.`,
  );
}
