/**
 * `bun start`: installs, builds, starts the embedded PostgreSQL, migrates, fills in the demo world and serves. Works on a
 * fresh clone, so it imports no package before they are installed. With `--processes N` it watches over so many that serve.
 */
import { isHelp } from '#api/command-help.ts';
import { launchWith } from './launch/prepare.ts';

process.env.NODE_ENV = 'production';

const help = `bun run start [--processes N]
Installs and builds what is missing, starts the built-in PostgreSQL unless DATABASE_URL is set, migrates, and serves until a signal ends it.

--processes  so many processes that serve, watched over; auto: one per core, as far as the database has connections. The same as PROCESSES.

All else are settings, such as PORT=8080: the README lists them.
`;
const args = process.argv.slice(2);

if (isHelp(args)) process.stdout.write(help);
else
  await launchWith(async (config, shutdown) => {
    const { serve } = await import('./launch/serve.ts');
    await serve(config, shutdown);
  }, args);
