import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getConfig } from '#api/config.ts';
import { freePort } from '#db/embedded/postmaster.ts';
import { startTimeOf } from '#db/embedded/processes.ts';
import { ensurePortFree, removePidFile, writePidFile, writeProcesses } from '#site/launch/port.ts';

let dataDir = '';
let settings = getConfig({});
let other: Bun.Subprocess;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'byeol-port-'));
  settings = getConfig({ DATA_DIR: dataDir, PORT: String(await freePort()) });
  other = Bun.spawn(['sleep', '100']);
});
afterEach(async () => {
  other.kill();
  await rm(dataDir, { recursive: true });
});

const file = () => join(dataDir, `port-${settings.port}.json`);
const noted = async () => JSON.parse(await readFile(file(), 'utf8'));
/** The other process is a Byeol of this folder. */
const noteOther = (birth = startTimeOf(other.pid)) =>
  writeFile(file(), JSON.stringify({ pid: other.pid, birth, launchers: [] }));
const taken = () =>
  `Port ${settings.port} is already in use: Byeol is running there from this folder (process ${other.pid}).`;

describe('of two starts in one folder', () => {
  test('one that comes while the other has not listened yet is refused, and leaves its note alone', async () => {
    await noteOther();
    await expect(writePidFile(settings, [])).rejects.toThrow(taken());
    writeProcesses(settings, [1]);
    removePidFile(settings);
    expect(await noted()).toEqual({ pid: other.pid, birth: startTimeOf(other.pid), launchers: [] });
  });

  test('one that comes while the other ends, and has closed its port, waits for that', async () => {
    await noteOther();
    let isFree = false;
    const waiting = ensurePortFree(settings).then(() => {
      isFree = true;
    });
    await Bun.sleep(200);
    expect(isFree).toBe(false);
    other.kill();
    await waiting;
  });

  test('one that comes after the other was killed takes its place, and takes its own note back', async () => {
    await noteOther('1');
    await ensurePortFree(settings);
    await writePidFile(settings, []);
    writeProcesses(settings, [other.pid]);
    expect(await noted()).toMatchObject({ pid: process.pid, processes: [{ pid: other.pid }] });
    removePidFile(settings);
    expect(await Bun.file(file()).exists()).toBe(false);
  });

  test('each has a port of its own where none is named', async () => {
    const anyPort = getConfig({ DATA_DIR: dataDir, PORT: '0', SITE_URL: 'https://byeol.example' });
    await writePidFile(anyPort, []);
    await writePidFile(anyPort, []);
  });
});
