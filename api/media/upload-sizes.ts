import type { Sharp } from 'sharp';
import { log } from '#db/log.ts';
import { findPicture } from '#db/queries/media.ts';
import { makeSlots } from '../slots.ts';
import { store } from './choose-store.ts';
import { coverBox, partOf } from './crop.ts';
import { encode, type PictureFile } from './encode.ts';
import { loadSharp } from './load-sharp.ts';
import { maxPixels, originalPath, PictureUnusable, StoreAway } from './store.ts';
import { aspectName, sizeOf } from './variants.ts';

/** The sizes in which pages show an upload, cut from its original. */

/** The newest first, as what is drawn: who asks for every size of every picture keeps nobody out who asks for one. */
const cutting = makeSlots(2, 100);

/** The private original of an upload; undefined when the store has none. @throws StoreAway */
export function readOriginal(key: string): Promise<Uint8Array | undefined> {
  return store().read(originalPath(key));
}

const inFlight = new Map<string, Promise<Uint8Array>>();

/**
 * The bytes of one size of an upload: what any process made before, else cut from the original around what must stay in sight.
 * `withdrawn`: it was taken down; undefined: there is none. Asked anew each time, so that a withdrawal is seen at once by all.
 * @throws StoreAway; also when the original is lost or damaged, so that a page shows the drawn art
 */
export async function readUpload(file: PictureFile): Promise<Uint8Array | 'withdrawn' | undefined> {
  const picture = await findPicture(file.key);
  if (!picture?.uploadHash) return undefined;
  if (picture.withdrawnAt) return 'withdrawn';
  const focus = focusOf(picture);
  const name = `${aspectName(file.aspect)}-${file.width}-${focus ? `${focus.x}x${focus.y}` : 'auto'}.${file.format}`;
  const path = `${file.key}/${name}`;
  const existing = await store().read(path);
  if (existing) return existing;
  const running = inFlight.get(path);
  if (running) return running;
  const work = cutting.run(() => makeSize(file, focus));
  inFlight.set(path, work);
  keepSize(path, work).finally(() => inFlight.delete(path));
  return work;
}

/** No reader waits for it. What cannot be kept, of which the store tells the log, is cut anew for the next one who asks. */
async function keepSize(path: string, work: Promise<Uint8Array>): Promise<void> {
  try {
    await store().write(path, await work);
  } catch {}
}

interface Focus {
  x: number;
  y: number;
}

/** Thousandths stand in the names of sizes: another focus is another file. */
function focusOf({ focusX, focusY }: { focusX: number | null; focusY: number | null }): Focus | undefined {
  if (focusX === null || focusY === null) return undefined;
  return { x: Math.round(focusX * 1000), y: Math.round(focusY * 1000) };
}

/** Milliseconds for which an original that was found damaged is not read again: pages ask for many sizes of it. */
const damagedPause = 60_000;
const damaged = new Set<string>();

/** An original that was written anew is read again at once. */
export const forgetDamage = (key: string): void => void damaged.delete(key);

const damagedError = (key: string) => new PictureUnusable(`the original of ${key} is damaged`);

/** Whether it was the machine that had too little memory: what was to be read may be whole. */
const isOfMemory = (error: unknown): boolean => error instanceof Error && /memory|alloc/i.test(error.message);

async function makeSize(file: PictureFile, focus: Focus | undefined): Promise<Uint8Array> {
  if (damaged.has(file.key)) throw damagedError(file.key);
  const original = await readOriginal(file.key);
  if (!original) throw new PictureUnusable(`the original of ${file.key} is not there`);
  try {
    return await encode(await cut(original, file, focus), file.format);
  } catch (error) {
    if (isOfMemory(error)) {
      log.error({ err: error, key: file.key }, 'a size of a picture could not be made');
      throw new StoreAway(error);
    }
    if (!damaged.has(file.key)) {
      damaged.add(file.key);
      setTimeout(() => damaged.delete(file.key), damagedPause).unref();
      log.error({ err: error, key: file.key }, 'the original of a picture is damaged');
    }
    throw damagedError(file.key);
  }
}

/**
 * The largest part of this shape. It lies as CSS's `object-position` would put it, so that the editor's previews are exact: the
 * focus is as far from the edges of the part as from those of the whole, and always in it.
 */
async function cut(
  original: Uint8Array,
  { aspect, width }: PictureFile,
  focus: Focus | undefined,
): Promise<Sharp> {
  const size = sizeOf(aspect, width);
  const options = { limitInputPixels: maxPixels };
  if (!focus) return coverBox(original, size, options);
  const sharp = await loadSharp();
  const whole = await sharp(original, options).metadata();
  const part = partOf(whole, size);
  const left = Math.round(((whole.width - part.width) * focus.x) / 1000);
  const top = Math.round(((whole.height - part.height) * focus.y) / 1000);
  return sharp(original, options)
    .extract({ left, top, ...part })
    .resize(size.width, size.height, { fit: 'fill' });
}
