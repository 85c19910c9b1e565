import { type Config, setConfig } from '#api/config.ts';
import { settlePurges } from '#api/edge/purge.ts';
import { settleInvalidations } from '#api/invalidation.ts';
import { allJobs } from '#api/jobs/all.ts';
import { startJobs, stopJobs } from '#api/jobs/jobs.ts';
import { findVapidKeys } from '#api/push/keys.ts';
import { chooseBus, closeBus } from '#db/bus.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { hostsFrom } from '#db/hosts.ts';
import { log, setLogLevel } from '#db/log.ts';
import { watchDatabase } from '#db/watch-database.ts';
import { listenForScrapes } from '../lib/metrics/metrics-port.ts';
import { watchEventLoop } from '../lib/metrics/process-metrics.ts';
import { startTracing } from '../lib/tracing/send-traces.ts';
import { openMigratedDatabase, withAddress } from './database.ts';
import type { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';

/** Runs the jobs until a signal comes. The database is the app's: of DATABASE_URL, or the embedded one of DATA_DIR. */
export async function work(config: Config, shutdown: Shutdown): Promise<void> {
  // A damaged file is told now, not to whoever subscribes.
  await findVapidKeys(config);
  const database = await openMigratedDatabase(config, shutdown);
  const settings = withAddress(config, database);
  setConfig(settings);
  setLogLevel(config.logLevel);
  shutdown.defer(await startTracing(config));
  openDatabase(database.url, 6);
  chooseBus(config.busUrl);
  shutdown.defer(() => closeDatabase());
  shutdown.defer(() => closeBus());
  const hosts = hostsFrom(database.url, settings.databaseDirectUrl ?? settings.databaseUrl ?? '');
  shutdown.defer(watchDatabase({ hosts, pooledUrl: undefined, replicas: undefined }));
  watchEventLoop();
  const scrapes = listenForScrapes(config);
  shutdown.defer(() => scrapes.stop());
  shutdown.defer(() => settlePurges());
  shutdown.defer(() => settleInvalidations());
  await startJobs(allJobs);
  shutdown.defer(() => stopJobs());
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure was handled by nobody'));
  printLine(`  The worker runs ${allJobs.length} kinds of jobs. Ctrl-C stops it.`);
}
