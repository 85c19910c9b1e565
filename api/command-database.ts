import type { Blocker } from '#db/apply-migrations.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { startEmbedded } from '#db/embedded.ts';
import { log } from '#db/log.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { findPrimary } from '#db/primary.ts';
import { config } from './config.ts';
import { settingOf } from './database-urls.ts';
import { settlePurges } from './edge/purge.ts';
import { stopJobs } from './jobs/jobs.ts';

/** For whoever looks on while an upgrade does not come about. */
export const tellWait = (blocker: Blocker): void =>
  log.warn({ blocker }, 'a migration waits for a lock that somebody else holds');

/**
 * Opens the database of the settings for a command, up to date: that of DATABASE_URL, or the built-in one, which is started.
 * @param connections at most so many
 * @returns closes it, and stops what was started
 * @throws StartupError, ConfigError
 */
export async function openCommandDatabase(connections?: number): Promise<() => Promise<void>> {
  const settings = config();
  const { databaseUrl, databaseDirectUrl, dataDir } = settings;
  const address = databaseDirectUrl ?? databaseUrl;
  const embedded = address ? undefined : await startEmbedded(dataDir);
  const close = async () => {
    await settlePurges();
    await stopJobs();
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
