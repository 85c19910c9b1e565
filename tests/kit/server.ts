import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#db/embedded/postmaster.ts';
import { root } from '#site/launch/root.ts';
import { cloneDatabase, leaveTestCluster, type World } from './cluster.ts';
import { environment } from './environment.ts';

export interface TestServer {
  /** Origin, such as `http://localhost:40123`. */
  url: string;
  databaseUrl: string;
  /** Its DATA_DIR, with the outbox. */
  folder: string;
  stop(): Promise<void>;
}

/**
 * The built site on a free port, as `bun start` runs it, with a database of its own.
 * @param settings environment variables besides PORT, DATA_DIR and DATABASE_URL
 */
export async function startTestServer({
  world = 'demo',
  settings = {},
}: {
  world?: World;
  settings?: Record<string, string>;
} = {}): Promise<TestServer> {
  const database = await cloneDatabase(world);
  const folder = await mkdtemp(join(tmpdir(), 'byeol-server-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['site/start.ts'], {
    cwd: root,
    env: environment({ ...settings, PORT: String(port), DATA_DIR: folder, DATABASE_URL: database.url }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + 90_000;
  while (child.exitCode === null && Date.now() < deadline) {
    if ((await statusOf(`${url}/readyz`)) === 200) return { url, databaseUrl: database.url, folder, stop };
    await Bun.sleep(25);
  }
  await stop();
  await leaveTestCluster();
  throw new Error(`the built server did not start:\n${output}`);
}

async function statusOf(address: string): Promise<number> {
  try {
    return (await fetch(address)).status;
  } catch {
    return 0;
  }
}
