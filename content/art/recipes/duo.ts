import type { Point } from '../geometry.ts';
import { fitted } from '../layout.ts';
import { pathOf } from '../outline.ts';
import { inkOnPale, palePaper } from '../print.ts';
import type { Scene } from '../scene.ts';
import { n, rect } from '../svg.ts';

/** Two stars in one story: both first consonants, each in its own ink, printed over one another. */
export function duo(scene: Scene): string {
  const { width, height, focus, first, sign, ramp, random } = scene;
  const chance = random('meeting');
  const other = scene.second ?? { first: sign[1] ?? first, ramp: { ...ramp, own: ramp.second } };
  const short = Math.min(width, height);
  const wide = width > 2 * height;
  const space = short * chance.between(0.8, 0.88) * (wide ? 1.16 : 1);
  const apart = Math.min(width * 0.17, short * (wide ? 0.38 : 0.34));
  const drop = Math.max(short * 0.045, (height - width) * 0.34);
  const middle: Point = [
    focus[0] - (wide ? width * 0.03 : 0),
    focus[1] + (wide ? height * 0.06 : Math.max(0, height - width) * 0.16),
  ];
  const stroke = (consonant: typeof first, at: Point, degrees: number, ink: string) => {
    const { strokes, weight } = fitted(consonant, at, [space * 1.1, space], degrees);
    return `<g style="mix-blend-mode:multiply"><path d="${pathOf(strokes)}" fill="none" stroke="${ink}" stroke-width="${n(weight)}"/></g>`;
  };
  const lean = chance.between(5, 11);
  return [
    rect({ x: 0, y: 0, width, height }, palePaper(ramp)),
    stroke(first, [middle[0] - apart, middle[1] - drop], -lean, inkOnPale(ramp)),
    stroke(other.first, [middle[0] + apart, middle[1] + drop], lean, inkOnPale(other.ramp)),
  ].join('');
}
