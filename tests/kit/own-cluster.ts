import { execFileSync } from 'node:child_process';
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
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
  /** Of a migrated database. */
  url: string;
  /** Ends it as a failing machine would; all of its processes are gone then. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Stops all of its processes where they are: they hold their connections and answer nothing. */
  freeze(): void;
  thaw(): void;
  /** Makes a streaming replica, as `pg_basebackup` does, which is not among the embedded programs. */
  replicate(): Promise<OwnCluster>;
  remove(): Promise<void>;
}

export async function makeOwnCluster(): Promise<OwnCluster> {
  const cluster = await newCluster();
  await initialise(cluster);
  const { password } = readSettings(cluster.home);
  const own = await run(cluster, password);
  await createDatabase(own.url);
  await migrateDatabase(own.url, { folder: join(root, 'db/migrations') });
  return own;
}

async function newCluster(): Promise<Cluster> {
  const home = await mkdtemp(join(tmpdir(), 'byeol-cluster-'));
  const binaries = await findBinaries();
  return { home, folder: join(home, 'postgres'), binaries, identity: identityForPostgres() };
}

async function run(cluster: Cluster, password: string, database = 'byeol'): Promise<OwnCluster> {
  const { home, folder } = cluster;
  const port = await freePort();
  const start = async () => {
    if (!(await waitForEarlierRun(folder))) await launchPostgres(cluster, port);
  };
  await start();
  const signal = (name: NodeJS.Signals) => signalAll(processesOf(folder).all, name);
  const url = `postgres://byeol:${password}@127.0.0.1:${port}/${database}`;
  return {
    url,
    start,
    async kill() {
      signal('SIGKILL');
      while (findPostmaster(folder)) await Bun.sleep(5);
    },
    freeze() {
      signal('SIGSTOP');
      // What was started between the look at the processes and the signal; from the first time on none is.
      signal('SIGSTOP');
    },
    thaw: () => signal('SIGCONT'),
    replicate: () => replicate(folder, url),
    async remove() {
      await endPostgres(folder, 5_000);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * Makes a streaming replica of the whole cluster in a folder of ours, be it of a test or of the bench.
 * @param folder of the cluster, which runs
 * @param url of one of its databases, which is that of the answer as well
 */
export async function replicate(folder: string, url: string): Promise<OwnCluster> {
  const { port, password, pathname } = new URL(url);
  const copy = await newCluster();
  const label = await copyRunning(url, folder, copy.folder);
  const source = `host=127.0.0.1 port=${port} user=byeol password=${password}`;
  for (const [file, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(copy.folder, file), text);
    if (copy.identity) await chown(join(copy.folder, file), copy.identity.uid, copy.identity.gid);
  }
  // As docs/operating/database.md has it.
  const lines = [
    `primary_conninfo = '${source}'`,
    'hot_standby_feedback = on',
    'max_standby_streaming_delay = 1s',
  ];
  await appendFile(join(copy.folder, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  return run(copy, password, pathname.slice(1));
}

/** Copies the files of a cluster while it runs. @returns from where on a replica reads its WAL for what was written meanwhile */
async function copyRunning(url: string, from: string, to: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_backup_start('replica', true)`;
    execFileSync('cp', ['-a', from, to]);
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    await Promise.all(
      ['postmaster.pid', 'postmaster.opts'].map((file) => rm(join(to, file), { force: true })),
    );
    return label?.labelfile ?? '';
  } finally {
    await sql.end();
  }
}
