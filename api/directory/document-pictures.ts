import type { PictureReference, StarDocument } from './model.ts';

/** The pictures that a document names, each once. */
export function picturesOf({ hero, avatar, photos = [], timeline = [] }: StarDocument): PictureReference[] {
  const named = [hero, avatar, ...[...photos, ...timeline].map(({ picture }) => picture)];
  return uniqueByKey(named.flatMap((picture) => picture ?? []));
}

/** Pictures by their keys, each once: what its first mention leaves out a later one says, such as its address. */
export function uniqueByKey(pictures: readonly PictureReference[]): PictureReference[] {
  const byKey = new Map<string, PictureReference>();
  for (const picture of pictures) byKey.set(picture.key, { ...picture, ...byKey.get(picture.key) });
  return [...byKey.values()];
}

/** A document with other pictures. Where there is none instead, a photo is left out, and other fields say nothing of a picture. */
export function mapPictures(
  { hero, avatar, photos, timeline, ...rest }: StarDocument,
  replace: (picture: PictureReference) => PictureReference | undefined,
): StarDocument {
  const replaced = (picture: PictureReference | null | undefined) => picture && replace(picture);
  const [newHero, newAvatar] = [replaced(hero), replaced(avatar)];
  return {
    ...rest,
    ...(newHero !== undefined && { hero: newHero }),
    ...(newAvatar !== undefined && { avatar: newAvatar }),
    ...(photos && {
      photos: photos.flatMap((photo) => {
        const picture = replace(photo.picture);
        return picture ? [{ ...photo, picture }] : [];
      }),
    }),
    ...(timeline && {
      timeline: timeline.map(({ picture: named, ...event }) => {
        const picture = replaced(named);
        return picture === undefined ? event : { ...event, picture };
      }),
    }),
  };
}
