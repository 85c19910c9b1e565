import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import type { Place } from '../../lib/http/shared-port.ts';
import { type Order, type Report, signOfLifeInterval } from './messages.ts';

/** A process that serves, as its supervisor sees it. */
export interface ServingProcess {
  readonly pid: number;
  /** Resolves with its address once it serves; rejects with the reason when it ends before. */
  readonly serves: Promise<string>;
  /** Of this process alone; undefined where there is none, and before it serves. */
  readonly metricsPort: number | undefined;
  /** Resolves when it accepts no new connections any more. */
  readonly left: Promise<void>;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
  /** Tells it that all are about to end: it says that it is not ready, and serves on. */
  retire(): void;
  /** Tells it to answer what it has accepted and to end; with its place, new connections go to the others from then on. */
  leave(place: Place | undefined): void;
  kill(): void;
}

/** Milliseconds after which one that does not come up, or does not go, is ended. */
const startTimeout = 60_000;
const leaveTimeout = 21_000;
/** Signs of life in a row that one may owe: whoever got a connection to it waits as long. */
const mostOwed = 10;

/**
 * Starts a process that serves with these settings: their way to it is not the environment, which others may read.
 * @param inherited the port for metrics of the process whose place it takes
 */
export function launchProcess(settings: Config, inherited?: number): ServingProcess {
  const serves = Promise.withResolvers<string>();
  const left = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  let reason: string | undefined;
  let metricsPort: number | undefined;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'run.ts')], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    ipc(report: Report) {
      if ('metricsPort' in report) metricsPort = report.metricsPort;
      if (report.kind === 'serves') serves.resolve(report.url);
      else if (report.kind === 'alive') owed = 0;
      else if (report.kind === 'left') left.resolve();
      else reason = report.reason;
    },
    onExit(_, code, signal) {
      clearTimeout(deadline);
      clearInterval(watch);
      const how = reason ?? (signal ? `it was ended by ${signal}` : `it ended with code ${code}`);
      ended.resolve(how);
      left.resolve();
      serves.reject(new Error(how));
    },
  });
  const kill = (why: string) => {
    reason = why;
    child.kill('SIGKILL');
  };
  let deadline = setTimeout(() => kill(`it did not serve within ${startTimeout / 1_000} s`), startTimeout);
  // Counted, not timed: while the machine or the supervisor itself was stopped nobody owed anything.
  let owed = 0;
  let watch: Timer | undefined;
  const watchOver = () => {
    owed += 1;
    if (owed > mostOwed) kill(`it gave no sign of life for ${(mostOwed * signOfLifeInterval) / 1_000} s`);
  };
  serves.promise.then(
    () => {
      clearTimeout(deadline);
      watch = setInterval(watchOver, signOfLifeInterval);
    },
    () => {},
  );
  const send = (order: Order) => {
    try {
      child.send(order);
    } catch {
      // It has just ended by itself.
    }
  };
  send({ kind: 'serve', settings, metricsPort: inherited });
  return {
    pid: child.pid,
    serves: serves.promise,
    get metricsPort() {
      return metricsPort;
    },
    left: left.promise,
    ended: ended.promise,
    retire: () => send({ kind: 'retire' }),
    leave(place) {
      clearTimeout(deadline);
      clearInterval(watch);
      deadline = setTimeout(() => kill('it did not end when it was told to'), leaveTimeout);
      if (place) send({ kind: 'leave', place });
      else child.kill('SIGTERM');
    },
    kill: () => child.kill('SIGKILL'),
  };
}
