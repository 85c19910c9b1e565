import { loadSharp } from './load-sharp.ts';

type RasterFormat = 'avif' | 'webp' | 'jpeg' | 'png';

type Raster = { readonly width: number; readonly height: number; readonly format: RasterFormat };

const ROOT_SIZE = /^(<svg [^>]*?)width="[\d.]+" height="[\d.]+"/;
/** Pixels of the largest hero picture of a phone. */
const PHONE = 720 * 800;
/** What a connection carries before its first acknowledgement, less the headers: a hero within it comes a round trip sooner. */
const FIRST_ROUND_TRIP = 13_500;
/** More bytes for each pixel than this, and a larger AVIF is packed again with more patience and a little less quality. */
const FULL = 0.055;
const SMALL_ENOUGH = 16_000;
const QUALITIES = [50, 42, 35];

/**
 * Turns a drawn picture into pixels of exactly this size: AVIF at quality 55 (less for the few made of a thousand
 * dots, and for a phone's hero that would take two round trips: at twice the density nobody sees it), the others to match.
 * @throws Error from sharp when the SVG cannot be read.
 */
export async function renderPicture(svg: string, { width, height, format }: Raster): Promise<Buffer> {
  const sized = svg.replace(ROOT_SIZE, `$1width="${width}" height="${height}"`);
  const sharp = await loadSharp();
  const image = sharp(Buffer.from(sized)).removeAlpha().resize(width, height, { fit: 'fill' });
  switch (format) {
    case 'avif':
      return avif(await image.raw().toBuffer(), width, height);
    case 'webp':
      return image.webp({ quality: 80, smartSubsample: true }).toBuffer();
    case 'jpeg':
      return image.jpeg({ quality: 82, mozjpeg: true }).toBuffer();
    case 'png':
      return image.png().toBuffer();
  }
}

async function avif(pixels: Buffer, width: number, height: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const image = () => sharp(pixels, { raw: { width, height, channels: 3 } });
  const limit = width * height <= PHONE ? FIRST_ROUND_TRIP : Math.max(SMALL_ENOUGH, FULL * width * height);
  let packed = await image().avif({ quality: 55, effort: 2 }).toBuffer();
  for (const quality of width * height <= PHONE ? QUALITIES : QUALITIES.slice(0, 1)) {
    if (packed.length < limit) break;
    packed = await image().avif({ quality, effort: 4 }).toBuffer();
  }
  return packed;
}
