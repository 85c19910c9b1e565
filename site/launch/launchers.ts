import { basename } from 'node:path';
import { commandOf, isAlive, parentOf, startTimeOf } from '#db/embedded/processes.ts';

/** A process by its id and its birth, so that a later one with the same id is another. */
export interface ProcessIdentity {
  pid: number;
  birth: string;
}

/**
 * The processes that stand between the caller's shell and us: `npx` or `npm start`, the shell it uses, `bun start`, our
 * `bun.mjs`. npm and npx pass no signal on: ended, they leave us behind. Empty where there is no /proc.
 */
export function launchers(): ProcessIdentity[] {
  const ancestors: ProcessIdentity[] = [];
  for (let pid = process.ppid; pid > 1; ) {
    const parent = parentOf(pid);
    if (parent === undefined) break;
    // A shell is a launcher's when a launcher called it; else it is the person's own.
    if (!isLauncher(pid) && !(isShell(pid) && isLauncher(parent))) break;
    ancestors.push({ pid, birth: startTimeOf(pid) });
    pid = parent;
  }
  return ancestors;
}

/** Bun, npm and the like: by their own names, or as scripts that Node runs. npm calls itself `npm start`. */
const program = /^(?:bun|bunx|npm|npx|pnpm|yarn|yarnpkg)$/;
const script = /^(?:bun\.mjs|(?:npm|npx)-cli\.js|(?:npm|npx|pnpm|yarn|yarnpkg)(?:\.[cm]?js)?)$/;

function isLauncher(pid: number): boolean {
  const [name = '', firstArgument = ''] = programAndArgument(pid);
  return program.test(name) || (name === 'node' && script.test(firstArgument));
}

const isShell = (pid: number) => /^(?:sh|dash|bash)$/.test(programAndArgument(pid)[0] ?? '');

/** Program and first argument of a process, without folders. */
const programAndArgument = (pid: number) =>
  commandOf(pid)
    .split(' ')
    .slice(0, 2)
    .map((word) => basename(word).replace(/\.exe$/, ''));

export const areAlive = (processes: readonly ProcessIdentity[]) =>
  processes.every(({ pid, birth }) => isAlive(pid, birth));

/** Calls `onGone` once when one of them has ended. */
export function watchLaunchers(processes: readonly ProcessIdentity[], onGone: () => void): void {
  if (processes.length === 0) return;
  const timer = setInterval(() => {
    if (areAlive(processes)) return;
    clearInterval(timer);
    onGone();
  }, 300);
  timer.unref();
}
