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

/** Seconds after which the work on one file is given up: hundreds of times what it takes. */
const longestWork = 60;

/** The bytes of an image in a format of the image route. @throws Error from sharp, also when it takes a minute */
export function encode(picture: Sharp, format: PictureFormat): Promise<Uint8Array> {
  const image = picture.timeout({ seconds: longestWork });
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
