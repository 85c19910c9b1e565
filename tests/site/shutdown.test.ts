import { expect, test } from 'bun:test';
import { root } from '#site/launch/root.ts';

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
