/** `bun run bench`: builds what is missing, then measures. */
import { ensureBuilt } from '#site/launch/build.ts';
import { explain } from '#site/launch/failure.ts';

try {
  await ensureBuilt();
} catch (error) {
  explain(error, '.data');
  process.exit(1);
}
await import('./figures.ts');
