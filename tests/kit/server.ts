import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#db/embedded/postmaster.ts';
import { root } from '#site/launch/root.ts';
import { cloneDatabase, leaveTestCluster, type World } from './cluster.ts';
import { environment, sharedPictures } from './environment.ts';

export interface TestServer {
  /** Origin, such as `http://localhost:40123`. */
  url: string;
  databaseUrl: string;
  /** Of what was started: the server, or who watches over several. */
  pid: number;
  /** Its DATA_DIR, with the outbox. */
  folder: string;
  /** What it has written so far. */
  output(): string;
  /** Tells it to stop; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Ends it at once, as a lack of memory or a machine that fails would. */
  kill(): Promise<number | null>;
}

/**
 * The built site on a free port, as `bun start` runs it, with a database of its own unless it is given one.
 * @param settings environment variables besides DATA_DIR and DATABASE_URL
 */
export async function startTestServer({
  world = 'demo',
  settings = {},
  databaseUrl,
}: {
  world?: World;
  settings?: Record<string, string>;
  databaseUrl?: string;
} = {}): Promise<TestServer> {
  const database = databaseUrl
    ? { url: databaseUrl, drop: () => Promise.resolve() }
    : await cloneDatabase(world);
  const folder = await mkdtemp(join(tmpdir(), 'byeol-server-'));
  // Drawing a picture takes up to seconds: the servers of one run draw each of the demo's once.
  const pictures = sharedPictures();
  if (world === 'demo' && pictures) await symlink(pictures, join(folder, 'media'));
  const port = Number(settings.PORT ?? (await freePort()));
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['site/start.ts'], {
    cwd: root,
    // Tests write rows that no page is told of: what a page was a while ago must not come back.
    env: environment({
      PAGE_STORE_MB: '0',
      // Nobody is in front who has to see that it leaves.
      DRAIN_SECONDS: '0',
      ...settings,
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: database.url,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    const code = await ended;
    await database.drop();
    await rm(folder, { recursive: true, force: true });
    return code;
  };
  const stop = () => end('SIGTERM');
  const deadline = Date.now() + 150_000;
  while (child.exitCode === null && Date.now() < deadline) {
    if ((await statusOf(`${url}/readyz`)) === 200)
      return {
        url,
        databaseUrl: database.url,
        pid: child.pid ?? 0,
        folder,
        output: () => output,
        stop,
        kill: () => end('SIGKILL'),
      };
    await Bun.sleep(25);
  }
  await stop();
  if (!databaseUrl) await leaveTestCluster();
  throw new Error(`the built server did not start:\n${output}`);
}

async function statusOf(address: string): Promise<number> {
  try {
    return (await fetch(address)).status;
  } catch {
    return 0;
  }
}
