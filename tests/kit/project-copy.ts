import { expect } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#db/embedded/postmaster.ts';
import { buildSources, ensureBuilt } from '#site/launch/build.ts';
import { root } from '#site/launch/root.ts';
import { environment } from './environment.ts';

/** A command of a copy of the project that runs. */
export interface Start {
  process: ChildProcess;
  output(): string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Resolves with the seconds from the beginning to the first page. */
  served(): Promise<number>;
  end(): Promise<void>;
}

/** The built project in a folder of its own, with data of its own. */
export interface ProjectCopy {
  folder: string;
  port: number;
  /** `bun start` in it, or any other of its commands, or another program that starts it. */
  start(settings?: Record<string, string>, command?: string[], program?: string): Start;
  /** The one sentence that a failed start says, and nothing else. */
  refusal(settings: Record<string, string>): Promise<string>;
  /** The status of a page of the site that it serves; 0 when none answers. */
  statusOf(path: string, host?: string): Promise<number>;
  /** Ends what still runs of it. */
  endAll(): Promise<void>;
  remove(): Promise<void>;
}

/** A copy of the project as it is built, in a folder that only its owner may enter, like those of mktemp and /root. */
export async function copyProject(): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-start-'));
  await ensureBuilt();
  // All of them: one that were missing would have the copy build anew, into the folder from which others serve.
  for (const part of [...buildSources, 'bunfig.toml'])
    await cp(join(root, part), join(folder, part), { recursive: true });
  for (const part of ['node_modules', 'dist']) await symlink(join(root, part), join(folder, part));
  const port = await freePort();
  const running = new Set<Start>();

  const statusOf = async (path: string, host = 'localhost') => {
    try {
      return (await fetch(`http://${host}:${port}${path}`, { redirect: 'manual' })).status;
    } catch {
      return 0;
    }
  };

  const start = (
    settings: Record<string, string> = {},
    command: string[] = ['start'],
    program = process.execPath,
  ): Start => {
    const began = performance.now();
    const child = spawn(program, command, {
      cwd: folder,
      env: environment({ PORT: String(port), ...settings }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const self: Start = {
      process: child,
      output: () => output,
      ended,
      async served() {
        const deadline = performance.now() + 150_000;
        while (performance.now() < deadline && child.exitCode === null) {
          if (output.includes('is running at') && (await statusOf('/ko')) === 200)
            return (performance.now() - began) / 1000;
          await Bun.sleep(10);
        }
        throw new Error(`the site did not come up:\n${output}`);
      },
      async end() {
        child.kill('SIGTERM');
        await ended;
      },
    };
    running.add(self);
    void ended.then(() => running.delete(self));
    return self;
  };

  return {
    folder,
    port,
    start,
    async refusal(settings) {
      const failed = start(settings);
      expect(await failed.ended).toBe(1);
      const text = failed.output().trim();
      expect(text).not.toMatch(/\n\s+at |Error:|node_modules/);
      expect(text).not.toContain('\n');
      return text;
    },
    statusOf,
    async endAll() {
      for (const each of running) await each.end();
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
