import type { Config } from '#api/config.ts';
import { outboxOf } from '#api/mail/outbox.ts';
import { findVapidKeys } from '#api/push/keys.ts';
import { ensureBuilt } from './build.ts';
import { startBuiltServer } from './built-server.ts';
import { openMigratedDatabase, seedDatabase, withAddress } from './database.ts';
import { planProcesses, serveInProcesses } from './processes/serve-in-processes.ts';
import type { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';
import { accountLines, welcome } from './welcome.ts';

/** Everything of a start that needs the installed packages: database, build, demo world, server or servers. */
export async function serve(config: Config, shutdown: Shutdown): Promise<void> {
  // A damaged file is told now, not to whoever subscribes.
  await findVapidKeys(config);
  const database = await openMigratedDatabase(config, shutdown);
  const settings = withAddress(config, database);
  // Before anything slow is done.
  const plan = config.processes && (await planProcesses(settings, config.processes, database));
  await ensureBuilt((stop) => shutdown.defer(stop));
  const greeting = await seedDatabase(config, database);
  const accounts = accountLines(greeting);
  // Nobody can be told later what was generated, should the start fail from here on.
  const isShownNow = greeting.admin?.password !== undefined;
  if (isShownNow) for (const line of accounts) printLine(line);
  if (shutdown.began) return;
  const url = plan ? await serveInProcesses(plan, shutdown) : await serveHere(settings, shutdown);
  const outbox = config.smtpUrl ? undefined : outboxOf(config);
  const lines = welcome(url.replace(/\/$/, ''), config.siteUrl, isShownNow ? [] : accounts, outbox);
  for (const line of lines) printLine(line);
}

async function serveHere(settings: Config, shutdown: Shutdown): Promise<string> {
  const server = await startBuiltServer(settings);
  shutdown.defer(() => server.stop());
  return server.url;
}
