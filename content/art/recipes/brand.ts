import type { Point } from '../geometry.ts';
import type { Stroke } from '../glyphs.ts';
import type { Glyph } from '../layout.ts';
import type { Scene } from '../scene.ts';
import { constellation, fieldStars, graticule, type SkyInk } from '../sky.ts';
import { fading, light, rect } from '../svg.ts';

const ANTARES = '#ff4b1f';
const NIGHT: SkyInk = {
  star: '#ffffff',
  line: '#b4bbd2',
  grid: '#8a93b0',
  hollow: '#0b0e19',
  first: ANTARES,
  glow: '#aab4d8',
};

/** The syllable 별, one unit wide and 1.66 high, as it stands in the sky of the sign-in page. */
const BYEOL: readonly (readonly Point[])[] = [
  [
    [0.02, 0.1],
    [0.02, 0.84],
    [0.48, 0.84],
    [0.48, 0.07],
  ],
  [
    [0.02, 0.48],
    [0.48, 0.48],
  ],
  [
    [1, 0],
    [0.98, 0.92],
  ],
  [
    [0.72, 0.3],
    [0.99, 0.32],
  ],
  [
    [0.74, 0.62],
    [0.98, 0.61],
  ],
  [
    [0.16, 1.14],
    [0.96, 1.14],
    [0.96, 1.4],
    [0.16, 1.4],
    [0.16, 1.66],
    [1, 1.64],
  ],
];
const TALL = 1.66;

/** The site's own picture: the night sky of both modes with 별 among the stars, Antares its first. */
export function brand({ width, height, focus, random, id, pixel }: Scene): string {
  const size = Math.min(width * 0.5, (height * 0.7) / TALL);
  const middle: Point = [focus[0], height * 0.5];
  const move = ([x, y]: Point): Point => [middle[0] + (x - 0.5) * size, middle[1] + (y - TALL / 2) * size];
  const strokes = BYEOL.map((points): Stroke => ({ kind: 'line', points: points.map(move), closed: false }));
  // magnitudes go by the size of a consonant, not of the syllable
  const glyph: Glyph = { strokes, centre: middle, size: size * 0.6 };
  const reach = Math.max(width, height);
  const name = random('name');
  return [
    rect({ x: 0, y: 0, width, height }, '#0b0e19'),
    light(id(), [middle[0], middle[1]], reach * 0.5, fading('#232c4d', 0.7)),
    light(id(), [width * 0.1, height], reach * 0.5, fading('#04060c', 0.9)),
    graticule(width, height, NIGHT, pixel),
    fieldStars(width, height, (part) => (part > 0.7 ? '#ffffff' : '#9aa3c0'), pixel, random('field')),
    light(id(), move([0.02, 0.1]), size * 0.24, fading(ANTARES, 0.55)),
    constellation([glyph], NIGHT, pixel, name, id()),
  ].join('');
}
