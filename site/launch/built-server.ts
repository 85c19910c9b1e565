import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { StartupError } from '#db/embedded.ts';
import { codeOf } from '#db/error-code.ts';
import type { RunningServer, startServer } from '../server.ts';
import { root } from './root.ts';

/**
 * Starts what was built in this process.
 * @param sharesPort other processes serve the port as well
 * @param metricsPort of the process whose place this one takes
 * @throws StartupError when another program has the port
 */
export async function startBuiltServer(
  config: Config,
  sharesPort = false,
  metricsPort?: number,
): Promise<RunningServer> {
  const built: { startServer: typeof startServer } = await import(join(root, 'dist/server/entry.mjs'));
  try {
    return await built.startServer(config, sharesPort, metricsPort);
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') {
      throw new StartupError(`Port ${config.port} is already in use: stop the other program or set PORT.`);
    }
    throw error;
  }
}
