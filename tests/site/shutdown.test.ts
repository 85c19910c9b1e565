import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#db/embedded/postmaster.ts';
import { startTimeOf } from '#db/embedded/processes.ts';
import { root } from '#site/launch/root.ts';
import { environment } from '#tests/kit/environment.ts';
import { until } from '#tests/kit/until.ts';

test('who is told to stop twice, by a signal and by the end of what launched it, stops once and in order', async () => {
  const script = `
    import { Shutdown } from '#site/launch/shutdown.ts';
    const shutdown = new Shutdown();
    for (const name of ['first', 'second'])
      shutdown.defer(async () => {
        await Bun.sleep(100);
        console.log(name);
      });
    void shutdown.end(3);
    await Bun.sleep(50);
    void shutdown.end(0);
  `;
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: root, stdout: 'pipe' });
  expect(await child.exited).toBe(3);
  expect(await new Response(child.stdout).text()).toBe('second\nfirst\n');
});

test('SIGHUP ends no start of several processes, though it still waits for its port', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-early-hang-up-'));
  const port = await freePort();
  const note = join(folder, `port-${port}.json`);
  // This process passes for an earlier Byeol that is ending.
  const earlier = {
    pid: process.pid,
    birth: startTimeOf(process.pid),
    launchers: [],
    isEnding: true,
  };
  await writeFile(note, JSON.stringify(earlier));
  const script = `
    import { launchWith } from '#site/launch/prepare.ts';
    await launchWith(async (_, shutdown) => {
      console.log('it goes on');
      await shutdown.end(0);
    }, ['--processes', '2']);
  `;
  const child = Bun.spawn([process.execPath, '-e', script], {
    cwd: root,
    env: environment({ DATA_DIR: folder, PORT: String(port) }),
    stdout: 'pipe',
  });
  let said = '';
  let isTold = false;
  for await (const part of child.stdout) {
    said += new TextDecoder().decode(part);
    if (isTold || !said.includes('Waiting for an earlier')) continue;
    isTold = true;
    child.kill('SIGHUP');
    await rm(note);
  }
  expect([await child.exited, child.signalCode]).toEqual([0, null]);
  expect(said).toContain('it goes on');
  await rm(folder, { recursive: true });
});

test('SIGHUP restarts who asked for that, but stops it when it says that the terminal was closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-hang-up-'));
  const log = join(folder, 'log');
  const script = `
    import { appendFileSync } from 'node:fs';
    import { Shutdown } from '#site/launch/shutdown.ts';
    const write = (line) => appendFileSync('${log}', line + '\\n');
    const shutdown = new Shutdown().listen();
    shutdown.defer(() => write('stopped'));
    shutdown.restartOnHangUp(() => write('restarted'));
    write('listening');
    setInterval(() => {}, 1_000);
  `;
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: root, terminal: {} });
  await until(() => lines().includes('listening'));
  child.kill('SIGHUP');
  await until(() => lines().includes('restarted'));
  child.terminal?.close();
  expect(await child.exited).toBe(0);
  expect(lines()).toEqual(['listening', 'restarted', 'stopped']);
  await rm(folder, { recursive: true });
});
