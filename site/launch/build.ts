import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { longestLockWait, withFolderLock } from '#db/embedded/lock.ts';
import { StartupError } from '#db/embedded.ts';
import { bunx, runProgram } from './child.ts';
import { digest } from './digest.ts';
import { root } from './root.ts';
import { printLine, step } from './terminal.ts';

const stamp = join(root, 'dist/.inputs');
/** All that the site is built from. */
export const buildSources = [
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
export async function ensureBuilt(onStart?: (stop: () => void) => void): Promise<void> {
  const sourcesDigest = digest(buildSources, notBuilt);
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesDigest;
  // What is built may lie where nothing can be written, as in an image.
  if (isBuilt()) return;
  const buildOnce = async () => {
    if (isBuilt()) return;
    rmSync(stamp, { force: true });
    await step('Building the site', async () => {
      const { code, output } = await build(onStart);
      if (code !== 0) {
        printLine(`\n${output}`);
        throw new StartupError('The site could not be built: see above.');
      }
      const { writeBillOfMaterials } = await import('./bill-of-materials.ts');
      writeBillOfMaterials();
    });
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stamp, sourcesDigest);
  };
  const onWait = () => printLine('  Waiting for another process that builds the site …');
  await withFolderLock(join(root, 'node_modules/.byeol'), buildOnce, { patience: longestLockWait, onWait });
}

function build(onStart?: (stop: () => void) => void) {
  const env = { ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  return runProgram(bunx('astro', 'build'), onStart ? { env, onStart } : { env });
}
