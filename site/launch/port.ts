import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { site } from '#content/site.ts';
import { isAlive, startTimeOf } from '#db/embedded/processes.ts';
import { StartupError } from '#db/embedded.ts';
import { areAlive, type Known } from './launchers.ts';
import { say } from './terminal.ts';

type Place = Pick<Config, 'host' | 'port' | 'dataDir'>;

/** What a running Byeol writes into its DATA_DIR, so that a second start knows whom it meets. */
interface Note extends Known {
  launchers: Known[];
}

const noteFile = ({ dataDir, port }: Place) => join(dataDir, `port-${port}.json`);

/**
 * Makes sure that the port can be had, before anything slow is done. A Byeol of this folder that is ending, because what
 * launched it was killed, is waited for.
 * @throws StartupError with the reason
 */
export async function ensurePortFree(place: Place): Promise<void> {
  if (place.port === 0) return;
  const deadline = Date.now() + 20_000;
  let told = false;
  while (await isTaken(place)) {
    const holder = readNote(place);
    if (!holder)
      throw new StartupError(`Port ${place.port} is already in use: stop the other program or set PORT.`);
    if (areAlive(holder.launchers) || Date.now() > deadline) {
      throw new StartupError(
        `Port ${place.port} is already in use: ${site.name} is running there from this folder (process ${holder.pid}).`,
      );
    }
    if (!told) say(`  Waiting for an earlier ${site.name} (process ${holder.pid}) to stop …`);
    told = true;
    await Bun.sleep(50);
  }
}

async function isTaken({ host, port }: Place): Promise<boolean> {
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
  return new Promise((done) => {
    const probe = createServer();
    probe.on('error', (error) => done('code' in error ? String(error.code) : error.message));
    probe.listen({ host, port }, () => probe.close(() => done(undefined)));
  });
}

function readNote(place: Place): Note | undefined {
  try {
    const note: Note = JSON.parse(readFileSync(noteFile(place), 'utf8'));
    return isAlive(note.pid, note.birth) ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves word of this process. */
export function notePort(place: Place, launchers: Known[]): void {
  const note: Note = { pid: process.pid, birth: startTimeOf(process.pid), launchers };
  writeFileSync(noteFile(place), JSON.stringify(note));
}

/** Takes it back. */
export function forgetPort(place: Place): void {
  rmSync(noteFile(place), { force: true });
}
