/**
 * `bun start`: installs, builds, starts the embedded PostgreSQL, migrates, fills in the demo world and serves. What this
 * file imports at its top works without installed packages; the rest is imported when they are there.
 */
import { type Config, getConfig } from '#api/config.ts';
import { ensureWritable } from '#db/embedded.ts';
import { explain, keepLog } from './launch/failure.ts';
import { ensureInstalled, goOnInNewProcess } from './launch/install.ts';
import { launchers, watchLaunchers } from './launch/launchers.ts';
import { ensurePortFree, forgetPort, notePort } from './launch/port.ts';
import { root } from './launch/root.ts';
import { Shutdown } from './launch/shutdown.ts';

process.chdir(root);
process.env.NODE_ENV = 'production';

async function start(config: Config, shutdown: Shutdown): Promise<void> {
  ensureWritable(config.dataDir);
  await ensurePortFree(config);
  if (await ensureInstalled()) await goOnInNewProcess();

  const above = launchers();
  shutdown.listen();
  watchLaunchers(above, () => shutdown.end(0));
  notePort(config, above);
  shutdown.later(() => forgetPort(config));
  const { serve } = await import('./launch/serve.ts');
  await serve(config, shutdown);
  process.on('unhandledRejection', (error) => keepLog(error, config.dataDir));
  process.on('uncaughtException', (error) => {
    keepLog(error, config.dataDir);
    void shutdown.end(1);
  });
}

const shutdown = new Shutdown();
try {
  await start(getConfig(process.env), shutdown);
} catch (error) {
  if (!shutdown.began) {
    explain(error, process.env.DATA_DIR?.trim() || '.data');
    await shutdown.end(1);
  }
}
