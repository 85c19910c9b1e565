import { tellWait } from '#api/command-database.ts';
import type { Config } from '#api/config.ts';
import { settingOf } from '#api/database-urls.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { findPrimary } from '#db/primary.ts';
import { refuseAnotherDatabase } from '#db/same-database.ts';
import { hasContent } from '#db/seed/has-content.ts';
import { ensureAccounts, type Greeting } from './accounts.ts';
import type { Shutdown } from './shutdown.ts';
import { step } from './terminal.ts';

export interface OpenedDatabase {
  /** Of the database itself: past a pooler, and of several hosts the primary. */
  url: string;
  embedded: boolean;
}

/**
 * The migrated database of these settings: the one of DATABASE_URL, else the embedded one, which `shutdown` stops.
 * @throws StartupError when it cannot be reached or made, or the pooler of DATABASE_URL leads to another
 */
export async function openMigratedDatabase(config: Config, shutdown: Shutdown): Promise<OpenedDatabase> {
  const address = config.databaseDirectUrl ?? config.databaseUrl;
  if (address) {
    const url = await findPrimary(address);
    // First: another one must not be migrated.
    if (config.databaseDirectUrl && config.databaseUrl) await refuseAnotherDatabase(url, config.databaseUrl);
    await migrateDatabase(url, { setting: settingOf(config), onWait: tellWait });
    return { url, embedded: false };
  }
  const starting = startEmbedded(config.dataDir);
  // A signal may come while it starts: it is stopped once it has started; a start that failed leaves nothing to stop.
  shutdown.defer(async () => (await starting.catch(() => undefined))?.stop());
  const postgres = await starting;
  const url = postgres.url();
  await createDatabase(url);
  await migrateDatabase(url, { dataDir: config.dataDir, onWait: tellWait });
  return { url, embedded: true };
}

/** The settings with which it is served: what is built in has its address only once it runs. */
export const withAddress = (config: Config, { url, embedded }: OpenedDatabase): Config =>
  embedded ? { ...config, databaseUrl: url } : config;

/** Fills an empty embedded database with the demo world and makes the first accounts. A database of others is left alone. */
export async function seedDatabase(config: Config, { url, embedded }: OpenedDatabase): Promise<Greeting> {
  openDatabase(url, 4);
  try {
    if (embedded && !(await hasContent())) {
      // Loaded by the one start that needs it: every other would take a fifth longer, and keep it in memory while it serves.
      const { seedDemo } = await import('#db/seed/demo.ts');
      const { renderMarkdown } = await import('#api/articles/markdown.ts');
      await step('Filling in the demo world', (note) =>
        seedDemo({ now: new Date(), renderMarkdown, progress: (message) => note(message) }),
      );
    }
    return await ensureAccounts(config, embedded);
  } finally {
    await closeDatabase();
  }
}
