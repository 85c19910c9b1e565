import { parseArgs } from 'node:util';
import { StartupError } from '#db/embedded.ts';

/**
 * The settings that the command line of `bun start` makes: `--processes N` is PROCESSES.
 * @throws StartupError for what it does not know
 */
export function settingsOf(args: readonly string[]): Record<string, string> {
  try {
    const { values } = parseArgs({ args: [...args], options: { processes: { type: 'string' } } });
    return values.processes === undefined ? {} : { PROCESSES: values.processes };
  } catch {
    throw new StartupError(
      `The start takes --processes N and nothing else, not "${args.join(' ')}"; all others are settings, such as PORT=8080.`,
    );
  }
}
