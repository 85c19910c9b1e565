/** `bun run dev`: the same database as `bun start`, and Astro's development server in front of it. */
import { isToRun } from '#api/command-help.ts';
import { launchWith } from './launch/prepare.ts';

const help = `bun run dev
Serves the site by Astro's development server, which shows each change of a file at once, with the database that bun start has, until a
signal ends it.
`;

if (isToRun(process.argv.slice(2), help))
  await launchWith(async (config, shutdown) => {
    const { develop } = await import('./launch/develop.ts');
    await develop(config, shutdown);
  });
