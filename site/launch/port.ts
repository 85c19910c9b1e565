import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { ConfigError } from '#api/config-error.ts';
import { site } from '#content/site.ts';
import { withFolderLock } from '#db/embedded/lock.ts';
import { isAlive, startTimeOf } from '#db/embedded/processes.ts';
import { StartupError } from '#db/embedded.ts';
import { codeOf } from '#db/error-code.ts';
import { areAlive, type ProcessIdentity } from './launchers.ts';
import { printLine } from './terminal.ts';

type PortSettings = Pick<Config, 'host' | 'port' | 'dataDir'>;
type OwnPorts = PortSettings & Pick<Config, 'metricsPort'>;

/** What a running Byeol writes into its DATA_DIR, so that a second start knows whom it meets. */
interface PidRecord extends ProcessIdentity {
  launchers: ProcessIdentity[];
  /** It was told to stop. */
  isEnding?: boolean;
  /** Those that serve, where it is their supervisor. */
  processes?: ProcessIdentity[];
}

/** Milliseconds that an ending Byeol is waited for, a little more than its shutdown may take. */
const longestEnd = 25_000;

const pidFile = ({ dataDir, port }: PortSettings) => join(dataDir, `port-${port}.json`);

/**
 * Makes sure that the port can be had, before anything slow is done. A Byeol of this folder that is ending, because it was told to or
 * what launched it was killed, is waited for; so are the processes of one that was killed itself.
 * @throws StartupError with the reason; ConfigError when METRICS_PORT is the same
 */
export async function ensurePortFree(settings: OwnPorts): Promise<void> {
  if (settings.port === 0) return;
  // A matter of the start alone: a command may have METRICS_PORT in its environment, and listens nowhere.
  if (settings.port === settings.metricsPort)
    throw new ConfigError('METRICS_PORT', `must be another port than PORT, which is ${settings.port} too.`);
  const deadline = Date.now() + longestEnd;
  let isAnnounced = false;
  for (;;) {
    const isPortTaken = await isTaken(settings);
    const holder = findHolder(settings);
    if (!isPortTaken && !isCertain(holder)) return;
    if (!holder)
      throw new StartupError(`Port ${settings.port} is already in use: stop the other program or set PORT.`);
    if (!isEnding(holder)) throw isPortTaken ? runningError(settings, holder) : startingError(holder);
    if (Date.now() > deadline) throw notStoppedError(holder);
    if (!isAnnounced) printLine(`  Waiting for an earlier ${site.name} (process ${holder.pid}) to stop …`);
    isAnnounced = true;
    await Bun.sleep(50);
  }
}

const isEnding = (holder: PidRecord): boolean =>
  holder.isEnding === true || !isAlive(holder.pid, holder.birth) || !areAlive(holder.launchers);

const startingError = ({ pid }: PidRecord) =>
  new StartupError(`${site.name} is starting from this folder (process ${pid}): wait for it, or stop it.`);

const runningError = ({ port }: PortSettings, { pid }: PidRecord) =>
  new StartupError(
    `Port ${port} is already in use: ${site.name} is running there from this folder (process ${pid}).`,
  );

/** Of one that was killed, those that serve are left. */
const notStoppedError = (holder: PidRecord) => {
  const pids = livingOf(holder).map(({ pid }) => pid);
  return new StartupError(
    `An earlier ${site.name} (process ${pids.join(', ')}) has not stopped in ${longestEnd / 1000} s: end it and start again.`,
  );
};

/** Whether it is surely that process which lives. Where no births are known it may be another of its id, and only the port tells. */
const isCertain = (holder: PidRecord | undefined): holder is PidRecord =>
  holder !== undefined && holder.birth !== '';

async function isTaken({ host, port }: PortSettings): Promise<boolean> {
  for (const address of host === 'localhost' ? ['127.0.0.1', '::1'] : [host]) {
    const code = await tryToListen(address, port);
    if (code === 'EADDRINUSE') return true;
    if (code === 'EACCES')
      throw new StartupError(`Port ${port} needs more rights: set PORT to one above 1023.`);
    // A machine without IPv6 has no ::1, and `localhost` needs none there.
    if (code !== undefined && address !== '::1') {
      throw new StartupError(`HOST ${host} is not an address of this machine (${code}).`);
    }
  }
  return false;
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', (error) => resolve(codeOf(error) ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  });
}

const livingOf = (record: PidRecord): ProcessIdentity[] =>
  [record, ...(record.processes ?? [])].filter(({ pid, birth }) => isAlive(pid, birth));

function readPidFile(settings: PortSettings): PidRecord | undefined {
  try {
    const record: PidRecord = JSON.parse(readFileSync(pidFile(settings), 'utf8'));
    return livingOf(record).length > 0 ? record : undefined;
  } catch {
    return undefined;
  }
}

const isOwn = ({ pid, birth }: PidRecord) => pid === process.pid && birth === startTimeOf(process.pid);

/** Who else has the port. After the machine was started anew, an old note may happen to name our own id and birth. */
function findHolder(settings: PortSettings): PidRecord | undefined {
  const record = readPidFile(settings);
  return record && isOwn(record) ? undefined : record;
}

/**
 * Written beside and renamed: on a full disk what was noted before stays. Not by `writeDurably`: between reading and writing a record no
 * other note of this process may come, and after a power cut none is of use.
 */
function writeRecord(settings: PortSettings, record: PidRecord): void {
  const draft = `${pidFile(settings)}.new`;
  writeFileSync(draft, JSON.stringify(record));
  renameSync(draft, pidFile(settings));
}

/**
 * Writes the pid file of this process. Of two starts that both found the port free one gets it: their processes could share the port,
 * and nobody would notice. Port 0 is another one for each.
 * @throws StartupError when another was faster
 */
export async function writePidFile(settings: PortSettings, launchers: ProcessIdentity[]): Promise<void> {
  if (settings.port === 0) return;
  await withFolderLock(settings.dataDir, async () => {
    const holder = findHolder(settings);
    if (isCertain(holder)) throw startingError(holder);
    writeRecord(settings, { pid: process.pid, birth: startTimeOf(process.pid), launchers });
  });
}

/** Notes in the pid file that this process was told to stop, so that a new start waits for it. */
export function writeEnding(settings: PortSettings): void {
  const record = readPidFile(settings);
  if (record && isOwn(record)) writeRecord(settings, { ...record, isEnding: true });
}

/** Notes in the pid file which processes serve for this one. */
export function writeProcesses(settings: PortSettings, pids: readonly number[]): void {
  const record = readPidFile(settings);
  if (!record || !isOwn(record)) return;
  const processes = pids.map((pid): ProcessIdentity => ({ pid, birth: startTimeOf(pid) }));
  writeRecord(settings, { ...record, processes });
}

/** Removes the pid file of this process. */
export function removePidFile(settings: PortSettings): void {
  const record = readPidFile(settings);
  if (record && isOwn(record)) rmSync(pidFile(settings), { force: true });
}
