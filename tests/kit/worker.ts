import { type ChildProcess, spawn } from 'node:child_process';
import { root } from '#site/launch/root.ts';
import { environment } from './environment.ts';
import { until } from './until.ts';

export interface Worker {
  process: ChildProcess;
  output(): string;
  /** Ends it with a signal and answers its exit code, null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** `bun run worker` for a database, once it runs. */
export async function startWorker(
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<Worker> {
  const child = spawn(process.execPath, ['site/worker.ts'], {
    cwd: root,
    env: environment({ ...settings, DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the worker ended:\n${output}`);
    return output.includes('The worker runs');
  }, 60_000);
  return {
    process: child,
    output: () => output,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
