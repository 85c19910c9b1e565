import { spawn } from 'node:child_process';
import { root } from './root.ts';

export interface ProcessResult {
  code: number;
  output: string;
}

interface Options {
  env?: Record<string, string | undefined>;
  /** Its output goes to the terminal as it comes; otherwise it is only collected. */
  inheritOutput?: boolean;
  /** Milliseconds after which it is ended. */
  timeout?: number;
  onStart?(stop: () => void): void;
}

/** Runs a program in the project's folder to its end. A program that cannot be started ends with code 127. */
export function runProgram(
  command: readonly string[],
  { env, inheritOutput = false, timeout, onStart }: Options = {},
): Promise<ProcessResult> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: inheritOutput ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      timeout,
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
    onStart?.(() => child.kill('SIGTERM'));
  });
}

/** Runs a package's program with the Bun that runs us: Astro 7 needs a newer Node than machines with Node 20 have. */
export const bunx = (...args: string[]): string[] => [process.execPath, '--bun', 'x', ...args];
