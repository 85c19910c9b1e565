import { type Config, getConfig } from '#api/config.ts';
import { ensureWritable } from '#db/embedded.ts';
import { explain, keepLog } from './failure.ts';
import { ensureInstalled, goOnInNewProcess } from './install.ts';
import { launchers, watchLaunchers } from './launchers.ts';
import { ensurePortFree, forgetPort, notePort } from './port.ts';
import { root } from './root.ts';
import { Shutdown } from './shutdown.ts';

/**
 * What `bun start` and `bun run dev` do alike: settings, folder, port and packages first, because they fail fast, then
 * `action`, until a signal comes. Imports no package: `action` imports what needs them.
 */
export async function launchWith(
  action: (config: Config, shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  process.chdir(root);
  const shutdown = new Shutdown();
  try {
    const config = getConfig(process.env);
    await prepare(config, shutdown);
    await action(config, shutdown);
    watchFaults(config, shutdown);
  } catch (error) {
    // An error of something that is being stopped says nothing.
    if (shutdown.began) return;
    explain(error, process.env.DATA_DIR?.trim() || '.data');
    await shutdown.end(1);
  }
}

async function prepare(config: Config, shutdown: Shutdown): Promise<void> {
  ensureWritable(config.dataDir);
  await ensurePortFree(config);
  if (await ensureInstalled()) await goOnInNewProcess();
  const above = launchers();
  shutdown.listen();
  watchLaunchers(above, () => shutdown.end(0));
  notePort(config, above);
  shutdown.later(() => forgetPort(config));
}

function watchFaults(config: Config, shutdown: Shutdown): void {
  process.on('unhandledRejection', (error) => keepLog(error, config.dataDir));
  process.on('uncaughtException', (error) => {
    keepLog(error, config.dataDir);
    void shutdown.end(1);
  });
}
