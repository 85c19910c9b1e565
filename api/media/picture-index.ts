import { rename } from 'node:fs/promises';
import type { ArtOrder } from '#content/art/draw.ts';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import type { Aspect } from './variants.ts';

/** A file that was made: `<key>/<aspect>-<width>.avif`. */
export type MadeVariant = {
  readonly aspect: Aspect;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
};

export type IndexedPicture = {
  /** Of the order, the sizes and the art version: another hash means other pixels. */
  readonly hash: string;
  /** `#rrggbb` to show while the picture loads. */
  readonly placeholder: string;
  /** What to draw for sizes that were not made ahead; null for the brand's own. */
  readonly art: ArtOrder | null;
  readonly variants: readonly MadeVariant[];
};

type IndexedMark = { readonly hash: string; readonly bytes: number; readonly style: MarkStyle };

/** `content/demo/pictures/index.json`. */
type PictureIndex = {
  pictures: Record<string, IndexedPicture>;
  /** By slug; the file is `star-<slug>-mark.svg`. */
  marks: Record<string, IndexedMark>;
};

/** The index as the generator left it, empty when there is none. */
export async function readPictureIndex(path: string): Promise<PictureIndex> {
  const file = Bun.file(path);
  return (await file.exists()) ? ((await file.json()) as PictureIndex) : { pictures: {}, marks: {} };
}

/** Writes the index, keys sorted, so that a reader never sees half of it and a diff only what changed. */
export async function writePictureIndex(path: string, index: PictureIndex): Promise<void> {
  const sorted = { pictures: byKey(index.pictures), marks: byKey(index.marks) };
  await Bun.write(`${path}.new`, `${JSON.stringify(sorted, null, 1)}\n`);
  await rename(`${path}.new`, path);
}

function byKey<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(record).sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true })),
  );
}
