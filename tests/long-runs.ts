/** `bun run test-long`: the long runs, on a fresh clone: sites that are started, lost and restored, and screens that are all looked at. */
import { check } from './kit/command.ts';

await check(async function* (shutdown) {
  const { ensureBrowser } = await import('./kit/ensure-browser.ts');
  const { browserTests, build, unitTests } = await import('./kit/stages.ts');
  const { leaveTestCluster, testCluster } = await import('./kit/cluster.ts');

  const browser = ensureBrowser();
  browser.catch(() => {});
  const built = await build();
  yield built;
  await testCluster();
  shutdown.defer(leaveTestCluster);
  yield await unitTests('tests/long');
  await browser;
  if (built.failed === 0) yield await browserTests('long');
});
