import { availableParallelism } from 'node:os';
import type { Config } from '#api/config.ts';
import { leastConnections } from '#db/client.ts';
import { StartupError } from '#db/embedded.ts';

/** Connections that are left to a `bun run worker`, which has up to 17, to commands and to who looks into the database by hand. */
const spareConnections = 20;
/** The feed, the stars and the articles of a day fit into it in all languages. */
const leastPageCache = 8 * 1024 * 1024;

/** How many connections the database allows us. */
interface ConnectionLimit {
  allowed: number;
  /** It is the built-in one, whose limit nobody can raise. */
  embedded: boolean;
}

const connectionsOf = ({ databaseConnections }: Config, { allowed }: ConnectionLimit): number =>
  databaseConnections ?? allowed - spareConnections;

const howToGetMore = ({ embedded }: ConnectionLimit): string =>
  embedded ? 'set DATABASE_URL to a PostgreSQL that allows more' : 'raise max_connections there';

/** How many processes `auto` stands for: one per core, as far as there are connections for them. */
export function processCount(
  settings: Config,
  limit: ConnectionLimit,
  cores = availableParallelism(),
): number {
  const most = Math.floor(connectionsOf(settings, limit) / leastConnections) - 1;
  return Math.max(1, Math.min(cores, most));
}

/**
 * The settings of one process of `count`, with its part of what all of them may hold: connections to the database, of which there
 * are parts for one process more, which comes before another leaves, and memory for pages.
 * @throws StartupError when a part would be too small
 */
export function shareOf(settings: Config, count: number, limit: ConnectionLimit): Config {
  const connections = connectionsOf(settings, limit);
  const databaseConnections = Math.floor(connections / (count + 1));
  if (databaseConnections < leastConnections) {
    const needed = leastConnections * (count + 1);
    throw new StartupError(
      settings.databaseConnections === undefined
        ? `The database allows ${limit.allowed} connections, and ${count} processes need ${needed + spareConnections}: ${howToGetMore(limit)}, or set fewer PROCESSES.`
        : `DATABASE_CONNECTIONS must be at least ${needed} for ${count} processes.`,
    );
  }
  const pageCacheBytes = Math.max(leastPageCache, Math.floor(settings.pageCacheBytes / count));
  return { ...settings, databaseConnections, pageCacheBytes };
}
