import type { AddressSetting } from '#db/database-errors.ts';
import { hostsOf } from '#db/hosts.ts';
import { ConfigError } from './config-error.ts';
import { readUrl } from './read-url.ts';

/** Where the database is (docs/operating/database.md). */
export interface DatabaseUrls {
  /** Undefined: the embedded PostgreSQL of `dataDir`. Of several hosts it is the one that takes writes. */
  databaseUrl: string | undefined;
  /** The same database past the pooler that `databaseUrl` leads to; undefined: it leads to none. May name several hosts. */
  databaseDirectUrl: string | undefined;
  /** Streaming replicas of it (decision D12). */
  databaseReplicaUrls: readonly string[];
}

/** @throws ConfigError */
export function readDatabaseUrls(
  databaseUrl: string | undefined,
  databaseDirectUrl: string | undefined,
  replicas: readonly string[],
): DatabaseUrls {
  const lone = databaseDirectUrl ? 'DATABASE_DIRECT_URL' : replicas.length > 0 ? 'DATABASE_REPLICA_URLS' : '';
  if (databaseUrl === undefined && lone)
    throw new ConfigError('DATABASE_URL', `is needed when ${lone} is set.`);
  check('DATABASE_URL', databaseUrl ? hostsOf(databaseUrl) : []);
  check('DATABASE_DIRECT_URL', databaseDirectUrl ? hostsOf(databaseDirectUrl) : []);
  check('DATABASE_REPLICA_URLS', replicas);
  if (databaseUrl && databaseDirectUrl && hostsOf(databaseUrl).length > 1)
    throw new ConfigError(
      'DATABASE_URL',
      'must have one host when DATABASE_DIRECT_URL is set, that of the pooler: the hosts of the database belong into DATABASE_DIRECT_URL.',
    );
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrls: replicas };
}

/** By which setting the database itself is named, past any pooler. */
export const settingOf = ({ databaseDirectUrl }: DatabaseUrls): AddressSetting =>
  databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';

/** As libpq calls them: by any other postgres.js would ask for TLS, and a server that has none would be blamed. */
const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

function check(setting: string, addresses: readonly string[]): void {
  for (const address of addresses) {
    readUrl(setting, address, ['postgres:', 'postgresql:']);
    const mode = new URL(address).searchParams.get('sslmode');
    if (mode !== null && !tlsModes.includes(mode))
      throw new ConfigError(setting, `must have an sslmode of ${tlsModes.join(', ')}, not "${mode}".`);
  }
}
