import sharp from 'sharp';

export type RasterFormat = 'avif' | 'webp' | 'jpeg' | 'png';

export type Raster = { readonly width: number; readonly height: number; readonly format: RasterFormat };

const ROOT_SIZE = /^(<svg [^>]*?)width="[\d.]+" height="[\d.]+"/;

/**
 * Turns a drawn picture into pixels of exactly this size, AVIF at quality 55 and the others to match.
 * @throws Error from sharp when the SVG cannot be read.
 */
export async function renderPicture(svg: string, { width, height, format }: Raster): Promise<Buffer> {
  const sized = svg.replace(ROOT_SIZE, `$1width="${width}" height="${height}"`);
  const image = sharp(Buffer.from(sized)).removeAlpha().resize(width, height, { fit: 'fill' });
  switch (format) {
    case 'avif':
      return image.avif({ quality: 55, effort: 4 }).toBuffer();
    case 'webp':
      return image.webp({ quality: 80, smartSubsample: true }).toBuffer();
    case 'jpeg':
      return image.jpeg({ quality: 82, mozjpeg: true }).toBuffer();
    case 'png':
      return image.png().toBuffer();
  }
}
