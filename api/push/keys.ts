import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import webpush from 'web-push';
import { config } from '../config.ts';

interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const keysByFolder = new Map<string, Promise<VapidKeys>>();

/** The keys by which push services know us: the settings', else those of DATA_DIR, made on first use. */
export function vapidKeys(): Promise<VapidKeys> {
  const { vapid, dataDir } = config();
  if (vapid) return Promise.resolve(vapid);
  const cached = keysByFolder.get(dataDir);
  if (cached) return cached;
  const loading = keysOf(dataDir);
  keysByFolder.set(dataDir, loading);
  loading.catch(() => keysByFolder.delete(dataDir));
  return loading;
}

async function keysOf(dataDir: string): Promise<VapidKeys> {
  const file = join(dataDir, 'vapid.json');
  try {
    return await read(file);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}.part`;
  const handle = await open(draft, 'w', 0o600);
  await handle.writeFile(JSON.stringify(webpush.generateVAPIDKeys()));
  await handle.sync();
  await handle.close();
  try {
    // Of two processes that start at once the first one's keys stay: browsers are bound to them.
    await link(draft, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return read(file);
}

async function read(file: string): Promise<VapidKeys> {
  const { publicKey, privateKey }: Partial<VapidKeys> = JSON.parse(await readFile(file, 'utf8'));
  if (!publicKey || !privateKey) throw new Error(`${file} has no keys: remove it to have new ones made.`);
  return { publicKey, privateKey };
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;
