import type { Config } from '#api/config.ts';
import { leastConnections } from '#db/client.ts';
import { StartupError } from '#db/embedded.ts';

/** Connections that are left to a `bun run worker`, which has up to 17, to commands and to who looks into the database by hand. */
const spareConnections = 20;
/** The feed, the stars and the articles of a day fit into it in all languages. */
const leastPageCache = 8 * 1024 * 1024;

/**
 * The settings of one process of `count`, with its part of what all of them may hold: connections to the database, of which there
 * are parts for one process more, which comes before another leaves, and memory for pages.
 * @param allowed connections that the database allows us
 * @throws StartupError when a part would be too small
 */
export function shareOf(settings: Config, count: number, allowed: number): Config {
  const connections = settings.databaseConnections ?? allowed - spareConnections;
  const databaseConnections = Math.floor(connections / (count + 1));
  if (databaseConnections < leastConnections) {
    const needed = leastConnections * (count + 1);
    throw new StartupError(
      settings.databaseConnections === undefined
        ? `The database allows ${allowed} connections, and ${count} processes need ${needed + spareConnections}: raise max_connections there, or set fewer PROCESSES.`
        : `DATABASE_CONNECTIONS must be at least ${needed} for ${count} processes.`,
    );
  }
  const pageCacheBytes = Math.max(leastPageCache, Math.floor(settings.pageCacheBytes / count));
  return { ...settings, databaseConnections, pageCacheBytes };
}
