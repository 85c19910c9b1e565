import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { outboxOf } from '#api/mail/outbox.ts';
import { StartupError } from '#db/embedded.ts';
import type { RunningServer } from '../server.ts';
import { ensureBuilt } from './build.ts';
import { openMigratedDatabase, seedDatabase } from './database.ts';
import { root } from './root.ts';
import type { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';
import { welcome } from './welcome.ts';

/** Everything of a start that needs the installed packages: database, build, demo world, server. */
export async function serve(config: Config, shutdown: Shutdown): Promise<void> {
  const database = await openMigratedDatabase(config, shutdown);
  await ensureBuilt((stop) => shutdown.defer(stop));
  const greeting = await seedDatabase(config, database);
  if (shutdown.began) return;
  const server = await startBuiltServer({ ...config, databaseUrl: database.url });
  shutdown.defer(() => server.stop());
  const outbox = config.smtpUrl ? undefined : outboxOf(config);
  for (const line of welcome(server.url.replace(/\/$/, ''), greeting, outbox)) printLine(line);
}

async function startBuiltServer(config: Config): Promise<RunningServer> {
  const built: { startServer(settings: Config): Promise<RunningServer> } = await import(
    join(root, 'dist/server/entry.mjs')
  );
  try {
    return await built.startServer(config);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new StartupError(`Port ${config.port} is already in use: stop the other program or set PORT.`);
    }
    throw error;
  }
}
