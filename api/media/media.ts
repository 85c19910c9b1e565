import { join, resolve } from 'node:path';
import { brandPicture, drawMark, drawPicture, type PictureOrder } from '#content/art/draw.ts';
import { RECIPES } from '#content/art/scene.ts';
import { log } from '#db/log.ts';
import { findDrawnStandIn, findMark, findPicture } from '#db/queries/media.ts';
import { config } from '../config.ts';
import { makeSlots } from '../slots.ts';
import { coverBox } from './crop.ts';
import { encode, type PictureFile, type PictureFormat } from './encode.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { loadSharp } from './load-sharp.ts';
import { PictureRefused } from './picture-refused.ts';
import { renderPicture } from './raster.ts';
import { sniff } from './sniff.ts';
import { StoreAway } from './store.ts';
import { readFileIfExists, writeAtomically } from './store-disk.ts';
import { readUpload } from './upload-sizes.ts';
import { aspectName, sizeOf } from './variants.ts';

const demoPictures = () => resolve('content/demo/pictures');
const madePictures = () => join(resolve(config().dataDir), 'media');

const remoteLimits = { maxBytes: 15 * 1024 * 1024, timeout: 10_000, headers: { accept: 'image/*' } };
/** More pixels than any photograph that we show; stops decompression bombs. */
const maxPixels = 50_000_000;

const inFlight = new Map<string, Promise<Uint8Array | undefined>>();
/** Drawing is slow and pages go first. A page has a few dozen pictures, of which some are still to be drawn. */
const drawing = makeSlots(2, 100);
/** Sources that may keep silent, or be in memory, at once. What is drawn waits for none of them. */
const fetching = makeSlots(8, 100);
/** Milliseconds for which a source that could not be had is not asked again. */
const sourcePause = 60_000;

/**
 * The bytes of an uploaded picture. While the store is away the drawn art of its star stands in for it, which `isStandIn` says.
 * `withdrawn`: it was taken down; `away`: nothing can stand in for it either; undefined: there is no such picture.
 */
export async function readUploadOrStandIn(
  file: PictureFile,
): Promise<{ bytes: Uint8Array; isStandIn: boolean } | 'withdrawn' | 'away' | undefined> {
  try {
    const bytes = await readUpload(file);
    return bytes instanceof Uint8Array ? { bytes, isStandIn: false } : bytes;
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    const bytes = await readPicture({ ...file, key: (await findDrawnStandIn(file.key)) ?? 'brand' });
    return bytes ? { bytes, isStandIn: true } : 'away';
  }
}

/**
 * The bytes of a picture (decision M3): the demo's own files, what was made before, else drawn by the art system or
 * fetched from its source, fitted to the asked size and kept in DATA_DIR. Undefined when there is no such picture; uploads come by
 * `readUploadOrStandIn`.
 * @throws FetchRefused, PictureRefused when the source of a remote picture cannot be fetched or is no picture
 */
export async function readPicture(file: PictureFile): Promise<Uint8Array | undefined> {
  const name = `${aspectName(file.aspect)}-${file.width}.${file.format}`;
  const path = join(madePictures(), file.key, name);
  const existing =
    (await readFileIfExists(join(demoPictures(), file.key, name))) ?? (await readFileIfExists(path));
  if (existing) return existing;
  const running = inFlight.get(path);
  if (running) return running;
  const work = makeAndKeep(file, path).finally(() => inFlight.delete(path));
  inFlight.set(path, work);
  return work;
}

async function makeAndKeep(file: PictureFile, path: string): Promise<Uint8Array | undefined> {
  const bytes = await makePicture(file);
  // On a full disk it is made anew for the next one who asks.
  if (bytes)
    await writeAtomically(path, bytes).catch((error: unknown) =>
      log.warn({ err: error }, 'a picture that was made cannot be kept'),
    );
  return bytes;
}

async function makePicture({ key, aspect, width, format }: PictureFile): Promise<Uint8Array | undefined> {
  const size = sizeOf(aspect, width);
  const raster = { ...size, format: format === 'jpg' ? ('jpeg' as const) : format };
  const drawn = await readFileIfExists(join(demoPictures(), key, `${aspectName(aspect)}-${width}.avif`));
  if (drawn) return drawing.run(async () => encode((await loadSharp())(drawn), format));
  if (key === 'brand') return drawing.run(() => renderPicture(brandPicture(sizeOf(aspect)), raster));
  const picture = await findPicture(key);
  if (!picture) return undefined;
  if (picture.sourceUrl) return fitRemote(picture.sourceUrl, size, format);
  const { art } = picture;
  const recipe = RECIPES.find((each) => each === art?.recipe);
  if (!art || !recipe) return undefined;
  const order: PictureOrder = { ...art, recipe, width: size.width, height: size.height };
  return drawing.run(() => renderPicture(drawPicture(order), raster));
}

/** A remote photograph cut to the box, the most telling part kept; http addresses are asked by https (§4). */
function fitRemote(
  sourceUrl: string,
  size: { width: number; height: number },
  format: PictureFormat,
): Promise<Uint8Array | undefined> {
  return fetching.run(async () => {
    const source = await readSource(sourceUrl.replace(/^http:/, 'https:'));
    return source && drawing.run(() => fit(source, size, format));
  });
}

async function fit(
  source: Uint8Array,
  size: { width: number; height: number },
  format: PictureFormat,
): Promise<Uint8Array> {
  try {
    return await encode(
      await coverBox(source, size, { limitInputPixels: maxPixels, failOn: 'error' }),
      format,
    );
  } catch {
    throw new PictureRefused('damaged');
  }
}

/** Sources that are being fetched, for all sizes that are asked for, and for a while those that could not be had. */
const sources = new Map<string, Promise<Uint8Array | undefined>>();

function readSource(address: string): Promise<Uint8Array | undefined> {
  const known = sources.get(address);
  if (known) return known;
  const work = fetchSource(address);
  sources.set(address, work);
  const forget = () => sources.delete(address);
  const forgetLater = () => setTimeout(forget, sourcePause).unref();
  work.then((bytes) => (bytes ? forget() : forgetLater()), forgetLater);
  return work;
}

/** @throws FetchRefused, PictureRefused */
async function fetchSource(address: string): Promise<Uint8Array | undefined> {
  const { status, body } = await guardedFetch(address, remoteLimits);
  if (status !== 200) return undefined;
  sniff(body);
  return body;
}

/** A star's round sign as SVG (look §6 mark): the demo's file, else drawn from the star; undefined for unknown stars. */
export async function readMark(slug: string): Promise<Uint8Array | undefined> {
  const demo = await readFileIfExists(join(demoPictures(), `star-${slug}-mark.svg`));
  if (demo) return demo;
  const star = await findMark(slug);
  if (!star) return undefined;
  return new TextEncoder().encode(drawMark(star, star.style));
}
