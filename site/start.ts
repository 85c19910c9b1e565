/**
 * `bun start`: installs, builds, starts the embedded PostgreSQL, migrates, fills in the demo world and serves. Works on a
 * fresh clone, so it imports no package before they are installed. With `--processes N` it watches over so many that serve.
 */
import { launchWith } from './launch/prepare.ts';

process.env.NODE_ENV = 'production';

await launchWith(async (config, shutdown) => {
  const { serve } = await import('./launch/serve.ts');
  await serve(config, shutdown);
}, process.argv.slice(2));
