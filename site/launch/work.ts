import { type Config, setConfig } from '#api/config.ts';
import { settlePurges } from '#api/edge/purge.ts';
import { allJobs } from '#api/jobs/all.ts';
import { startJobs, stopJobs } from '#api/jobs/jobs.ts';
import { chooseBus } from '#db/bus.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { log, setLogLevel } from '#db/log.ts';
import { listenForScrapes } from '../lib/metrics/metrics-port.ts';
import { watchEventLoop } from '../lib/metrics/process-metrics.ts';
import { startTracing } from '../lib/tracing/send-traces.ts';
import { openMigratedDatabase } from './database.ts';
import type { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';

/** Runs the jobs until a signal comes. The database is the app's: of DATABASE_URL, or the embedded one of DATA_DIR. */
export async function work(config: Config, shutdown: Shutdown): Promise<void> {
  const { url } = await openMigratedDatabase(config, shutdown);
  setConfig({ ...config, databaseUrl: url });
  setLogLevel(config.logLevel);
  shutdown.defer(await startTracing(config));
  openDatabase(url, 6);
  chooseBus(config.busUrl);
  shutdown.defer(() => closeDatabase());
  watchEventLoop();
  shutdown.defer(listenForScrapes(config.host, config.metricsPort));
  shutdown.defer(() => settlePurges());
  await startJobs(allJobs);
  shutdown.defer(() => stopJobs());
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure was handled by nobody'));
  printLine(`  The worker runs ${allJobs.length} kinds of jobs. Ctrl-C stops it.`);
}
