import { type Dot, dotPaths, hexagonal } from '../dots.ts';
import type { Point } from '../geometry.ts';
import { fitted, type Glyph } from '../layout.ts';
import { boundsOf, pathOf, polygonPath, sweptPath } from '../outline.ts';
import type { Scene } from '../scene.ts';
import { n, rect } from '../svg.ts';

/** One consonant before two flat grounds, its long shadow over both, light as a halftone on its face. */
export function studio(scene: Scene): string {
  const { width, height, focus, sign, random } = scene;
  const chance = random('set');
  const tones = chance.chance(0.5) ? dayTones(scene) : nightTones(scene);
  const consonant = sign[chance.below(sign.length)] ?? scene.first;
  const scale = chance.between(0.92, 1.06);
  const turn = chance.between(4, 14) * chance.side();
  const side = chance.side();
  const short = Math.min(width, height);
  const middle: Point = [focus[0] - side * short * 0.07, focus[1] - short * 0.035];
  const { strokes, size, weight } = fitted(
    consonant,
    middle,
    [width * 0.76 * scale, Math.min(height * 0.78 * scale, 2 * (middle[1] - height * 0.05))],
    turn,
  );
  const reach = size * chance.between(0.7, 1.1);
  const fall: Point = [side * reach * 0.94, reach * 0.72];

  const edge = height * chance.between(0.56, 0.66);
  const slope = width * Math.tan((chance.between(1, 4) * chance.side() * Math.PI) / 180);
  const floor: Point[] = [
    [0, edge],
    [width, edge + slope],
    [width, height],
    [0, height],
  ];
  return [
    rect({ x: 0, y: 0, width, height }, tones.wall),
    `<path d="${polygonPath(floor)}" fill="${tones.floor}"/>`,
    `<path d="${sweptPath(strokes, weight, fall)}" fill="${tones.shadow}"/>`,
    face(scene, strokes, weight, tones, [-side, -0.6]),
  ].join('');
}

type Tones = {
  readonly wall: string;
  readonly floor: string;
  readonly shadow: string;
  readonly face: string;
  readonly dots: string;
};

function dayTones({ ramp }: Scene): Tones {
  return {
    wall: ramp.at(0.84),
    floor: ramp.at(0.7),
    shadow: ramp.at(0.46),
    face: ramp.at(0.13),
    dots: ramp.at(0.46),
  };
}

function nightTones({ ramp }: Scene): Tones {
  return {
    wall: ramp.at(0.13),
    floor: ramp.at(0.22),
    shadow: ramp.at(0.04),
    face: ramp.at(0.76),
    dots: ramp.at(0.93),
  };
}

/** The face, with dots that are largest towards the light. */
function face(
  { id, pixel }: Scene,
  strokes: Glyph['strokes'],
  weight: number,
  tones: Tones,
  [lx, ly]: Point,
): string {
  const box = boundsOf(strokes, weight);
  const pitch = Math.max(box.width * 0.023, 4.2 * pixel);
  const length = Math.hypot(lx, ly);
  const reach = (Math.abs(lx) * box.width + Math.abs(ly) * box.height) / (2 * length);
  const [midX, midY] = [box.x + box.width / 2, box.y + box.height / 2];
  const dots = hexagonal(box, pitch).map((at): Dot => {
    const lit = ((at[0] - midX) * lx + (at[1] - midY) * ly) / (length * reach);
    return { at, radius: pitch * 0.62 * Math.min(1, Math.max(0, 0.5 + 0.62 * lit)), colour: tones.dots };
  });
  const mask = id();
  const path = pathOf(strokes);
  const stroke = (colour: string) =>
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${n(weight)}"/>`;
  return `${stroke(tones.face)}<mask id="${mask}" maskUnits="userSpaceOnUse" x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}">${stroke('#fff')}</mask><g mask="url(#${mask})">${dotPaths(dots)}</g>`;
}
