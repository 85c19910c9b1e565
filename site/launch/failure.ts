import { appendFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { site } from '#content/site.ts';
import { codeOf } from '#db/error-code.ts';

/** Failures whose message is meant for the operator: `StartupError` and `ConfigError`. */
function isExplained(error: unknown): error is Error {
  return ['startup', 'config'].includes(codeOf(error) ?? '');
}

/** Says in one sentence why a command ends. */
export function explain(error: unknown, dataDir: string): void {
  process.stderr.write(`\n  ${sentenceOf(error, dataDir)}\n`);
}

/** What is wrong, in one sentence. What nobody foresaw goes with its stack into a log file that is named. */
export function sentenceOf(error: unknown, dataDir: string): string {
  if (isExplained(error)) return error.message;
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return `${site.name} could not start: ${message} (details in ${writeLog(error, dataDir)})`;
}

function writeLog(error: unknown, dataDir: string): string {
  const text = `${new Date().toISOString()} ${Bun.inspect(error)}\n`;
  for (const folder of [resolve(dataDir), tmpdir()]) {
    const file = join(folder, 'byeol.log');
    try {
      mkdirSync(folder, { recursive: true });
      appendFileSync(file, text);
      return file;
    } catch {}
  }
  return 'no file: none could be written';
}
