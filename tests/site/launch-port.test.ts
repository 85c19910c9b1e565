import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getConfig } from '#api/config.ts';
import { withFolderLock } from '#db/embedded/lock.ts';
import { freePort } from '#db/embedded/postmaster.ts';
import { startTimeOf } from '#db/embedded/processes.ts';
import {
  ensurePortFree,
  removePidFile,
  writeEnding,
  writePidFile,
  writeProcesses,
} from '#site/launch/port.ts';

let dataDir = '';
let settings = getConfig({});
let other: Bun.Subprocess;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'byeol-port-'));
  settings = getConfig({ DATA_DIR: dataDir, PORT: String(await freePort()) });
  other = Bun.spawn(['sleep', '600']);
});
afterEach(async () => {
  other.kill();
  await rm(dataDir, { recursive: true });
});

const file = () => join(dataDir, `port-${settings.port}.json`);
const noted = async () => JSON.parse(await readFile(file(), 'utf8'));
/** The other process is a Byeol of this folder. */
const noteOther = (more: object = {}) =>
  writeFile(
    file(),
    JSON.stringify({ pid: other.pid, birth: startTimeOf(other.pid), launchers: [], ...more }),
  );
const starting = () => `Byeol is starting from this folder (process ${other.pid}): wait for it, or stop it.`;

describe('of two starts in one folder', () => {
  test('one that meets the lock of the other is told that it waits, once, and gives up when its patience ends', async () => {
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const first = withFolderLock(dataDir, () => {
      hold();
      return done;
    });
    await held;
    let told = 0;
    const onWait = () => {
      told += 1;
    };
    const second = (patience: number) => withFolderLock(dataDir, async () => 'done', { patience, onWait });
    await expect(second(100)).rejects.toThrow('Another process holds');
    const waiting = second(60_000);
    await Bun.sleep(100);
    end();
    expect([await waiting, told]).toEqual(['done', 2]);
    await first;
  });

  test('one that comes while the other has not listened yet is refused, and leaves its note alone', async () => {
    await noteOther();
    await expect(writePidFile(settings, [])).rejects.toThrow(starting());
    await expect(ensurePortFree(settings)).rejects.toThrow(starting());
    writeProcesses(settings, [1]);
    writeEnding(settings);
    removePidFile(settings);
    expect(await noted()).toEqual({ pid: other.pid, birth: startTimeOf(other.pid), launchers: [] });
  });

  test('one that comes while the other ends, and has closed its port, waits for that', async () => {
    await noteOther({ isEnding: true });
    let isFree = false;
    const waiting = ensurePortFree(settings).then(() => {
      isFree = true;
    });
    await Bun.sleep(200);
    expect(isFree).toBe(false);
    other.kill();
    await waiting;
  });

  test('one that waited too long for the other to end names what is left of it', async () => {
    const killed = { pid: other.pid, birth: '1' };
    await noteOther({ ...killed, processes: [{ pid: other.pid, birth: startTimeOf(other.pid) }] });
    const waiting = ensurePortFree(settings).catch(String);
    await Bun.sleep(100);
    setSystemTime(Date.now() + 30_000);
    try {
      expect(await waiting).toContain(
        `An earlier Byeol (process ${other.pid}) has not stopped in 25 s: end it and start again.`,
      );
    } finally {
      setSystemTime();
    }
  });

  test('one that comes after the other was killed takes its place, and takes its own note back', async () => {
    await noteOther({ birth: '1' });
    await ensurePortFree(settings);
    await writePidFile(settings, []);
    writeProcesses(settings, [other.pid]);
    expect(await noted()).toMatchObject({ pid: process.pid, processes: [{ pid: other.pid }] });
    writeEnding(settings);
    expect(await noted()).toMatchObject({
      pid: process.pid,
      processes: [{ pid: other.pid }],
      isEnding: true,
    });
    removePidFile(settings);
    expect(await Bun.file(file()).exists()).toBe(false);
  });

  test('one that has the id and birth of an earlier one, as after a restart of the machine, is that one’s heir', async () => {
    await noteOther({ pid: process.pid, birth: startTimeOf(process.pid) });
    await ensurePortFree(settings);
    await writePidFile(settings, []);
  });

  test('each has a port of its own where none is named', async () => {
    const anyPort = getConfig({ DATA_DIR: dataDir, PORT: '0' });
    await writePidFile(anyPort, []);
    await writePidFile(anyPort, []);
  });
});
