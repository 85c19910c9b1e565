/** `bun run dev`: the same database as `bun start`, and Astro's development server in front of it. */
import { launchWith } from './launch/prepare.ts';

await launchWith(async (config, shutdown) => {
  const { develop } = await import('./launch/develop.ts');
  await develop(config, shutdown);
});
