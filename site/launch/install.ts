import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { longestLockWait, withFolderLock } from '#db/embedded/lock.ts';
import { StartupError } from '#db/embedded.ts';
import { runProgram } from './child.ts';
import { digest } from './digest.ts';
import { root } from './root.ts';
import { printLine } from './terminal.ts';

const stamp = join(root, 'node_modules/.byeol/installed');

/**
 * Installs the packages of `bun.lock` unless they are there.
 * @returns true when something was installed: Bun remembers which folders had no modules, so the caller must go on in a
 *   new process
 * @throws StartupError when the installation fails, or this Bun is too old
 */
export async function ensureInstalled(): Promise<boolean> {
  ensureBun();
  const lockDigest = digest(['bun.lock', 'db/patches']);
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockDigest;
  if (isInstalled()) return false;
  await withFolderLock(
    dirname(stamp),
    async () => {
      if (!isInstalled()) await install(lockDigest);
    },
    {
      patience: longestLockWait,
      onWait: () => printLine('  Waiting for another process that installs the packages …'),
    },
  );
  return true;
}

async function install(lockDigest: string): Promise<void> {
  // What is broken off half done must not pass for the packages of an earlier state, to which somebody may go back.
  rmSync(stamp, { force: true });
  printLine('  Installing the packages …');
  const { code } = await runProgram([process.execPath, 'install', '--frozen-lockfile'], {
    inheritOutput: true,
    // Whoever called us is not who installs: `preinstall.mjs` refuses pnpm and Yarn.
    env: { npm_config_user_agent: `bun/${Bun.version}` },
  });
  if (code !== 0) {
    throw new StartupError(
      'The packages could not be installed: see above, check the network and start again.',
    );
  }
  writeFileSync(stamp, lockDigest);
}

/** The oldest Bun that runs us: streams, SQL and the bundler of earlier ones lack what Astro 7 and Elysia ask of them. */
const oldestBun = '1.4.0';

function ensureBun(): void {
  if (Bun.semver.order(Bun.version, oldestBun) >= 0) return;
  throw new StartupError(
    `Bun ${oldestBun} or newer is needed, and this is ${Bun.version}: type \`npx -y bun@latest start\` or \`bun upgrade\`.`,
  );
}

/** Goes on in a new process with the same command line; ends as it ends. */
export function continueInNewProcess(): Promise<never> {
  return new Promise((_, reject) => {
    const child = spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('exit', (code) => process.exit(code ?? 1));
  });
}
