import { StartupError } from '#db/embedded.ts';
import { bunx, runProgram } from '#site/launch/child.ts';
import { backgroundStep } from '#site/launch/terminal.ts';
import { findBrowser } from './browser-program.ts';

const minutes = 60_000;

/**
 * A Chromium that runs: the system's, else Debian's package where we are root, else Playwright's own download, which lacks the
 * system's libraries on a bare machine.
 * @throws StartupError when none can be had
 */
export async function ensureBrowser(): Promise<void> {
  if (await works()) return;
  if (process.getuid?.() === 0 && Bun.which('apt-get')) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const install = (name: string) =>
      runProgram(['apt-get', 'install', '-y', '-q', '--no-install-recommends', name], {
        env,
        timeout: 6 * minutes,
      });
    await backgroundStep('Installing Debian’s chromium', async () => {
      await runProgram(['apt-get', 'update', '-q'], { env, timeout: 3 * minutes });
      // Older releases have the whole browser only.
      if ((await install('chromium-headless-shell')).code !== 0) await install('chromium');
    });
    if (await works()) return;
  }
  await backgroundStep('Downloading a browser', () =>
    runProgram(bunx('playwright', 'install', 'chromium'), {
      timeout: 5 * minutes,
      env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '20000' },
    }),
  );
  if (await works()) return;
  throw new StartupError(
    'There is no browser to test in: install Chromium or Google Chrome and run this again.',
  );
}

/** A download without the system's libraries is there and does not run. */
async function works(): Promise<boolean> {
  const program = findBrowser();
  return program !== undefined && (await runProgram([program, '--version'], { timeout: 20_000 })).code === 0;
}
