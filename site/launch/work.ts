import { type Config, setConfig } from '#api/config.ts';
import { settlePurges } from '#api/edge/purge.ts';
import { allJobs } from '#api/jobs/all.ts';
import { startJobs, stopJobs } from '#api/jobs/jobs.ts';
import { chooseBus } from '#db/bus.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { openMigratedDatabase } from './database.ts';
import { logError } from './failure.ts';
import type { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';

/** Runs the jobs until a signal comes. The database is the app's: of DATABASE_URL, or the embedded one of DATA_DIR. */
export async function work(config: Config, shutdown: Shutdown): Promise<void> {
  const { url } = await openMigratedDatabase(config, shutdown);
  setConfig({ ...config, databaseUrl: url });
  openDatabase(url, 6);
  chooseBus(config.busUrl);
  shutdown.defer(() => closeDatabase());
  shutdown.defer(() => settlePurges());
  await startJobs(allJobs);
  shutdown.defer(() => stopJobs());
  process.on('unhandledRejection', (error) => logError(error, config.dataDir));
  printLine(`  The worker runs ${allJobs.length} kinds of jobs. Ctrl-C stops it.`);
}
