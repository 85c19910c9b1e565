import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolderLock } from '#db/embedded/lock.ts';
import { StartupError } from '#db/embedded.ts';
import { bunx, run } from './child.ts';
import { digest } from './digest.ts';
import { root } from './root.ts';
import { say, step } from './terminal.ts';

const stamp = join(root, 'dist/.inputs');
const sources = [
  'site',
  'api',
  'db',
  'content',
  'astro.config.mjs',
  'astro-i18next.config.mjs',
  'package.json',
  'bun.lock',
  'tsconfig.json',
];
/** Read when the demo world is filled in or shown, never built in; the launcher is not in the build either. */
const notBuilt = ['content/demo', 'site/launch', 'site/start.ts', 'site/dev.ts'];

/**
 * Builds the site unless `dist` was built from these very sources.
 * @param onStart gets a function that ends the build early
 * @throws StartupError when the build fails; its output has been shown
 */
export function ensureBuilt(onStart?: (stop: () => void) => void): Promise<void> {
  return withFolderLock(join(root, 'node_modules/.byeol'), async () => {
    const wanted = digest(sources, notBuilt);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
    rmSync(stamp, { force: true });
    await step('Building the site', async () => {
      const { code, output } = await build(onStart);
      if (code === 0) return;
      say(`\n${output}`);
      throw new StartupError('The site could not be built: see above.');
    });
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stamp, wanted);
  });
}

function build(onStart?: (stop: () => void) => void) {
  const env = { ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  return run(bunx('astro', 'build'), onStart ? { env, onStart } : { env });
}
