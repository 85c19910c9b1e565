/** `bun run bench --only start`: how long a start takes that finds everything built and filled in, until its first page is there. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '#site/launch/root.ts';
import { environment } from '#tests/kit/environment.ts';
import { until } from '#tests/kit/until.ts';
import { median } from './processes.ts';

const port = 4425;

/** Prints the first start in a folder, which fills in the demo world, and the median of three more. */
export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-bench-'));
  try {
    const first = await timeStart(folder);
    const others = [await timeStart(folder), await timeStart(folder), await timeStart(folder)];
    console.log(`first start, until its first page              ${first.toFixed(1)} s`);
    console.log(`second start, until its first page             ${median(others).toFixed(1)} s   aim ≤ 3 s`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeStart(folder: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['site/start.ts'], {
    cwd: root,
    env: environment({ PORT: String(port), DATA_DIR: folder }),
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  try {
    await until(async () => {
      const answer = await fetch(`http://localhost:${port}/ko`).catch(() => undefined);
      return answer?.status === 200;
    }, 120_000);
    return (performance.now() - startedAt) / 1_000;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
