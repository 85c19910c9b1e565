import { type Config, setConfig } from '#api/config.ts';
import { allJobs } from '#api/jobs/all.ts';
import { startJobs, stopJobs } from '#api/jobs/jobs.ts';
import { chooseBus, closeBus } from '#db/bus.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { StartupError } from '#db/embedded.ts';
import { bunx, runProgram } from './child.ts';
import { openMigratedDatabase, seedDatabase, withAddress } from './database.ts';
import type { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';
import { accountLines } from './welcome.ts';

/** Opens the database as `bun start` does and runs `astro dev` until it or we are ended. */
export async function develop(config: Config, shutdown: Shutdown): Promise<void> {
  const database = await openMigratedDatabase(config, shutdown);
  const greeting = await seedDatabase(config, database);
  for (const line of accountLines(greeting)) printLine(line);
  if (config.jobs) await runJobs(withAddress(config, database), database.url, shutdown);
  const astro = runProgram(bunx('astro', 'dev', '--port', String(config.port), '--host', config.host), {
    env: { ASTRO_TELEMETRY_DISABLED: '1', DATABASE_URL: database.url },
    inheritOutput: true,
    onStart: (stop) =>
      shutdown.defer(async () => {
        stop();
        await astro;
      }),
  });
  const { code } = await astro;
  if (!shutdown.began) throw new StartupError(`The development server ended with code ${code}.`);
}

/** Jobs run here, not in Astro's process, which starts anew with every change of the configuration. */
async function runJobs(config: Config, url: string, shutdown: Shutdown): Promise<void> {
  setConfig(config);
  openDatabase(url, 6);
  chooseBus(config.busUrl);
  shutdown.defer(() => closeDatabase());
  shutdown.defer(() => closeBus());
  await startJobs(allJobs);
  shutdown.defer(() => stopJobs());
}
