import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { freePort } from '#db/embedded/postmaster.ts';
import { runProgram } from '#site/launch/child.ts';
import { step } from '#site/launch/terminal.ts';
import { servePubSub } from './pub-sub.ts';

const minutes = 60_000;
const find = () => Bun.which('valkey-server') ?? Bun.which('redis-server') ?? undefined;

export interface TestBus {
  url: string;
  /** What speaks at that address. */
  program: string;
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

/**
 * A Valkey or Redis server on a free port: the system's, else Debian's package where we are root. Where none can be had, the
 * few commands of the bus are answered by our own program, which speaks the same protocol.
 */
export async function startBus(): Promise<TestBus> {
  const program = find() ?? (await install());
  const port = await freePort();
  let stop = async () => {};
  const bus: TestBus = {
    url: `redis://127.0.0.1:${port}`,
    program: program ?? 'our own program',
    kill: () => stop(),
    async start() {
      stop = program ? await launch(program, port) : servePubSub(port);
    },
  };
  await bus.start();
  return bus;
}

async function install(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) return undefined;
  await step('Installing Debian’s redis-server', async () => {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await runProgram(['apt-get', 'update', '-q'], { env, timeout: 2 * minutes });
    await runProgram(['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'redis-server'], {
      env,
      timeout: 3 * minutes,
    });
  });
  return find();
}

async function launch(program: string, port: number): Promise<() => Promise<void>> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, settings, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const deadline = Date.now() + 60_000;
  while (!(await answers(port))) {
    if (Date.now() > deadline) throw new Error(`${program} does not start`);
    await Bun.sleep(20);
  }
  return () => end(child, ended);
}

async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
