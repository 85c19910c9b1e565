import { availableParallelism } from 'node:os';
import type { Config } from '#api/config.ts';
import { readConnectionLimit } from '#db/connection-limit.ts';
import { StartupError } from '#db/embedded.ts';
import type { OpenedDatabase } from '../database.ts';
import { writeProcesses } from '../port.ts';
import type { Shutdown } from '../shutdown.ts';
import { printLine } from '../terminal.ts';
import { launchProcess } from './serving-process.ts';
import { processCount, shareOf } from './share.ts';
import { Supervisor } from './supervisor.ts';

interface ProcessPlan {
  count: number;
  share: Config;
}

/**
 * How many processes serve and with which settings, by the connections that the database allows.
 * @throws StartupError when it has too few of them, or the system shares no port
 */
export async function planProcesses(
  settings: Config,
  wanted: number | 'auto',
  { url, embedded }: OpenedDatabase,
): Promise<ProcessPlan> {
  const limit = { allowed: await readConnectionLimit(url), embedded };
  const count = wanted === 'auto' ? processCount(settings, limit) : wanted;
  if (count > 1 && process.platform !== 'linux') {
    throw new StartupError(
      'Several processes share a port on Linux only: leave PROCESSES out, or start each with a PORT of its own behind a proxy.',
    );
  }
  return { count, share: shareOf(settings, count, limit) };
}

/**
 * Serves in so many processes at one port, and watches over them until `shutdown`; SIGHUP restarts them one after another. The
 * database is migrated and filled.
 * @returns the address, once the first of them serves
 * @throws StartupError when the first does not come up
 */
export async function serveInProcesses({ count, share }: ProcessPlan, shutdown: Shutdown): Promise<string> {
  let { port } = share;
  const supervisor = new Supervisor({
    count,
    launch: (metricsPort) => launchProcess({ ...share, port }, metricsPort),
    onChange: (processes) => writeProcesses(share, processes),
    log: (line) => printLine(`  ${line}`),
    drainTime: share.drainSeconds * 1_000,
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
