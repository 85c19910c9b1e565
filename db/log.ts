import { createRequire } from 'node:module';
import { pino } from 'pino';
import type { PrettyOptions, PrettyStream } from 'pino-pretty';
import { errorFields, redact } from './log-fields.ts';
import type { LogLevel } from './log-levels.ts';
import { currentWork } from './work.ts';

const isTerminal = process.stderr.isTTY === true;

/**
 * The log: on standard error JSON lines, for a person at a terminal readable ones. Say what happened in a fixed sentence, and
 * in fields of which thing, never of whom: no e-mail address, no network address, no token, nothing that somebody typed. Errors
 * go as `err`, of which only what is safe is kept (`log-fields.ts`).
 */
export const log = pino(
  {
    // At a terminal somebody looks on: what went well is not told.
    level: isTerminal ? 'warn' : 'info',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: errorFields },
    mixin: () => {
      const { requestId, traceparent } = currentWork() ?? {};
      return {
        ...(requestId === undefined ? {} : { requestId }),
        ...(traceparent === undefined ? {} : { traceId: traceparent.slice(3, 35) }),
      };
    },
    hooks: { streamWrite: redact },
  },
  isTerminal ? readable() : pino.destination({ fd: 2, sync: true }),
);

/** @param level undefined: as it is */
export function setLogLevel(level: LogLevel | undefined): void {
  if (level) log.level = level;
}

/** Loaded for a terminal alone. */
function readable(): PrettyStream {
  const pretty: (options: PrettyOptions) => PrettyStream = createRequire(import.meta.url)('pino-pretty');
  return pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
}
