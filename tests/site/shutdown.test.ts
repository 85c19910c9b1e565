import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '#site/launch/root.ts';
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

test('SIGHUP ends no site of several processes, though none of them serves yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-early-hang-up-'));
  // A database that takes connections and says nothing.
  const database = createServer();
  await new Promise<void>((done) => database.listen(0, '127.0.0.1', done));
  const address = database.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const script = `
    import { getConfig } from '#api/config.ts';
    import { serve } from '#site/launch/serve.ts';
    import { Shutdown } from '#site/launch/shutdown.ts';
    const shutdown = new Shutdown().listen();
    process.on('SIGHUP', () => {
      console.log(shutdown.began ? 'it ends' : 'it goes on');
      void shutdown.end(0);
    });
    const settings = { PROCESSES: '2', DATA_DIR: '${folder}', DATABASE_URL: 'postgres://byeol@127.0.0.1:${port}/byeol' };
    serve(getConfig(settings), shutdown).catch(() => {});
    console.log('it starts');
  `;
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: root, stdout: 'pipe' });
  let said = '';
  let isTold = false;
  for await (const part of child.stdout) {
    said += new TextDecoder().decode(part);
    if (isTold || !said.includes('it starts')) continue;
    child.kill('SIGHUP');
    isTold = true;
  }
  expect(await child.exited).toBe(0);
  expect(said).toContain('it goes on');
  database.close();
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
