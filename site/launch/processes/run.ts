/**
 * One of the processes of `bun run start --processes N`: gets its settings from the supervisor, serves, and ends when it is told to
 * or when the supervisor has gone. What a terminal or the end of one says is for the supervisor.
 */
import type { Config } from '#api/config.ts';
import { log } from '#db/log.ts';
import type { Place } from '../../lib/http/shared-port.ts';
import type { RunningServer } from '../../server.ts';
import { startBuiltServer } from '../built-server.ts';
import { sentenceOf } from '../failure.ts';
import { Shutdown } from '../shutdown.ts';
import { type Order, type Report, signOfLifeInterval } from './messages.ts';

const shutdown = new Shutdown();
let dataDir = '.data';
let place: Place | undefined;
let server: RunningServer | undefined;
let isRetired = false;

const report = (message: Report): void => {
  if (process.connected) process.send?.(message);
};

for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('SIGTERM', () => void shutdown.end(0));
process.on('disconnect', () => void shutdown.end(0));
process.on('message', (order: Order) => {
  if (order.kind === 'serve') {
    void serve(order.settings, order.metricsPort);
  } else if (order.kind === 'retire') {
    isRetired = true;
    server?.retire();
  } else {
    place = order.place;
    void shutdown.end(0);
  }
});
process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure was handled by nobody'));
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'a failure was caught by nobody: the process ends');
  fail(error);
});

async function serve(settings: Config, metricsPort: number | undefined): Promise<void> {
  dataDir = settings.dataDir;
  try {
    const started = await startBuiltServer(settings, true, metricsPort);
    server = started;
    // It may have been told while it started.
    if (isRetired) started.retire();
    shutdown.defer(() => started.stop({ place, onClosed: () => report({ kind: 'left' }) }));
    report({ kind: 'serves', url: started.url, metricsPort: started.metricsPort });
    const tellAlive = () => report({ kind: 'alive', metricsPort: started.metricsPort });
    setInterval(tellAlive, signOfLifeInterval).unref();
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  report({ kind: 'fails', reason: sentenceOf(error, dataDir) });
  void shutdown.end(1);
}
