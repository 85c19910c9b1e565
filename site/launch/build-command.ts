/** `bun run build`: builds the site unless that was done, so that the next `bun start` has nothing to build. */
import { isToRun } from '#api/command-help.ts';
import { ensureBuilt } from './build.ts';
import { explain } from './failure.ts';

const help = `bun run build
Builds the site unless that was done, so that the next start has nothing to build.
`;

try {
  if (isToRun(process.argv.slice(2), help)) await ensureBuilt();
} catch (error) {
  explain(error, '.data');
  process.exitCode = 1;
}
