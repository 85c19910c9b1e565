import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBinaries, identityForPostgres } from './embedded/binaries.ts';
import { withFolderLock } from './embedded/lock.ts';
import {
  type Cluster,
  endPostgres,
  findPostmaster,
  freePort,
  initialise,
  launchPostgres,
  readSettings,
  waitForEarlierRun,
  writeSettings,
} from './embedded/postmaster.ts';
import { registerProcess, unregisterProcess } from './embedded/processes.ts';
import { StartupError } from './embedded/startup-error.ts';
import { codeOf } from './error-code.ts';

export { StartupError };

export interface EmbeddedPostgres {
  /** Address of a database of this cluster. */
  url(name?: string): string;
  /** Stops the cluster unless another live process of ours still uses it. Resolves when it is down. */
  stop(): Promise<void>;
}

/**
 * The PostgreSQL that comes with the project (architecture §Running): makes the cluster in `dataDir` on first use and starts it.
 * After a kill it adopts a cluster that still runs, waits out an ending one and lets PostgreSQL recover the rest, so the
 * next start needs no help (quality §Safe 2). While this process lives, a cluster that dies is started again on the same
 * port. `fsync` and `synchronous_commit` keep their defaults: on.
 * @throws StartupError when the folder cannot be written or the cluster does not come up
 */
export async function startEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const home = resolve(dataDir);
  ensureWritable(home);
  const binaries = await findBinaries();
  const cluster: Cluster = {
    home,
    folder: join(home, 'postgres'),
    binaries,
    identity: identityForPostgres(),
  };

  const settings = await withFolderLock(home, async () => {
    await initialise(cluster);
    registerProcess(home);
    try {
      return await startCluster(cluster);
    } catch (error) {
      await releaseCluster(cluster);
      throw error;
    }
  });
  const watch = restartWhenDown(cluster, settings.port);
  return {
    url: (name = 'byeol') => `postgres://byeol:${settings.password}@127.0.0.1:${settings.port}/${name}`,
    stop: async () => {
      await watch.end();
      await withFolderLock(home, () => releaseCluster(cluster));
    },
  };
}

/** The last one to let go ends it. */
async function releaseCluster({ home, folder }: Cluster): Promise<void> {
  if (unregisterProcess(home) === 0) await endPostgres(folder, 4_000);
}

/** A free port is chosen for each new start: the last one may belong to another program by now. */
async function startCluster(cluster: Cluster) {
  const settings = readSettings(cluster.home);
  if (await waitForEarlierRun(cluster.folder)) return settings;
  settings.port = await freePort();
  await writeSettings(cluster.home, settings);
  await launchPostgres(cluster, settings.port);
  return settings;
}

/** Milliseconds between two looks at whether it runs, and between tries to start it again while they fail, at first and at most. */
const lookInterval = 500;
const firstPause = 500;
const longestPause = 30_000;

/** Starts a cluster that was killed under us again, on the port that our connections know. */
function restartWhenDown(cluster: Cluster, port: number) {
  const ending = new AbortController();
  let repair: Promise<void> | undefined;
  let pause = firstPause;
  let nextTry = 0;
  let told = '';
  const start = async () => {
    if (!(await waitForEarlierRun(cluster.folder, ending.signal)))
      await launchPostgres(cluster, port, ending.signal);
    pause = firstPause;
    told = '';
  };
  const giveUpForNow = async (error: unknown) => {
    if (ending.signal.aborted) return;
    nextTry = performance.now() + pause;
    pause = Math.min(pause * 2, longestPause);
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === told) return;
    told = reason;
    // The start imports this file before packages are installed.
    const { log } = await import('./log.ts');
    log.error({ err: error }, 'PostgreSQL ended and could not be started again');
  };
  const timer = setInterval(() => {
    if (repair || performance.now() < nextTry || findPostmaster(cluster.folder)) return;
    repair = withFolderLock(cluster.home, start)
      .catch(giveUpForNow)
      .finally(() => {
        repair = undefined;
      });
  }, lookInterval);
  timer.unref();
  return {
    async end() {
      clearInterval(timer);
      ending.abort();
      await repair;
    },
  };
}

/**
 * Makes the folder if need be and checks that files can be made in it.
 * @throws StartupError when they cannot
 */
export function ensureWritable(folder: string): void {
  const home = resolve(folder);
  const probe = join(home, `.write-${process.pid}`);
  try {
    mkdirSync(home, { recursive: true });
    accessSync(home, constants.W_OK | constants.X_OK);
    try {
      // An empty file is made on a full disk as well.
      writeFileSync(probe, '.'.repeat(4096));
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw isFull(error)
      ? new StartupError(`The disk of DATA_DIR ${home} is full: make room there, or choose another folder.`)
      : new StartupError(`DATA_DIR ${home} cannot be written: choose another folder or change its owner.`);
  }
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
