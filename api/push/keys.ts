import { link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeSynced } from '#db/durable-file.ts';
import { StartupError } from '#db/embedded/startup-error.ts';
import { codeOf } from '#db/error-code.ts';
import { log } from '#db/log.ts';
import { type Config, config } from '../config.ts';
import { keysOfText, type VapidKeys } from './read-keys.ts';

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

/**
 * Keys that were ours before: the settings', and those that lie in DATA_DIR as `vapid-….json`. A push service takes from a browser's
 * subscription what is signed by the key that it was made with alone, and that lasts until the browser renews it.
 */
export async function formerVapidKeys(): Promise<VapidKeys[]> {
  const { formerVapid, dataDir } = config();
  const { publicKey: current } = await vapidKeys();
  const names = await readdir(dataDir).catch(() => []);
  const kept = await Promise.all(
    names
      .filter((name) => /^vapid(-.+)?\.json$/.test(name))
      .map((name) =>
        readIfThere(join(dataDir, name)).catch((error: unknown) => {
          // The others are keys all the same.
          log.warn({ err: error, file: name }, 'former keys of web push cannot be read: they are left out');
          return undefined;
        }),
      ),
  );
  return [...formerVapid, ...kept].flatMap((keys) => (keys && keys.publicKey !== current ? [keys] : []));
}

/**
 * The same keys, but none are made: undefined where there are none yet.
 * @throws StartupError when their file is damaged
 */
export async function findVapidKeys(
  { vapid, dataDir }: Pick<Config, 'vapid' | 'dataDir'> = config(),
): Promise<VapidKeys | undefined> {
  return vapid ?? readIfThere(fileOf(dataDir));
}

/**
 * Puts keys of a backup into DATA_DIR. Others that were there may be those of a site that goes on.
 * @returns where these are now; undefined: there were none
 */
export async function restoreVapidKeys(keys: VapidKeys): Promise<string | undefined> {
  const { dataDir } = config();
  const before = await readIfThere(fileOf(dataDir));
  if (before?.publicKey === keys.publicKey) return undefined;
  const kept = before && join(dataDir, `vapid-${before.publicKey.slice(0, 12)}.json`);
  if (kept) await linkOnce(fileOf(dataDir), kept);
  await rename(await writeDraft(dataDir, keys), fileOf(dataDir));
  keysByFolder.delete(dataDir);
  return kept;
}

/** The library is loaded by who needs it: a process of the site that neither makes keys nor sends has no use for it. */
const generateKeys = async () => (await import('web-push')).default.generateVAPIDKeys();

const fileOf = (dataDir: string) => join(dataDir, 'vapid.json');

async function keysOf(dataDir: string): Promise<VapidKeys> {
  const file = fileOf(dataDir);
  const existing = await readIfThere(file);
  if (existing) return existing;
  const draft = await writeDraft(dataDir, await generateKeys());
  try {
    // Of two processes that start at once the first one's keys stay: browsers are bound to them.
    await linkOnce(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return read(file);
}

async function linkOnce(file: string, also: string): Promise<void> {
  try {
    await link(file, also);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** @returns the path of the draft, which is on the disk */
async function writeDraft(dataDir: string, keys: VapidKeys): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${fileOf(dataDir)}.${process.pid}.part`;
  await writeSynced(draft, JSON.stringify(keys));
  return draft;
}

async function readIfThere(file: string): Promise<VapidKeys | undefined> {
  try {
    return await read(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws StartupError */
async function read(file: string): Promise<VapidKeys> {
  const keys = keysOfText(await readFile(file, 'utf8'));
  if (!keys)
    throw new StartupError(
      `${resolve(file)} has no keys of web push that can be read: put it back from a backup, or move it away to have new ones made, which browsers take when their owner opens the profile.`,
    );
  return keys;
}
