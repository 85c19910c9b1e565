/** `bun run bench`: installs and builds what is missing, then measures (`figures.ts`). Imports no package before they are there. */
import { explain } from '#site/launch/failure.ts';
import { ensureInstalled, goOnInNewProcess } from '#site/launch/install.ts';
import { root } from '#site/launch/root.ts';

process.chdir(root);
try {
  if (await ensureInstalled()) await goOnInNewProcess();
  const { ensureBuilt } = await import('#site/launch/build.ts');
  await ensureBuilt();
} catch (error) {
  explain(error, '.data');
  process.exit(1);
}
await import('./figures.ts');
