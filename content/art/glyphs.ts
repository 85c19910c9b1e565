import type { Point } from './geometry.ts';

/** The nineteen initial consonants in the order of Unicode's Hangul syllables. */
export const CONSONANTS = [
  'ㄱ',
  'ㄲ',
  'ㄴ',
  'ㄷ',
  'ㄸ',
  'ㄹ',
  'ㅁ',
  'ㅂ',
  'ㅃ',
  'ㅅ',
  'ㅆ',
  'ㅇ',
  'ㅈ',
  'ㅉ',
  'ㅊ',
  'ㅋ',
  'ㅌ',
  'ㅍ',
  'ㅎ',
] as const;

export type Consonant = (typeof CONSONANTS)[number];

/** A line through points or a circle, drawn thick with butt ends and miter joins. */
export type Stroke =
  | { readonly kind: 'line'; readonly points: readonly Point[]; readonly closed: boolean }
  | { readonly kind: 'circle'; readonly centre: Point; readonly radius: number };

const SINGLES = {
  ㄱ: [line('.06,.1 .94,.1 .94,.98')],
  ㄴ: [line('.06,.02 .06,.9 .94,.9')],
  ㄷ: [line('.96,.1 .08,.1 .08,.9 .96,.9')],
  ㄹ: [line('.06,.08 .92,.08 .92,.5 .08,.5 .08,.92 .96,.92')],
  ㅁ: [loop('.1,.1 .9,.1 .9,.9 .1,.9')],
  ㅂ: [line('.1,.02 .1,.9 .9,.9 .9,.02'), line('.1,.48 .9,.48')],
  ㅅ: [line('.02,.94 .5,.06 .98,.94')],
  ㅇ: [circle(0.5, 0.5, 0.42)],
  ㅈ: [line('.06,.1 .94,.1'), line('.04,.94 .5,.1 .96,.94')],
  ㅊ: [line('.3,.02 .7,.02'), line('.06,.3 .94,.3'), line('.06,.97 .5,.3 .94,.97')],
  ㅋ: [line('.06,.1 .94,.1 .94,.98'), line('.06,.52 .94,.52')],
  ㅌ: [line('.96,.1 .08,.1 .08,.9 .96,.9'), line('.08,.5 .92,.5')],
  ㅍ: [line('.04,.1 .96,.1'), line('.04,.9 .96,.9'), line('.3,.1 .3,.9'), line('.7,.1 .7,.9')],
  ㅎ: [line('.32,.03 .68,.03'), line('.04,.25 .96,.25'), circle(0.5, 0.69, 0.27)],
} as const satisfies Record<string, readonly Stroke[]>;

const GLYPHS: Readonly<Record<Consonant, readonly Stroke[]>> = {
  ...SINGLES,
  ㄲ: doubled(SINGLES.ㄱ),
  ㄸ: doubled(SINGLES.ㄷ),
  ㅃ: doubled(SINGLES.ㅂ),
  ㅆ: doubled(SINGLES.ㅅ),
  ㅉ: doubled(SINGLES.ㅈ),
};

/** The strokes of a consonant on a unit square, y downwards (look.md §6.1). */
export function strokesOf(consonant: Consonant): readonly Stroke[] {
  return GLYPHS[consonant];
}

/** How thick a consonant's strokes are on its unit square; doubles stand close and are thinner. */
export function weightOf(consonant: Consonant): number {
  return 'ㄲㄸㅃㅆㅉ'.includes(consonant) ? 0.185 : 0.25;
}

function points(text: string): readonly Point[] {
  return text.split(' ').map((pair) => {
    const [x = 0, y = 0] = pair.split(',').map(Number);
    return [x, y] as const;
  });
}

function line(text: string): Stroke {
  return { kind: 'line', points: points(text), closed: false };
}

function loop(text: string): Stroke {
  return { kind: 'line', points: points(text), closed: true };
}

function circle(x: number, y: number, radius: number): Stroke {
  return { kind: 'circle', centre: [x, y], radius };
}

/** A double consonant is the single twice, each .47 wide, the second starting at .53. */
function doubled(single: readonly Stroke[]): readonly Stroke[] {
  return [0, 0.53].flatMap((start) => single.map((stroke) => narrowed(stroke, start)));
}

function narrowed(stroke: Stroke, start: number): Stroke {
  if (stroke.kind === 'circle') {
    return {
      ...stroke,
      centre: [start + stroke.centre[0] * 0.47, stroke.centre[1]],
      radius: stroke.radius * 0.47,
    };
  }
  return { ...stroke, points: stroke.points.map(([x, y]) => [start + x * 0.47, y] as const) };
}
