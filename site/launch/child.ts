import { spawn } from 'node:child_process';
import { root } from './root.ts';

export interface Ended {
  code: number;
  output: string;
}

interface Options {
  env?: Record<string, string | undefined>;
  /** Its output goes to the terminal as it comes; otherwise it is only collected. */
  shown?: boolean;
  /** Milliseconds after which it is ended. */
  limit?: number;
  onStart?(stop: () => void): void;
}

/** Runs a program in the project's folder to its end. A program that cannot be started ends with code 127. */
export function run(
  command: readonly string[],
  { env, shown = false, limit, onStart }: Options = {},
): Promise<Ended> {
  const [file = '', ...args] = command;
  return new Promise((done) => {
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: shown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      timeout: limit,
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => done({ code: 127, output: error.message }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
    onStart?.(() => child.kill('SIGTERM'));
  });
}

/** Runs a package's program with the Bun that runs us: Astro 7 needs a newer Node than machines with Node 20 have. */
export const bunx = (...args: string[]): string[] => [process.execPath, '--bun', 'x', ...args];
