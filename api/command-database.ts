import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Blocker } from '#db/apply-migrations.ts';
import { chooseBus, closeBus } from '#db/bus.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { StartupError, startEmbedded } from '#db/embedded.ts';
import { log } from '#db/log.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { findPrimary } from '#db/primary.ts';
import { config } from './config.ts';
import { settingOf } from './database-urls.ts';
import { settlePurges } from './edge/purge.ts';
import { settleInvalidations } from './invalidation.ts';
import { stopJobs } from './jobs/jobs.ts';

/** For whoever looks on while an upgrade does not come about. */
export const tellWait = (blocker: Blocker): void =>
  log.warn(
    { blocker },
    blocker.isMigrating && blocker.isBusy
      ? 'another process migrates or restores this database: wait until it is done'
      : 'a migration waits for a lock that somebody else holds',
  );

const hasSite = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres/PG_VERSION'));

/**
 * For a command that has nothing to do without a site.
 * @throws StartupError
 */
export function ensureSite(dataDir: string): void {
  if (!hasSite(dataDir))
    throw new StartupError(
      `There is no site in DATA_DIR ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL to those of the site, or start it first.`,
    );
}

/**
 * Opens the database of the settings for a command, up to date: that of DATABASE_URL, or the built-in one, which is started, and made
 * where there is none yet: that is said, as whoever forgot a setting would not notice.
 * @param connections at most so many
 * @returns closes it, and stops what was started
 * @throws StartupError, ConfigError
 */
export async function openCommandDatabase(connections?: number): Promise<() => Promise<void>> {
  const settings = config();
  const { databaseUrl, databaseDirectUrl, dataDir } = settings;
  // Processes of the site hear there what it changes.
  chooseBus(settings.busUrl);
  const address = databaseDirectUrl ?? databaseUrl;
  if (address === undefined && !hasSite(dataDir))
    console.error(
      `There is no site in DATA_DIR ${resolve(dataDir)} yet: a new one is made there. If yours is elsewhere, set DATA_DIR or DATABASE_URL.`,
    );
  const embedded = address ? undefined : await startEmbedded(dataDir);
  const close = async () => {
    await settleInvalidations();
    await settlePurges();
    await stopJobs();
    await closeBus();
    await closeDatabase();
    await embedded?.stop();
  };
  try {
    const url = embedded?.url() ?? (await findPrimary(address ?? ''));
    if (embedded) await createDatabase(url);
    await migrateDatabase(url, {
      dataDir: embedded ? dataDir : undefined,
      setting: settingOf(settings),
      onWait: tellWait,
    });
    openDatabase(url, connections);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}
