import type { Sharp, SharpOptions } from 'sharp';
import { loadSharp } from './load-sharp.ts';

interface Size {
  width: number;
  height: number;
}

/**
 * Pixels to which a whole picture is enlarged at most before a box is cut out of it: what the largest box needs of a picture four
 * times as long as the box. Past that the box is cut first, or a few kilobytes of a thin line would fill gigabytes.
 */
const mostEnlarged = 8_000_000;

/** A picture that fills a box, turned upright, the most telling part kept. @throws Error from sharp for what is no picture */
export async function coverBox(bytes: Uint8Array, box: Size, options: SharpOptions): Promise<Sharp> {
  const sharp = await loadSharp();
  const { autoOrient: whole } = await sharp(bytes, options).metadata();
  const image = sharp(bytes, options).autoOrient();
  const scale = Math.max(box.width / whole.width, box.height / whole.height);
  const isLarge = scale > 1 && whole.width * scale * whole.height * scale > mostEnlarged;
  if (!isLarge) return image.resize(box.width, box.height, { fit: 'cover', position: 'attention' });
  const part = partOf(whole, box);
  const cut = await image
    .resize(part.width, part.height, { fit: 'cover', position: 'attention' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(cut).resize(box.width, box.height, { fit: 'fill' });
}

/** The largest part of a picture that has the shape of a box, in pixels of the picture. */
export function partOf(whole: Size, box: Size): Size {
  const scale = Math.min(whole.width / box.width, whole.height / box.height);
  return {
    width: Math.max(1, Math.min(whole.width, Math.round(box.width * scale))),
    height: Math.max(1, Math.min(whole.height, Math.round(box.height * scale))),
  };
}
