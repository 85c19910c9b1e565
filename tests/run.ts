/** `bun run test`: everything but the long runs (`bun run test-long`), on a fresh clone, with one line at its end. */
import { check } from './kit/command.ts';

await check(async function* (shutdown) {
  const { ensureBrowser } = await import('./kit/ensure-browser.ts');
  const { browserTests, build, lint, types, unitTests } = await import('./kit/stages.ts');
  const { leaveTestCluster, testCluster } = await import('./kit/cluster.ts');

  // A package is mostly waited for: it comes while the other stages run, and what went wrong with it is told when it is needed.
  const browser = ensureBrowser();
  browser.catch(() => {});
  yield await lint();
  const built = await build();
  yield built;
  // Held from here to the end, so that the stages share one PostgreSQL instead of starting it again.
  await testCluster();
  shutdown.defer(leaveTestCluster);
  // Checking types keeps one core busy for half a minute, and tests wait for a database or another process half of their time.
  const typed = types();
  yield await unitTests('tests/db', 'tests/api', 'tests/site', 'tests/rules');
  yield await typed;
  await browser;
  if (built.failed === 0) yield await browserTests('e2e');
});
