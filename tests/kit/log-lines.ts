import { pino } from 'pino';
import { log } from '#db/log.ts';

/** A line of the log as a machine reads it. */
export type LogLine = Record<string, unknown> & { level: string; msg: string };

/**
 * The log in the output of a command: its JSON lines; what it says to a person is none of it. Of one that still runs the last line may
 * have come in part only: that is no line yet.
 */
export const logLines = (output: string): LogLine[] =>
  output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

interface Recording {
  /** What was written, in full. */
  text(): string;
  lines(): LogLine[];
  /** From now on it is written again. */
  stop(): void;
}

/** Keeps what this process would write into its log, as it would stand there. */
export function recordLog(): Recording {
  const stream: { write(line: string): void } = Reflect.get(log, pino.symbols.streamSym);
  const { write } = stream;
  const { level } = log;
  const written: string[] = [];
  stream.write = (line) => void written.push(line);
  log.level = 'info';
  return {
    text: () => written.join(''),
    lines: () => logLines(written.join('')),
    stop() {
      stream.write = write;
      log.level = level;
    },
  };
}
