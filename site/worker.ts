/**
 * `bun run worker`: runs the jobs (newsroom, mail, reminders) in a process of its own, for the database of the app. Any
 * number of workers may run; with `JOBS=off` the app itself runs none.
 */
import { isToRun } from '#api/command-help.ts';
import { dataDirOf, getConfig } from '#api/config.ts';
import { reportMisspelt } from '#api/misspelt-settings.ts';
import { explain } from './launch/failure.ts';
import { continueInNewProcess, ensureInstalled } from './launch/install.ts';
import { root } from './launch/root.ts';
import { Shutdown } from './launch/shutdown.ts';
import { printLine } from './launch/terminal.ts';

const help = `bun run worker
Runs the jobs of the site (newsroom, letters, reminders) in a process of its own until a signal ends it. Its settings are those of the site,
whose database it uses. Any number of workers may run; with JOBS=off the site itself runs no jobs.
`;

if (isToRun(process.argv.slice(2), help)) await runWorker();

async function runWorker(): Promise<void> {
  process.env.NODE_ENV ??= 'production';
  process.chdir(root);
  const shutdown = new Shutdown();
  try {
    const config = getConfig(process.env);
    reportMisspelt(process.env, (sentence) => printLine(`  ${sentence}`));
    if (await ensureInstalled()) await continueInNewProcess();
    shutdown.listen();
    const { work } = await import('./launch/work.ts');
    await work(config, shutdown);
  } catch (error) {
    if (!shutdown.began) {
      explain(error, dataDirOf(process.env));
      await shutdown.end(1);
    }
  }
}
