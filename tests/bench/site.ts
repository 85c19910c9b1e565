import { spawn } from 'node:child_process';
import { listProcesses, parentOf } from '#db/embedded/processes.ts';
import { root } from '#site/launch/root.ts';
import { environment } from '#tests/kit/environment.ts';
import { until } from '#tests/kit/until.ts';

/** So many processes of the built site behind one port, as `bun run start --processes` has them. */
export async function startSite(port: number, count: number, settings: Record<string, string>) {
  const child = spawn(process.execPath, ['site/start.ts', '--processes', String(count)], {
    cwd: root,
    env: environment({ ...settings, PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const occurrences = (words: string) => output.split(words).length - 1;
  const oneMore = async (words: string, action: () => void) => {
    const before = occurrences(words);
    action();
    await until(() => occurrences(words) > before, 120_000);
  };
  const serving = () => listProcesses().filter((pid) => parentOf(pid) === child.pid);
  await until(() => output.includes('All processes serve'), 60_000);
  return {
    /** Ids of the processes that serve. */
    serving,
    restart: () => oneMore('All are restarted', () => child.kill('SIGHUP')),
    killOne: () =>
      oneMore('serves again', () => {
        const [victim] = serving();
        if (victim) process.kill(victim, 'SIGKILL');
      }),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
