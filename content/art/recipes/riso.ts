import { type Dot, dotPaths, hexagonal } from '../dots.ts';
import type { Point } from '../geometry.ts';
import { fitted } from '../layout.ts';
import { boundsOf, pathOf } from '../outline.ts';
import { inkOf, paperOf, swallowsInk } from '../print.ts';
import type { Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { disc, n, rect } from '../svg.ts';

/** A three-colour print: the first consonant large, the second as a halftone, a disc against both. */
export function riso(scene: Scene): string {
  const { width, height, sign, first, ramp, random } = scene;
  const chance = random('print');
  const paper = paperOf(ramp);
  const over = swallowsInk(ramp) ? 'normal' : paper.blend;
  const turn = chance.chance(0.3) ? 0 : chance.between(-16, 16) + (chance.chance(0.16) ? -45 : 0);
  const { main, second, disc: sun } = places(scene, chance);
  const large = fitted(first, main.at, [main.size, main.size], turn);
  return [
    rect({ x: 0, y: 0, width, height }, paper.colour),
    `<g style="mix-blend-mode:${paper.blend}"><path d="${pathOf(large.strokes)}" fill="none" stroke="${inkOf(ramp)}" stroke-width="${n(large.weight)}"/></g>`,
    `<g style="mix-blend-mode:${over}">${disc(sun.at, sun.size / 2, ramp.comp)}</g>`,
    halftone(scene, sign[1] ?? first, second, turn / 2, over),
  ].join('');
}

type Spot = { readonly at: Point; readonly size: number };

/** Wide prints bleed the large consonant and spread the others; in the rest the three lie on one another. */
function places({ width, height, focus }: Scene, chance: Random): { main: Spot; second: Spot; disc: Spot } {
  if (width > 2 * height) {
    return {
      main: {
        at: [width * chance.between(0.66, 0.7), height * 0.62],
        size: height * chance.between(1.06, 1.16),
      },
      second: { at: [width * chance.between(0.4, 0.44), height * 0.6], size: height * 0.72 },
      disc: {
        at: [width * chance.between(0.29, 0.33), height * 0.36],
        size: height * chance.between(0.42, 0.5),
      },
    };
  }
  const side = chance.side();
  const short = Math.min(width, height);
  const tall = Math.max(0, height / width - 1);
  const beside = (across: number, down: number): Point => [
    focus[0] + side * short * across,
    focus[1] + short * (down + 0.22 * tall),
  ];
  return {
    main: { at: beside(0.08, 0.02), size: short * chance.between(0.9, 1.02) * (1 + 0.4 * tall) },
    second: {
      at: beside(-chance.between(0.24, 0.3), chance.between(0.16, 0.22) + 0.5 * tall),
      size: short * chance.between(0.5, 0.6) * (1 + 0.3 * tall),
    },
    disc: {
      at: beside(-chance.between(0.24, 0.36), -chance.between(0.22, 0.28) - 0.5 * tall),
      size: short * chance.between(0.34, 0.42),
    },
  };
}

/** A consonant in dots that grow from nothing to nearly full. */
function halftone(
  { ramp, id, pixel }: Scene,
  consonant: Scene['first'],
  { at, size }: Spot,
  turn: number,
  blend: string,
): string {
  const { strokes, weight } = fitted(consonant, at, [size, size], turn);
  const box = boundsOf(strokes, weight);
  const pitch = Math.max(size * 0.03, 4.4 * pixel);
  const dots = hexagonal(box, pitch, 15).map((point): Dot => {
    const part = Math.min(1, Math.max(0, (point[1] - box.y) / box.height));
    return { at: point, radius: pitch * (0.16 + 0.4 * part), colour: ramp.second };
  });
  const mask = id();
  return [
    `<mask id="${mask}" maskUnits="userSpaceOnUse" x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"><path d="${pathOf(strokes)}" fill="none" stroke="#fff" stroke-width="${n(weight)}"/></mask>`,
    `<g style="mix-blend-mode:${blend}"><g mask="url(#${mask})">${dotPaths(dots)}</g></g>`,
  ].join('');
}
