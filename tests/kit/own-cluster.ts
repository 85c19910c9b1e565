import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, identityForPostgres } from '#db/embedded/binaries.ts';
import {
  type Cluster,
  endPostgres,
  findPostmaster,
  freePort,
  initialise,
  launchPostgres,
  processesOf,
  readSettings,
  waitForEarlierRun,
} from '#db/embedded/postmaster.ts';
import { signalAll } from '#db/embedded/processes.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { root } from '#site/launch/root.ts';

/** A PostgreSQL that a test may do anything to. */
export interface OwnCluster {
  /** Of an empty, migrated database. */
  url: string;
  /** Ends it as a failing machine would; all of its processes are gone then. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Stops all of its processes where they are: they hold their connections and answer nothing. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

export async function makeOwnCluster(): Promise<OwnCluster> {
  const home = await mkdtemp(join(tmpdir(), 'byeol-cluster-'));
  const cluster: Cluster = {
    home,
    folder: join(home, 'postgres'),
    binaries: await findBinaries(),
    identity: identityForPostgres(),
  };
  initialise(cluster);
  const port = await freePort();
  const start = async () => {
    if (!(await waitForEarlierRun(cluster.folder))) await launchPostgres(cluster, port);
  };
  await start();
  const url = `postgres://byeol:${readSettings(home).password}@127.0.0.1:${port}/byeol`;
  await createDatabase(url);
  await migrateDatabase(url, { folder: join(root, 'db/migrations') });
  const signal = (name: NodeJS.Signals) => signalAll(processesOf(cluster.folder).all, name);
  return {
    url,
    start,
    async kill() {
      signal('SIGKILL');
      while (findPostmaster(cluster.folder)) await Bun.sleep(5);
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async remove() {
      await endPostgres(cluster.folder, 5_000);
      await rm(home, { recursive: true, force: true });
    },
  };
}
