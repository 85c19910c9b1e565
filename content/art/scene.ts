import type { Box, Point } from './geometry.ts';
import type { Consonant } from './glyphs.ts';
import { type Ramp, ramp, seededLean } from './ramp.ts';
import { type Random, seeded } from './random.ts';
import { initials } from './sign.ts';

/** Every picture is drawn on this area, whatever its aspect: sizes mean the same in all of them. */
const AREA = 1_000_000;

export const RECIPES = [
  'mark',
  'portrait',
  'horizon',
  'stage',
  'aura',
  'riso',
  'studio',
  'ocean',
  'tunnel',
  'contact',
  'chart',
  'duo',
] as const;

export type RecipeName = (typeof RECIPES)[number];

/** A star as pictures know it: the Korean display name and `#rrggbb`. */
export type Subject = { readonly name: string; readonly fandomColor: string };

/** Whose silhouettes may stand for the star; anyone where a group is meant or nothing is known. */
export type People = 'anyone' | 'women' | 'men';

/** What a recipe gets to draw with. */
export type Scene = {
  readonly width: number;
  readonly height: number;
  /** The size of one pixel of the finished picture: nothing thinner or closer than this can be seen. */
  readonly pixel: number;
  /** Where the main thing belongs: clear of headline notches, scrims and badges of the pages (look.md §5, §7). */
  readonly focus: Point;
  /** Where a whole sign may stand. */
  readonly safe: Box;
  readonly subject: Subject;
  readonly sign: readonly Consonant[];
  readonly first: Consonant;
  readonly ramp: Ramp;
  readonly second:
    | { readonly sign: readonly Consonant[]; readonly first: Consonant; readonly ramp: Ramp }
    | undefined;
  readonly figures: number;
  readonly people: People;
  readonly seed: string;
  /** Chance of its own for each part of a picture, so that a change of one part leaves the others alone. */
  readonly random: (part: string) => Random;
  /** A fresh id; no two elements of one document share it. */
  readonly id: () => string;
};

type SceneOrder = {
  readonly recipe: RecipeName;
  readonly subject: Subject;
  readonly second?: Subject | undefined;
  readonly figures?: number | undefined;
  readonly people?: People | undefined;
  readonly seed: string;
  /** Pixels of the finished picture. */
  readonly width: number;
  readonly height: number;
};

/** Prepares a scene; `ids` counts within one document. */
export function sceneOf(order: SceneOrder, ids: () => string): Scene {
  const { recipe, subject, second, figures, people = 'anyone', seed, width: pixels, height: lines } = order;
  const scale = Math.sqrt(AREA / (pixels * lines));
  const [width, height] = [pixels * scale, lines * scale];
  const random = (part: string) => seeded(`${subject.name}|${recipe}|${seed}|${part}`);
  const lean = seededLean(random('ramp'));
  const sign = initials(subject.name);
  return {
    width,
    height,
    pixel: scale,
    ...placesIn(width, height),
    subject,
    sign,
    first: firstOf(sign),
    ramp: ramp(subject.fandomColor, lean),
    second: second && secondOf(second, lean),
    figures: Math.min(7, Math.max(1, Math.round(figures ?? 1))),
    people,
    seed,
    random,
    id: ids,
  };
}

/** Ids a, b, c … z, aa, ab …, after a prefix. */
export function countedIds(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}${(count++).toString(36)}`;
}

function secondOf(subject: Subject, lean: Parameters<typeof ramp>[1]): Scene['second'] {
  const sign = initials(subject.name);
  return { sign, first: firstOf(sign), ramp: ramp(subject.fandomColor, lean) };
}

function firstOf(sign: readonly Consonant[]): Consonant {
  return sign[0] ?? 'ㅇ';
}

/** Wide pictures carry headlines at the lower left, tall ones at the bottom; small ones carry nothing. */
function placesIn(width: number, height: number): Pick<Scene, 'focus' | 'safe'> {
  const box = (left: number, top: number, right: number, bottom: number): Box => ({
    x: left * width,
    y: top * height,
    width: (right - left) * width,
    height: (bottom - top) * height,
  });
  const ratio = width / height;
  if (ratio > 2) return { focus: [0.655 * width, 0.46 * height], safe: box(0.1, 0.12, 0.9, 0.68) };
  if (ratio > 1.15) return { focus: [0.5 * width, 0.5 * height], safe: box(0.1, 0.14, 0.9, 0.86) };
  if (ratio > 0.95) return { focus: [0.5 * width, 0.5 * height], safe: box(0.09, 0.09, 0.91, 0.91) };
  if (ratio > 0.8) return { focus: [0.5 * width, 0.44 * height], safe: box(0.1, 0.14, 0.9, 0.72) };
  return { focus: [0.5 * width, 0.42 * height], safe: box(0.1, 0.12, 0.9, 0.66) };
}
