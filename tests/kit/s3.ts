import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** A real S3 server on loopback, which can be stopped and comes back at the same port with what it had. */
export interface TestStore {
  /** As `STORAGE_URL`. */
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  remove(): Promise<void>;
}

export async function startStore(bucket = 'pictures'): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), 'byeol-s3-'));
  const make = (port: number) =>
    new S3rver({ address: '127.0.0.1', port, directory, silent: true, configureBuckets: [{ name: bucket }] });
  let server = make(0);
  const { port } = await server.run();
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await server.close();
    isRunning = false;
  };
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}?region=us-east-1&tls=off`,
    stop,
    async start() {
      server = make(port);
      await server.run();
      isRunning = true;
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
