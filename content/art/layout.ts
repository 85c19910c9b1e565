import type { Box, Point } from './geometry.ts';
import { type Consonant, type Stroke, strokesOf, weightOf } from './glyphs.ts';
import { boundsOf } from './outline.ts';

/** A consonant at its place in the picture; `centre` and `size` tell of its unit square. */
export type Glyph = { readonly strokes: readonly Stroke[]; readonly centre: Point; readonly size: number };

/** Puts a consonant's unit square of `size` around `centre`, turned clockwise by `degrees`. */
export function place(consonant: Consonant, centre: Point, size: number, degrees = 0): Glyph {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size];
  const move = ([x, y]: Point): Point => [
    centre[0] + (x - 0.5) * cos - (y - 0.5) * sin,
    centre[1] + (x - 0.5) * sin + (y - 0.5) * cos,
  ];
  const strokes = strokesOf(consonant).map(
    (stroke): Stroke =>
      stroke.kind === 'circle'
        ? { ...stroke, centre: move(stroke.centre), radius: stroke.radius * size }
        : { ...stroke, points: stroke.points.map(move) },
  );
  return { strokes, centre, size };
}

/** A glyph with the thickness of its strokes in picture units. */
type BoldGlyph = Glyph & { readonly weight: number };

/**
 * The largest bold glyph whose ink, strokes and all, fits `room` (width, height) around `middle`: consonants do not fill
 * their square evenly, the eye measures ink.
 */
export function fitted(consonant: Consonant, middle: Point, space: Point, degrees = 0): BoldGlyph {
  const weight = weightOf(consonant);
  const ink = boundsOf(place(consonant, [0, 0], 1, degrees).strokes, weight);
  const size = Math.min(space[0] / ink.width, space[1] / ink.height);
  const centre: Point = [
    middle[0] - (ink.x + ink.width / 2) * size,
    middle[1] - (ink.y + ink.height / 2) * size,
  ];
  return { ...place(consonant, centre, size, degrees), weight: weight * size };
}

type Arrangement = {
  /** Space between unit squares and thickness of strokes, as shares of the square. */
  readonly gap: number;
  readonly weight: number;
  /** The largest square allowed, in picture units. */
  readonly maxSize?: number;
};

/**
 * Sets a sign into a box: in one row, or in the rows that let it be clearly larger, centred. Nothing sticks out,
 * strokes included.
 */
export function arrange(
  sign: readonly Consonant[],
  box: Box,
  { gap, weight, maxSize }: Arrangement,
): Glyph[] {
  const rows = bestRows(sign.length, box, gap, weight);
  const columns = Math.ceil(sign.length / rows);
  const size = Math.min(sizeFor(columns, rows, box, gap, weight), maxSize ?? Number.POSITIVE_INFINITY);
  const pitch = size * (1 + gap);
  return sign.map((consonant, index) => {
    const row = Math.floor(index / columns);
    const inRow = Math.min(columns, sign.length - row * columns);
    const x = box.x + box.width / 2 + ((index % columns) - (inRow - 1) / 2) * pitch;
    const y = box.y + box.height / 2 + (row - (rows - 1) / 2) * pitch;
    return place(consonant, [x, y], size);
  });
}

function bestRows(count: number, box: Box, gap: number, weight: number): number {
  const choices = { 1: [1], 2: [1, 2], 3: [1, 3], 4: [1, 2, 4], 5: [1, 2, 3], 6: [1, 2, 3] }[count] ?? [1];
  let best = 1;
  for (const rows of choices) {
    const size = (rowCount: number) => sizeFor(Math.ceil(count / rowCount), rowCount, box, gap, weight);
    if (size(rows) > 1.3 * size(best)) best = rows;
  }
  return best;
}

function sizeFor(columns: number, rows: number, box: Box, gap: number, weight: number): number {
  return Math.min(
    box.width / (columns + (columns - 1) * gap + weight),
    box.height / (rows + (rows - 1) * gap + weight),
  );
}
