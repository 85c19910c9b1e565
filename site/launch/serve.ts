import type { Config } from '#api/config.ts';
import { outboxOf } from '#api/mail/outbox.ts';
import { findVapidKeys } from '#api/push/keys.ts';
import { ensureBuilt } from './build.ts';
import { startBuiltServer } from './built-server.ts';
import { openMigratedDatabase, seedDatabase, withAddress } from './database.ts';
import { serveInProcesses } from './processes/serve-in-processes.ts';
import type { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';
import { welcome } from './welcome.ts';

/** Everything of a start that needs the installed packages: database, build, demo world, server or servers. */
export async function serve(config: Config, shutdown: Shutdown): Promise<void> {
  // A damaged file is told now, not to whoever subscribes.
  await findVapidKeys(config);
  const database = await openMigratedDatabase(config, shutdown);
  await ensureBuilt((stop) => shutdown.defer(stop));
  const greeting = await seedDatabase(config, database);
  if (shutdown.began) return;
  const settings = withAddress(config, database);
  const url = config.processes
    ? await serveInProcesses(settings, database.url, config.processes, shutdown)
    : await serveHere(settings, shutdown);
  const outbox = config.smtpUrl ? undefined : outboxOf(config);
  for (const line of welcome(url.replace(/\/$/, ''), config.siteUrl, greeting, outbox)) printLine(line);
}

async function serveHere(settings: Config, shutdown: Shutdown): Promise<string> {
  const server = await startBuiltServer(settings);
  shutdown.defer(() => server.stop());
  return server.url;
}
