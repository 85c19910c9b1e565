import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { codeOf } from '../error-code.ts';
import { type Binaries, commandAs, type Identity } from './binaries.ts';
import { commandOf, isAlive, listProcesses, parentOf, signalAll, workingFolderOf } from './processes.ts';
import { StartupError } from './startup-error.ts';

interface Settings {
  port: number;
  password: string;
}

/** Where a cluster is and what runs it. */
export interface Cluster {
  home: string;
  folder: string;
  binaries: Binaries;
  identity: Identity | undefined;
}

const settingsFile = (home: string) => join(home, 'postgres.json');

/** Written so that a crash leaves either the former ones or these: without its password a cluster cannot be opened. */
export const writeSettings = (home: string, settings: Settings): Promise<void> =>
  writeDurably(`${settingsFile(home)}.new`, settingsFile(home), JSON.stringify(settings));

/** @throws StartupError when there are none that can be read */
export function readSettings(home: string): Settings {
  const settings = findSettings(home);
  if (!settings) throw damaged(settingsFile(home));
  return settings;
}

/** Undefined when the file is missing or only half written. @throws StartupError when we may not read it */
function findSettings(home: string): Settings | undefined {
  const text = ifThere(settingsFile(home), (file) => readFileSync(file, 'utf8'));
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws StartupError when we may not look there */
const isThere = (path: string): boolean => ifThere(path, (file) => statSync(file)) !== undefined;

/** What is read of a file; undefined when there is none. What hides a file is no reason to make everything anew. */
function ifThere<T>(path: string, read: (path: string) => T): T | undefined {
  try {
    return read(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EPERM')
      throw new StartupError(
        `${path} cannot be read: start Byeol as the user who started it before, or change the owner.`,
      );
    throw error;
  }
}

const damaged = (path: string) =>
  new StartupError(`${path} is missing or damaged: restore it from a backup of DATA_DIR.`);

/** Makes the cluster unless a finished one is there. What a killed first start left half made is made again. */
export async function initialise({ home, folder, binaries, identity }: Cluster): Promise<void> {
  const version = join(folder, 'PG_VERSION');
  // A cluster that was finished, or ran once, holds data. Of one that lacks a part, or whose disk is not mounted, the operator is told.
  const wasFinished = findSettings(home) !== undefined;
  if (wasFinished && isThere(version)) return;
  if (wasFinished) throw damaged(version);
  if (isThere(join(folder, 'postmaster.opts'))) throw damaged(settingsFile(home));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const settings = { port: 0, password: randomBytes(24).toString('hex') };
  const passwordFile = join(home, '.password');
  writeFileSync(passwordFile, settings.password, { mode: 0o600 });
  if (identity) {
    chownSync(folder, identity.uid, identity.gid);
    chownSync(passwordFile, identity.uid, identity.gid);
  }
  const attempts = characterTypes.map((characterType) => {
    const { file, args, options } = commandAs(identity, folder, binaries.initdb, [
      `--pgdata=${folder}`,
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
    runFirstThatWorks(attempts);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const lines = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n') : [];
    // What went wrong, before the hints.
    const reason = lines.find((line) => /error|fatal|no space/i.test(line)) ?? lines.at(-1) ?? '';
    throw new StartupError(
      `The built-in PostgreSQL could not be set up in ${folder} (DATA_DIR). ${reason}`.trim(),
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // Written last: with this file the cluster counts as finished.
  await writeSettings(home, settings);
}

/** pg_trgm asks the C library which characters are letters: without a UTF-8 locale Hangul would not be searchable. */
const characterTypes = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8'];

/** One after the other while the system lacks the locale. */
function runFirstThatWorks(attempts: readonly (() => unknown)[]): void {
  for (const [index, attempt] of attempts.entries()) {
    try {
      attempt();
      return;
    } catch (error) {
      const isOfLocale = error instanceof Error && 'stderr' in error && /locale/i.test(String(error.stderr));
      if (!isOfLocale || index === attempts.length - 1) throw error;
    }
  }
}

/** Below the ports that systems give out by themselves (Linux from 32768, others from 49152). */
const ports = { first: 20_000, last: 32_767 };

/** A port of the loopback address that nobody uses, and that no connection or server gets by chance while ours is away. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(ports.first, ports.last + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${ports.first} to ${ports.last}`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const pidFile = (folder: string) => join(folder, 'postmaster.pid');

/** The live PostgreSQL of this folder: process id and whether it accepts connections. */
export function findPostmaster(folder: string): { pid: number; ready: boolean } | undefined {
  const lines = readPidFile(folder);
  const pid = Number(lines?.[0]);
  if (!lines || !(pid > 0) || !runsIn(folder, pid)) return undefined;
  return { pid, ready: lines[7]?.trim() === 'ready' };
}

function readPidFile(folder: string): string[] | undefined {
  try {
    return readFileSync(pidFile(folder), 'utf8').split('\n');
  } catch {
    return undefined;
  }
}

/** Whether a process is the PostgreSQL of this folder. Of a dead one's id nobody knows whose it is by now: another PostgreSQL's, perhaps. */
function runsIn(folder: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  const command = commandOf(pid);
  if (command === '') return !existsSync('/proc/self/stat');
  if (folderIn(command) !== undefined) return leads(folder, command);
  return command.includes('postgres') && workingFolderOf(pid) === placeOf(folder);
}

/** The folder for which a command of ours runs PostgreSQL. */
const folderIn = (command: string): string | undefined => command.match(/postgres -D (.+?) -c /)?.[1];

/** Whether we started a command for this folder, which may have been called otherwise then. */
function leads(folder: string, command: string): boolean {
  const named = folderIn(command);
  return named !== undefined && placeOf(named) === placeOf(folder);
}

/** The folder as the system names it. */
const placeOf = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder);

/** Above every process id that a system hands out. */
const unusedPid = 2_147_483_646;

/**
 * PostgreSQL refuses to start while the id in its note is somebody's, be it a dead process that nobody reaps or another
 * program. Then the note gets nobody's id. It is not removed: by its other lines PostgreSQL makes sure that no
 * backend of the dead one still writes.
 */
function clearPidFile(folder: string): void {
  const lines = readPidFile(folder);
  if (!lines || Number(lines[0]) === unusedPid || findPostmaster(folder)) return;
  const owner = statSync(pidFile(folder));
  writeFileSync(pidFile(folder), [String(unusedPid), ...lines.slice(1)].join('\n'), { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(pidFile(folder), owner.uid, owner.gid);
}

/**
 * Waits until what an earlier run left behind is either ready (true) or gone (false).
 * @param signal when nobody wants to know any more
 */
export async function waitForEarlierRun(folder: string, signal?: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const postmaster = findPostmaster(folder);
    if (!postmaster) {
      clearPidFile(folder);
      return false;
    }
    if (postmaster.ready) return true;
    await Bun.sleep(25);
  }
  throw new StartupError(
    `A PostgreSQL of an earlier run in ${folder} neither answers nor ends: stop it and start again.`,
  );
}

/**
 * Starts PostgreSQL and waits until it accepts connections, through the recovery after a crash if need be.
 * @param signal when it is to be ended: whoever says so ends what has been started
 */
export async function launchPostgres(cluster: Cluster, port: number, signal?: AbortSignal): Promise<void> {
  const log = join(cluster.home, 'postgres.log');
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const before = existsSync(log) ? statSync(log).size : 0;
    const ended = spawnPostgres(cluster, port, log);
    while (!ended() && Date.now() < deadline) {
      signal?.throwIfAborted();
      if (findPostmaster(cluster.folder)?.ready) return;
      await Bun.sleep(10);
    }
    const output = await Bun.file(log).slice(before).text();
    if (!/pre-existing shared memory block|already exists/.test(output)) break;
    // Backends of a killed postmaster need a moment until they notice; PostgreSQL waits for them by refusing to start.
    await Bun.sleep(200);
  }
  throw new StartupError(`The built-in PostgreSQL did not start; ${log} says why.`);
}

function spawnPostgres(
  { folder, binaries, identity }: Cluster,
  port: number,
  logPath: string,
): () => boolean {
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
  const { file, args, options } = commandAs(identity, folder, binaries.postgres, ['-D', folder, ...flags]);
  const log = openSync(logPath, 'a');
  let ended = false;
  // A session of its own: Ctrl-C reaches us, not PostgreSQL, which must outlive our last query.
  const child: ChildProcess = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
  });
  child.on('exit', () => {
    ended = true;
  });
  child.on('error', () => {
    ended = true;
  });
  child.unref();
  closeSync(log);
  return () => ended;
}

/**
 * All processes of this folder's PostgreSQL, those that lead before those that they started. They are told by their commands and
 * not by the note, which may be missing or half written, nor by the leader alone: a killed one leaves its backends.
 */
export function processesOf(folder: string): { leaders: number[]; all: number[] } {
  const place = placeOf(folder);
  const running = listProcesses().filter((pid) => isAlive(pid));
  const leaders = new Set(running.filter((pid) => leads(folder, commandOf(pid))));
  const postmaster = findPostmaster(folder);
  if (postmaster) leaders.add(postmaster.pid);
  const others = running.filter(
    (pid) =>
      !leaders.has(pid) &&
      (leaders.has(parentOf(pid) ?? 0) ||
        (commandOf(pid).startsWith('postgres: ') && workingFolderOf(pid) === place)),
  );
  return { leaders: [...leaders], all: [...leaders, ...others] };
}

/**
 * Ends PostgreSQL: politely for `gracePeriod` milliseconds, then at once, which costs the next start a recovery, then by force. What
 * somebody stopped goes on first, as it hears nothing.
 */
export async function endPostgres(folder: string, gracePeriod: number): Promise<void> {
  for (const [signal, wait] of [
    ['SIGINT', gracePeriod],
    ['SIGQUIT', 1_500],
    ['SIGKILL', 1_000],
  ] as const) {
    const { leaders, all } = processesOf(folder);
    if (all.length === 0) return;
    signalAll(signal === 'SIGKILL' ? all : leaders, signal);
    signalAll(all, 'SIGCONT');
    const deadline = Date.now() + wait;
    while (Date.now() < deadline && all.some((pid) => isAlive(pid))) await Bun.sleep(10);
  }
}
