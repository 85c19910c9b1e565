import { availableParallelism } from 'node:os';
import type { Config } from '#api/config.ts';
import { readConnectionLimit } from '#db/connection-limit.ts';
import { StartupError } from '#db/embedded.ts';
import { writeProcesses } from '../port.ts';
import type { Shutdown } from '../shutdown.ts';
import { printLine } from '../terminal.ts';
import { launchProcess } from './serving-process.ts';
import { shareOf } from './share.ts';
import { Supervisor } from './supervisor.ts';

/**
 * Serves in so many processes at one port, and watches over them until `shutdown`; SIGHUP restarts them one after another. The
 * database is migrated and filled.
 * @param databaseUrl of the database itself
 * @returns the address, once the first of them serves
 * @throws StartupError when the first does not come up, the system shares no port, or the database has too few connections
 */
export async function serveInProcesses(
  settings: Config,
  databaseUrl: string,
  count: number,
  shutdown: Shutdown,
): Promise<string> {
  if (count > 1 && process.platform !== 'linux') {
    throw new StartupError(
      'Several processes share a port on Linux only: leave PROCESSES out, or start each with a PORT of its own behind a proxy.',
    );
  }
  const share = shareOf(settings, count, await readConnectionLimit(databaseUrl));
  let { port } = share;
  const supervisor = new Supervisor({
    count,
    launch: () => launchProcess({ ...share, port }),
    onChange: (processes) => writeProcesses(settings, processes),
    log: (line) => printLine(`  ${line}`),
    drainTime: settings.drainSeconds * 1_000,
  });
  shutdown.defer(() => supervisor.stop());
  const url = await supervisor.start();
  port = Number(new URL(url).port) || port;
  shutdown.restartOnHangUp(() => void supervisor.restart());
  void supervisor.fill();
  printLine(
    `  ${count} ${count === 1 ? 'process serves' : 'processes serve'} on ${availableParallelism()} cores; \`kill -HUP ${process.pid}\` restarts ${count === 1 ? 'it' : 'them one after another'}.`,
  );
  return url;
}
