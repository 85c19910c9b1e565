/** `bun run build`: builds the site unless that was done, so that the next `bun start` has nothing to build. */
import { ensureBuilt } from './build.ts';
import { explain } from './failure.ts';

try {
  await ensureBuilt();
} catch (error) {
  explain(error, '.data');
  process.exitCode = 1;
}
