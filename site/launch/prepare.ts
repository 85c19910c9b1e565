import { type Config, dataDirOf, getConfig } from '#api/config.ts';
import { reportMisspelt } from '#api/misspelt-settings.ts';
import { ensureWritable } from '#db/embedded.ts';
import { settingsOf } from './arguments.ts';
import { explain } from './failure.ts';
import { continueInNewProcess, ensureInstalled } from './install.ts';
import { launchers, watchLaunchers } from './launchers.ts';
import { ensurePortFree, removePidFile, writeEnding, writePidFile } from './port.ts';
import { root } from './root.ts';
import { Shutdown } from './shutdown.ts';
import { printLine } from './terminal.ts';

/**
 * What `bun start` and `bun run dev` do alike: settings, folder, port and packages first, because they fail fast, then
 * `action`, until a signal comes. Imports no package: `action` imports what needs them.
 * @param args of the command line, which win over the environment
 */
export async function launchWith(
  action: (config: Config, shutdown: Shutdown) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  process.chdir(root);
  const shutdown = new Shutdown();
  try {
    const env = { ...process.env, ...settingsOf(args) };
    const config = getConfig(env);
    reportMisspelt(env, (sentence) => printLine(`  ${sentence}`));
    await prepare(config, shutdown);
    await action(config, shutdown);
    await watchFaults(shutdown);
  } catch (error) {
    // An error of something that is being stopped says nothing.
    if (shutdown.began) return;
    explain(error, dataDirOf(process.env));
    await shutdown.end(1);
  }
}

async function prepare(config: Config, shutdown: Shutdown): Promise<void> {
  // A reload that comes before the processes do has nothing to restart, and ends nothing.
  if (config.processes) shutdown.restartOnHangUp(() => {});
  ensureWritable(config.dataDir);
  await ensurePortFree(config);
  if (await ensureInstalled()) await continueInNewProcess();
  const ancestors = launchers();
  shutdown.listen();
  watchLaunchers(ancestors, () => shutdown.end(0));
  await writePidFile(config, ancestors);
  shutdown.defer(() => removePidFile(config));
  shutdown.announce(() => writeEnding(config));
}

async function watchFaults(shutdown: Shutdown): Promise<void> {
  const { log } = await import('#db/log.ts');
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure was handled by nobody'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a failure was caught by nobody: the process ends');
    void shutdown.end(1);
  });
}
