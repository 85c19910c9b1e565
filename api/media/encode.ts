import type { Sharp } from 'sharp';
import type { Aspect } from './variants.ts';

export const pictureFormats = ['avif', 'webp', 'jpg', 'png'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** One file of the image route: `/media/{key}/{aspect}-{width}.{format}`. */
export interface PictureFile {
  key: string;
  aspect: Aspect;
  width: number;
  format: PictureFormat;
}

/** The bytes of an image in a format of the image route. */
export function encode(image: Sharp, format: PictureFormat): Promise<Uint8Array> {
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
