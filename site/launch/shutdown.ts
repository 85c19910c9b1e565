import { closeSync, openSync, readFileSync } from 'node:fs';

type Cleanup = () => Promise<unknown> | unknown;

/**
 * A Ctrl-C comes several times, from the terminal and passed on by npx, Node and `bun run`, on a busy machine a second apart:
 * so close together they are one, in milliseconds.
 */
const repeatedSignalWindow = 2_000;

/** Nothing may keep a stopping process longer than this; then what is left is left to the next start. */
const shutdownTimeout = 23_000;
/**
 * Nothing to undo may take so long that what comes after it has no time left: a server drains for up to 8 s, and then answers for up to 10;
 * a supervisor ends its servers after 20 s.
 */
const cleanupTimeout = 20_500;

/** Ends the process in order: what was opened last is closed first. */
export class Shutdown {
  #cleanups: Cleanup[] = [];
  #announcements: Cleanup[] = [];
  #began: number | undefined;
  #ended: Promise<never> | undefined;
  readonly #hadTerminal = hasTerminal();
  #restart: (() => void) | undefined;
  #hearsHangUp = false;

  /**
   * From now on SIGINT and SIGTERM end the process with this code; a second Ctrl-C ends it at once. A second SIGTERM does not: who
   * sends it to a whole group of processes has it passed on to us, too.
   */
  listen(code = 0): this {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (this.#began === undefined) void this.end(code);
        else if (signal === 'SIGINT' && performance.now() - this.#began > repeatedSignalWindow)
          process.exit(130);
      });
    }
    this.#listenToHangUp(code);
    return this;
  }

  #listenToHangUp(code = 0): void {
    if (this.#hearsHangUp || isIgnored('SIGHUP')) return;
    this.#hearsHangUp = true;
    process.on('SIGHUP', () => {
      if (this.#restart && this.#hadTerminal === hasTerminal()) this.#restart();
      else void this.end(code);
    });
  }

  /**
   * From now on SIGHUP means to restart, as it does to servers, and not to end; but when it says that our terminal was closed, it still
   * does that.
   */
  restartOnHangUp(restart: () => void): void {
    this.#restart = restart;
    this.#listenToHangUp();
  }

  get began(): boolean {
    return this.#began !== undefined;
  }

  /** Adds something to undo at the end, before everything that was added earlier. */
  defer(cleanup: Cleanup): void {
    this.#cleanups.unshift(cleanup);
  }

  /** Adds something to do at the end before anything is undone. */
  announce(announcement: Cleanup): void {
    this.#announcements.push(announcement);
  }

  /** Undoes everything and ends the process, once: a signal and the end of what launched us come together. */
  end(code: number): Promise<never> {
    this.#ended ??= this.#end(code);
    return this.#ended;
  }

  async #end(code: number): Promise<never> {
    this.#began = performance.now();
    setTimeout(() => process.exit(code), shutdownTimeout);
    await this.cleanUp();
    process.exit(code);
  }

  /** Undoes everything; the process goes on. */
  async cleanUp(): Promise<void> {
    for (const cleanup of [...this.#announcements.splice(0), ...this.#cleanups.splice(0)]) {
      try {
        await Promise.race([cleanup(), Bun.sleep(cleanupTimeout)]);
      } catch (error) {
        const { log } = await import('#db/log.ts');
        log.error({ err: error }, 'a part of the stop failed');
      }
    }
  }
}

/** Whether somebody sits at a terminal from which we were started. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Under `nohup` the end of a terminal means nothing, and listening to its signal would make it mean something. */
function isIgnored(signal: 'SIGHUP'): boolean {
  const bits = { SIGHUP: 1n };
  try {
    const ignored = readFileSync('/proc/self/status', 'utf8').match(/^SigIgn:\s*([0-9a-f]+)$/m)?.[1];
    return ignored !== undefined && (BigInt(`0x${ignored}`) & bits[signal]) !== 0n;
  } catch {
    return false;
  }
}
