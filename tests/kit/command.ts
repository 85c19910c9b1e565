import { explain } from '#site/launch/failure.ts';
import { continueInNewProcess, ensureInstalled } from '#site/launch/install.ts';
import { launchers, watchLaunchers } from '#site/launch/launchers.ts';
import { root } from '#site/launch/root.ts';
import { Shutdown } from '#site/launch/shutdown.ts';
import { printLine } from '#site/launch/terminal.ts';
import type { Count } from './stages.ts';
import { type Failure, type FileTime, linesOfFailures, slowest } from './summary.ts';

/**
 * Runs stages of the checks on a fresh clone and ends with one line that counts them all; code 1 when one failed or
 * nothing ran. Imports no package: `stages` imports what needs them.
 */
export async function check(stages: (shutdown: Shutdown) => AsyncIterable<Count>): Promise<never> {
  process.chdir(root);
  const shutdown = new Shutdown();
  const total: Count = { passed: 0, failed: 0 };
  const times: FileTime[] = [];
  const wrong: Failure[] = [];
  try {
    if (await ensureInstalled()) await continueInNewProcess();
    shutdown.listen(130);
    watchLaunchers(launchers(), () => shutdown.end(1));
    for await (const { passed, failed, files = [], failures = [] } of stages(shutdown)) {
      total.passed += passed;
      total.failed += failed;
      times.push(...files);
      wrong.push(...failures);
    }
  } catch (error) {
    explain(error, '.data');
    total.failed += 1;
  }
  await shutdown.cleanUp();
  if (times.length > 0) printLine(['\n  The slowest files:', ...slowest(times)].join('\n'));
  // At the end, because a long record of CI is often kept by its last lines.
  if (wrong.length > 0) printLine(['\n  What failed:', ...linesOfFailures(wrong)].join('\n'));
  printLine(`\n${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
}
