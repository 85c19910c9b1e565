import type { Point } from '../geometry.ts';
import { fitted } from '../layout.ts';
import { boundsOf, pathOf } from '../outline.ts';
import type { Scene } from '../scene.ts';
import { fading, light, linear, n, rampStops, rect } from '../svg.ts';

const FEWEST_COPIES = 110;
const MOST_COPIES = 240;

/** The first consonant as a body of light: copies run back into the dark, the face catches the lamp. */
export function portrait(scene: Scene): string {
  const { width, height, focus, ramp, random, id, pixel } = scene;
  const chance = random('light');
  const wide = width > 2 * height;
  const side = wide ? 1 : chance.side();
  const fall = chance.chance(0.72) ? 1 : -1;
  const space: Point = [width * (wide ? 1 : 0.84), height * (width < height * 0.95 ? 0.74 : 0.82)];
  const grown = chance.between(0.9, 1.04);
  const short = Math.min(width, height);
  const middle: Point = [
    focus[0] + side * short * chance.between(0, 0.05),
    focus[1] - fall * short * (fall > 0 ? 0.03 : 0.07),
  ];
  const tall = Math.min(space[1] * grown, 2 * (middle[1] - height * 0.045));
  const glyph = fitted(scene.first, middle, [space[0] * grown, tall]);
  const { centre, size, weight } = glyph;
  const face = pathOf(glyph.strokes);

  const away: Point = [-side * size * chance.between(0.5, 0.85), fall * size * chance.between(0.46, 0.72)];
  const copies = Math.round(
    Math.min(MOST_COPIES, Math.max(FEWEST_COPIES, Math.hypot(...away) / (1.6 * pixel))),
  );
  const shape = id();
  const depth = Array.from({ length: copies }, (_, index) => {
    const near = index / copies;
    const scale = 0.5 + 0.5 * near;
    const [x, y] = [centre[0] + away[0] * (1 - near), centre[1] + away[1] * (1 - near)];
    const move = `translate(${n(x - centre[0] * scale)} ${n(y - centre[1] * scale)}) scale(${scale.toFixed(4)})`;
    return `<use href="#${shape}" transform="${move}" stroke="${ramp.at(0.05 + 0.55 * near ** 1.1)}"/>`;
  }).join('');

  const box = boundsOf(glyph.strokes, weight);
  const corner = (across: number, down: number): Point => [
    box.x + (across > 0 ? box.width : 0),
    box.y + (down > 0 ? box.height : 0),
  ];
  const faceLight = id();
  return `${ground(scene, side, fall)}<defs><path id="${shape}" d="${face}"/></defs><g fill="none" stroke-width="${n(weight)}" stroke-linejoin="miter">${depth}${linear(faceLight, corner(side, -fall), corner(-side, fall), rampStops(ramp, 0.97, 0.67))}<use href="#${shape}" stroke="url(#${faceLight})"/></g>`;
}

/** Four soft lights; the brightest stands where the lamp is. */
function ground({ width, height, ramp, id }: Scene, side: 1 | -1, fall: 1 | -1): string {
  const reach = Math.max(width, height);
  const at = (across: number, down: number): Point => [
    (side > 0 ? across : 1 - across) * width,
    (fall > 0 ? down : 1 - down) * height,
  ];
  return [
    rect({ x: 0, y: 0, width, height }, ramp.at(0.3)),
    light(id(), at(0.02, 1), reach * 0.75, fading(ramp.at(0.08), 0.9)),
    light(id(), at(0, 0), reach * 0.55, fading(ramp.at(0.44), 0.8)),
    light(id(), at(1, 0.72), reach * 0.5, fading(ramp.at(0.24), 0.9)),
    light(id(), at(0.98, 0.04), reach * 0.62, fading(ramp.at(0.76), 0.95)),
  ].join('');
}
