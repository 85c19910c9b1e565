import { basename } from 'node:path';
import { birthOf, commandOf, isAlive, parentOf } from '#db/embedded/processes.ts';

/** A process by its id and its birth, so that a later one with the same id is another. */
export interface Known {
  pid: number;
  birth: string;
}

/**
 * The processes that stand between the caller's shell and us: `npx`, the shell it uses, `bun start`. npx passes no signal
 * on: ended, it leaves us behind. Empty where there is no /proc.
 */
export function launchers(): Known[] {
  const found: Known[] = [];
  for (let pid = process.ppid; pid > 1; ) {
    const parent = parentOf(pid);
    const name = programOf(pid);
    const isOurs =
      name === 'bun' || name === 'npm' || (name === 'sh' && parent && programOf(parent) === 'npm');
    if (!isOurs || parent === undefined) break;
    found.push({ pid, birth: birthOf(pid) });
    pid = parent;
  }
  return found;
}

function programOf(pid: number): string {
  const name = basename(commandOf(pid).split(' ')[0] ?? '').replace(/\.exe$/, '');
  if (name === 'dash' || name === 'bash') return 'sh';
  return name === 'npx' ? 'npm' : name;
}

export const areAlive = (processes: readonly Known[]) =>
  processes.every(({ pid, birth }) => isAlive(pid, birth));

/** Calls `onGone` once when one of them has ended. */
export function watchLaunchers(processes: readonly Known[], onGone: () => void): void {
  if (processes.length === 0) return;
  const timer = setInterval(() => {
    if (areAlive(processes)) return;
    clearInterval(timer);
    onGone();
  }, 300);
  timer.unref();
}
