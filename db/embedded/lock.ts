import { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.ts';
import { StartupError } from './startup-error.ts';

/** Milliseconds that an installation or a build of another process is waited for: on a slow network or machine they take minutes. */
export const longestLockWait = 600_000;

interface LockOptions {
  /** Milliseconds that it waits for another. */
  patience?: number;
  /** Is told once when it has to wait. */
  onWait?: () => void;
}

/**
 * Runs `action` while no other process does so for the same folder. SQLite's file lock is used for it because the
 * system lets go of it when its holder is killed: a lock file with a process id in it would have to be cleared.
 * @throws StartupError when another keeps it for too long
 */
export async function withFolderLock<T>(
  home: string,
  action: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  mkdirSync(home, { recursive: true });
  const lock = new Database(join(home, 'lock.sqlite'));
  try {
    await acquire(lock, home, options);
    return await action();
  } finally {
    lock.close();
  }
}

async function acquire(
  lock: Database,
  home: string,
  { patience = 90_000, onWait }: LockOptions,
): Promise<void> {
  const deadline = Date.now() + patience;
  let isTold = false;
  while (Date.now() < deadline) {
    try {
      lock.run('begin exclusive');
      return;
    } catch (error) {
      if (!codeOf(error)?.startsWith('SQLITE_BUSY')) throw error;
      if (!isTold) onWait?.();
      isTold = true;
      await Bun.sleep(25);
    }
  }
  throw new StartupError(`Another process holds ${join(home, 'lock.sqlite')}: stop it and start again.`);
}
