import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.ts';

/** What tells a process from a later one with the same id: its start in clock ticks. Empty where there is no /proc. */
export function startTimeOf(pid: number): string {
  return statOf(pid)?.birth ?? '';
}

/** Whether a process runs. A dead one that nobody has reaped yet does not, and neither does a later one with its id. */
export function isAlive(pid: number, birth = ''): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  const stat = statOf(pid);
  if (!stat) return !existsSync('/proc/self/stat');
  return !'ZX'.includes(stat.state) && (birth === '' || stat.birth === birth);
}

/** The process that started `pid`; undefined where there is no /proc. */
export function parentOf(pid: number): number | undefined {
  return statOf(pid)?.parent;
}

/** Its command line, arguments separated by spaces; empty where there is no /proc. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** The folder that it works in; undefined where there is no /proc, or when the system does not tell. */
export function workingFolderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The ids of all processes; none where there is no /proc. */
export function listProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Sends a signal to those that are still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function statOf(pid: number): { state: string; parent: number; birth: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces and brackets itself: the fields start after the last one.
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
    return { state: fields[0] ?? 'X', parent: Number(fields[1]), birth: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

const registry = (home: string) => join(home, 'processes');

/** Notes that this process uses the cluster, so that whoever ends first leaves it to the others. */
export function registerProcess(home: string): void {
  mkdirSync(registry(home), { recursive: true });
  writeFileSync(join(registry(home), String(process.pid)), startTimeOf(process.pid));
}

/** Takes this process's note back; the number of others that still use the cluster. */
export function unregisterProcess(home: string): number {
  rmSync(join(registry(home), String(process.pid)), { force: true });
  let others = 0;
  for (const name of existsSync(registry(home)) ? readdirSync(registry(home)) : []) {
    const entry = join(registry(home), name);
    if (isAlive(Number(name), readEntry(entry))) others += 1;
    else rmSync(entry, { force: true });
  }
  return others;
}

function readEntry(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return 'gone';
  }
}
