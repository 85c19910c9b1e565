import type { Subprocess } from 'bun';
import type { LoadPlan, LoadResult } from './load.ts';

const scriptPath = (file: string) => new URL(file, import.meta.url).pathname;

export type Child = Subprocess<'ignore', 'pipe', 'inherit'>;

/** Starts a script of this folder and waits until it says that it is ready. */
export async function start(file: string, ...args: string[]): Promise<Child> {
  const child = Bun.spawn([process.execPath, scriptPath(file), ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  for (let output = ''; !output.includes('ready'); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${file} ended before it was ready`);
    output += decoder.decode(value);
  }
  reader.releaseLock();
  return child;
}

export async function stop(child: Child): Promise<void> {
  child.kill('SIGTERM');
  await child.exited;
}

/** One measured load, in a process of its own so that generator and server do not share a core's time slice. */
export async function measure(plan: LoadPlan): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, scriptPath('./load.ts')], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return JSON.parse(await new Response(child.stdout).text());
}

/** A script of this folder that takes its plan as a line, says `ready`, works until another line comes, and prints what it saw. */
export async function begin<Plan, Result>(file: string, plan: Plan) {
  const child = Bun.spawn([process.execPath, scriptPath(file)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let output = '';
  const until = async (marker: string) => {
    while (!output.includes(marker)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`${file} ended`);
      output += decoder.decode(value, { stream: true });
    }
  };
  child.stdin.write(`${JSON.stringify(plan)}\n`);
  await child.stdin.flush();
  await until('ready\n');
  return {
    pid: child.pid,
    /** @param last words of the line that ends its work */
    async finish(last = ''): Promise<Result> {
      child.stdin.write(`${last}\n`);
      await child.stdin.end();
      await until('}\n');
      await child.exited;
      return JSON.parse(output.slice(output.indexOf('{')));
    },
  };
}

/** Resident memory of a process in megabytes, from the kernel. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Processor time that a process has used, in milliseconds: unlike latency it hardly depends on what else the machine does. */
export async function processorOf(pid: number): Promise<number> {
  const [, , , , , , , , , , , , , user, system] = (await Bun.file(`/proc/${pid}/stat`).text()).split(' ');
  // The kernel counts in hundredths of a second.
  return (Number(user) + Number(system)) * 10;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
