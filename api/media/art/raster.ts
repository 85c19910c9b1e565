import sharp from 'sharp';

export type RasterFormat = 'avif' | 'webp' | 'jpeg' | 'png';

export type Raster = { readonly width: number; readonly height: number; readonly format: RasterFormat };

const ROOT_SIZE = /^(<svg [^>]*?)width="[\d.]+" height="[\d.]+"/;
/** More bytes for each pixel than this, and an AVIF is packed again with more patience and a little less quality. */
const FULL = 0.055;
const SMALL_ENOUGH = 16_000;

/**
 * Turns a drawn picture into pixels of exactly this size: AVIF at quality 55 (50 for the few pictures made of a thousand
 * dots), the others to match.
 * @throws Error from sharp when the SVG cannot be read.
 */
export async function renderPicture(svg: string, { width, height, format }: Raster): Promise<Buffer> {
  const sized = svg.replace(ROOT_SIZE, `$1width="${width}" height="${height}"`);
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
  const image = () => sharp(pixels, { raw: { width, height, channels: 3 } });
  const quick = await image().avif({ quality: 55, effort: 2 }).toBuffer();
  if (quick.length < SMALL_ENOUGH || quick.length < FULL * width * height) return quick;
  return image().avif({ quality: 50, effort: 4 }).toBuffer();
}
