import { type Dot, dotPaths, hexagonal } from '../dots.ts';
import type { Box } from '../geometry.ts';
import { arrange } from '../layout.ts';
import { boundsOf, distanceTo, pathOf } from '../outline.ts';
import type { Scene } from '../scene.ts';
import { blur, fading, light, n, rect } from '../svg.ts';

/** Distances between light sticks: far apart in the dark, close in the sign. */
const SEA_PITCH = 38;
const SIGN_PITCH = 18;

/** A sea of light sticks from above; those in the sign are lifted. */
export function ocean(scene: Scene): string {
  const { width, height, safe, sign, ramp, id } = scene;
  const glyphs = arrange(sign, safe, { gap: 0.34, weight: 0.2, maxSize: Math.min(width, height) * 0.6 });
  const strokes = glyphs.flatMap((glyph) => glyph.strokes);
  const size = glyphs[0]?.size ?? 100;
  const canvas: Box = { x: 0, y: 0, width, height };
  const glow = id();
  return [
    rect(canvas, ramp.at(0.05)),
    light(
      id(),
      [safe.x + safe.width / 2, safe.y + safe.height / 2],
      Math.max(width, height) * 0.52,
      fading(ramp.at(0.32), 0.95),
      width > height ? 1.25 : 1,
    ),
    blur(glow, size * 0.1, canvas),
    `<path d="${pathOf(strokes)}" fill="none" stroke="${ramp.at(0.48)}" stroke-width="${n(size * 0.28)}" filter="url(#${glow})" opacity=".8"/>`,
    dotPaths(sea(scene, strokes, size, canvas)),
    dotPaths(lifted(scene, strokes, size)),
  ].join('');
}

type Strokes = Parameters<typeof distanceTo>[0];

function sea({ ramp, random, pixel }: Scene, strokes: Strokes, size: number, canvas: Box): Dot[] {
  const chance = random('sea');
  const pitch = Math.max(SEA_PITCH, 6 * pixel);
  return hexagonal(canvas, pitch, chance.between(6, 24)).flatMap(([x, y]): Dot[] => {
    const at = [x + chance.between(-0.2, 0.2) * pitch, y + chance.between(-0.2, 0.2) * pitch] as const;
    const away = distanceTo(strokes, at) - size * 0.16;
    const spark = chance.next();
    if (away < 0) return [];
    const near = Math.max(0, 1 - away / (size * 0.9));
    return [
      {
        at,
        radius: pitch * (0.07 + 0.07 * near + 0.05 * spark),
        colour: ramp.at(0.34 + 0.2 * near + 0.14 * spark),
      },
    ];
  });
}

function lifted({ ramp, random, pixel }: Scene, strokes: Strokes, size: number): Dot[] {
  const chance = random('sign');
  const pitch = Math.max(Math.min(SIGN_PITCH, size * 0.086), 3.6 * pixel);
  const half = size * 0.075;
  return hexagonal(boundsOf(strokes, size * 0.3), pitch).flatMap(([x, y]): Dot[] => {
    const at = [x + chance.between(-0.14, 0.14) * pitch, y + chance.between(-0.14, 0.14) * pitch] as const;
    const away = distanceTo(strokes, at) - half;
    const spark = chance.next();
    if (away < 0) {
      const colour = spark < 0.05 ? ramp.comp : ramp.at(0.82 + 0.17 * chance.next());
      return [{ at, radius: pitch * chance.between(0.44, 0.54), colour }];
    }
    if (away > pitch * 0.8) return [];
    return [{ at, radius: pitch * chance.between(0.2, 0.3), colour: ramp.at(chance.between(0.5, 0.7)) }];
  });
}
