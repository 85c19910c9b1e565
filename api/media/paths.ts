import { type Aspect, aspectName, isAspect } from './variants.ts';

/** Address of a picture of our image route on this origin (decision M3). */
export function picturePath(
  key: string,
  aspect: Aspect,
  width: number,
  format: 'webp' | 'avif' = 'webp',
): string {
  return `/media/${key}/${aspectName(aspect)}-${width}.${format}`;
}

/** A star's round sign: what stands for a star that has no avatar. */
export function starMarkPath(slug: string): string {
  return `/media/star-${slug}-mark.svg`;
}

/** The square picture of a star: its avatar, else its round sign. */
export const starImagePath = ({ slug, avatarKey }: { slug: string; avatarKey: string | null }): string =>
  avatarKey === null ? starMarkPath(slug) : picturePath(avatarKey, '1:1', 224);

/** An aspect that was stored as text; anything that is not made falls back to the shape of stories. */
export function storedAspect(aspect: string): Aspect {
  return isAspect(aspect) ? aspect : '3:2';
}
