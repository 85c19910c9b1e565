import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { brandPicture, drawMark, drawPicture, type PictureOrder } from '#content/art/draw.ts';
import { RECIPES } from '#content/art/scene.ts';
import { findMark, findPicture } from '#db/queries/media.ts';
import { config } from '../config.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { renderPicture } from './raster.ts';
import { type Aspect, aspectName, sizeOf } from './variants.ts';

export const pictureFormats = ['avif', 'webp', 'jpg', 'png'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** One file of the image route: `/media/{key}/{aspect}-{width}.{format}`. */
interface PictureFile {
  key: string;
  aspect: Aspect;
  width: number;
  format: PictureFormat;
}

const demoPictures = () => resolve('content/demo/pictures');
const madePictures = () => join(resolve(config().dataDir), 'media');

const remoteLimits = { maxBytes: 15 * 1024 * 1024, timeout: 10_000, headers: { accept: 'image/*' } };
/** More pixels than any photograph that we show; stops decompression bombs. */
const maxPixels = 50_000_000;

const inFlight = new Map<string, Promise<Uint8Array | undefined>>();
let freeSlots = 2;
const waitingForSlot: (() => void)[] = [];

/** At most two pictures are made at a time: drawing is slow and pages go first. */
async function withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (freeSlots > 0) freeSlots -= 1;
  else await new Promise<void>((next) => waitingForSlot.push(next));
  try {
    return await work();
  } finally {
    const next = waitingForSlot.shift();
    if (next) next();
    else freeSlots += 1;
  }
}

async function readFileIfExists(path: string): Promise<Uint8Array | undefined> {
  const file = Bun.file(path);
  return (await file.exists()) ? file.bytes() : undefined;
}

/**
 * The bytes of a picture (decision M3): the demo's own files, what was made before, else drawn by the art system or
 * fetched from its source, fitted to the asked size and kept in DATA_DIR. Undefined when there is no such picture.
 * @throws FetchRefused when the source of a remote picture cannot be fetched
 */
export async function readPicture(file: PictureFile): Promise<Uint8Array | undefined> {
  const name = `${aspectName(file.aspect)}-${file.width}.${file.format}`;
  const path = join(madePictures(), file.key, name);
  const existing =
    (await readFileIfExists(join(demoPictures(), file.key, name))) ?? (await readFileIfExists(path));
  if (existing) return existing;
  const running = inFlight.get(path);
  if (running) return running;
  const work = withSlot(async () => {
    const bytes = await makePicture(file);
    if (bytes) await writeAtomically(path, bytes);
    return bytes;
  }).finally(() => inFlight.delete(path));
  inFlight.set(path, work);
  return work;
}

/** Writes beside and renames, so that a reader or a crash never meets half a picture. */
async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const temporaryPath = `${path}.${process.pid}.${crypto.randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(temporaryPath, bytes);
  await rename(temporaryPath, path);
}

async function makePicture({ key, aspect, width, format }: PictureFile): Promise<Uint8Array | undefined> {
  const size = sizeOf(aspect, width);
  const raster = { ...size, format: format === 'jpg' ? ('jpeg' as const) : format };
  const drawn = await readFileIfExists(join(demoPictures(), key, `${aspectName(aspect)}-${width}.avif`));
  if (drawn) return encode(sharp(drawn), format);
  if (key === 'brand') return renderPicture(brandPicture(sizeOf(aspect)), raster);
  const picture = await findPicture(key);
  if (!picture) return undefined;
  if (picture.sourceUrl) return fitRemote(picture.sourceUrl, size, format);
  const { art } = picture;
  const recipe = RECIPES.find((each) => each === art?.recipe);
  if (!art || !recipe) return undefined;
  const order: PictureOrder = { ...art, recipe, width: size.width, height: size.height };
  return renderPicture(drawPicture(order), raster);
}

function encode(image: Sharp, format: PictureFormat): Promise<Uint8Array> {
  switch (format) {
    case 'avif':
      return image.avif({ quality: 55, effort: 2 }).toBuffer();
    case 'webp':
      return image.webp({ quality: 80, smartSubsample: true }).toBuffer();
    case 'jpg':
      return image.jpeg({ quality: 82, mozjpeg: true }).toBuffer();
    case 'png':
      return image.png().toBuffer();
  }
}

/** A remote photograph cut to the box, the most telling part kept; http addresses are asked by https (§4). */
async function fitRemote(
  sourceUrl: string,
  size: { width: number; height: number },
  format: PictureFormat,
): Promise<Uint8Array | undefined> {
  const answer = await guardedFetch(sourceUrl.replace(/^http:/, 'https:'), remoteLimits);
  if (answer.status !== 200) return undefined;
  const image = sharp(answer.body, { limitInputPixels: maxPixels, failOn: 'error' })
    .rotate()
    .resize(size.width, size.height, { fit: 'cover', position: 'attention' });
  return encode(image, format);
}

/** A star's round sign as SVG (look §6 mark): the demo's file, else drawn from the star; undefined for unknown stars. */
export async function readMark(slug: string): Promise<Uint8Array | undefined> {
  const demo = await readFileIfExists(join(demoPictures(), `star-${slug}-mark.svg`));
  if (demo) return demo;
  const star = await findMark(slug);
  if (!star) return undefined;
  return new TextEncoder().encode(drawMark(star, star.style));
}
