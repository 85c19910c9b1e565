import { isToRun } from '../command-help.ts';
import { config } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { EdgeFailed, purgeEdge } from './purge-call.ts';

/**
 * `bun run purge`: has every edge of PURGE_URL forget everything, after an upgrade or a restore, when nothing was written and yet all is
 * out of date.
 */
async function purgeAll(): Promise<void> {
  const { purge } = config();
  if (!purge) throw new ConfigError('PURGE_URL', 'is not set: there is no edge to tell.');
  for (const edge of purge.edges) {
    await purgeEdge(edge, 'everything', purge.token);
    console.log(`${new URL(edge.address).host} has forgotten everything.`);
  }
}

const help = `bun run purge
Has every cache of PURGE_URL forget everything: after an upgrade, a roll back or a restore. Its settings are PURGE_URL and PURGE_TOKEN of the
site.
`;

try {
  if (isToRun(process.argv.slice(2), help)) await purgeAll();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof EdgeFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
