import { type Dot, dotPaths } from '../dots.ts';
import type { Box, Point } from '../geometry.ts';
import { arrange } from '../layout.ts';
import { pathOf } from '../outline.ts';
import type { Scene } from '../scene.ts';
import { blur, disc, fading, light, linear, n, rect } from '../svg.ts';

const LAMPS = 7;
const CROWD_ROWS = 5;

/** A concert: seven beams, haze, the name in neon, a hall full of light sticks. */
export function stage(scene: Scene): string {
  const { width, height, ramp, id } = scene;
  const floor = height * (width > 2 * height ? 0.76 : width < 0.95 * height ? 0.7 : 0.74);
  const middle: Point = [width * 0.5, floor * 0.6];
  const reach = Math.max(width * 0.6, height * 0.6);
  const clip = id();
  return [
    rect({ x: 0, y: 0, width, height }, ramp.night),
    light(id(), [middle[0], floor * 0.86], reach, fading(ramp.at(0.3), 0.95), width > height ? 1.2 : 1),
    light(id(), [middle[0], floor * 0.95], reach * 0.55, fading(ramp.at(0.52), 0.6), 1.3),
    `<clipPath id="${clip}"><rect width="${n(width)}" height="${n(floor)}"/></clipPath>`,
    `<g clip-path="url(#${clip})">${beams(scene, floor)}</g>`,
    neon(scene, floor),
    crowd(scene, floor),
  ].join('');
}

function beams({ width, height, ramp, random, id, pixel }: Scene, floor: number): string {
  const chance = random('beams');
  const colours = [ramp.at(0.62), ramp.at(0.86), ramp.at(0.5), ramp.comp];
  const soft = id();
  const lamps = Array.from({ length: LAMPS }, (_, index) => {
    const x = width * ((index + 0.5) / LAMPS + chance.between(-0.035, 0.035));
    const target =
      width * (0.5 + (0.5 - x / width) * chance.between(0.35, 1.15) + chance.between(-0.06, 0.06));
    const [far, near] = [width * chance.between(0.045, 0.085), width * 0.006];
    const reach = floor * chance.between(0.96, 1.12);
    const fill = id();
    const colour = colours[(index + chance.below(2)) % colours.length] ?? ramp.own;
    const strength = colour === ramp.comp ? 0.34 : 0.62;
    return {
      beam: `${linear(
        fill,
        [x, 0],
        [target, reach],
        [
          [0, colour, strength],
          [0.4, colour, strength * 0.5],
          [1, colour, 0.02],
        ],
      )}<path d="M${n(x - near)} -4H${n(x + near)}L${n(target + far)} ${n(reach)}H${n(target - far)}Z" fill="url(#${fill})"/>`,
      lamp: disc([x, height * 0.004], Math.max(6.5, 2.4 * pixel), ramp.at(0.98)),
    };
  });
  const canvas: Box = { x: 0, y: 0, width, height };
  return `${blur(soft, 3, canvas)}<g filter="url(#${soft})" style="mix-blend-mode:screen">${lamps.map(({ beam }) => beam).join('')}</g>${lamps.map(({ lamp }) => lamp).join('')}`;
}

/** Three blurs of falling width around a bright line. */
function neon({ width, safe, sign, ramp, id, pixel }: Scene, floor: number): string {
  const top = floor * 0.17;
  const box: Box = { x: safe.x, y: top, width: safe.width, height: floor * 0.83 - top };
  const glyphs = arrange(sign, box, {
    gap: 0.42,
    weight: 0.1,
    maxSize: Math.min(width * 0.34, floor * 0.46),
  });
  const path = glyphs.map(({ strokes }) => pathOf(strokes)).join('');
  const size = glyphs[0]?.size ?? 100;
  const line = Math.max(size * 0.036, 2.2 * pixel);
  const canvas: Box = { x: 0, y: 0, width, height: floor };
  const glow = (colour: string, thick: number, deviation: number, see: number) => {
    const filter = id();
    return `${blur(filter, deviation, canvas)}<path d="${path}" stroke="${colour}" stroke-width="${n(thick)}" filter="url(#${filter})" opacity="${n(see)}"/>`;
  };
  return `<g fill="none" stroke-linecap="round" stroke-linejoin="round">${[
    glow(ramp.at(0.55), line * 5, size * 0.2, 0.75),
    glow(ramp.at(0.64), line * 3.4, size * 0.07, 0.95),
    glow(ramp.at(0.72), line * 1.9, size * 0.022, 1),
    `<path d="${path}" stroke="${ramp.at(0.99)}" stroke-width="${n(line)}"/>`,
  ].join('')}</g>`;
}

/** Rows of heads from the stage to us; every light stick has its own round glow. */
function crowd({ width, height, ramp, random, id, pixel }: Scene, floor: number): string {
  const chance = random('crowd');
  const deep = height - floor;
  const ground = id();
  const rows = Array.from({ length: CROWD_ROWS }, (_, row) => {
    const part = row / (CROWD_ROWS - 1);
    const size = Math.max(1.1 * pixel, deep * (0.016 + 0.05 * part));
    const y = floor + deep * (0.06 + 0.84 * part);
    const heads: Dot[] = [];
    const glows: Dot[] = [];
    const sticks: Dot[] = [];
    for (let x = -size; x < width + size; x += size * chance.between(3, 6.5)) {
      const head: Point = [x, y + size * chance.between(0.6, 2)];
      heads.push({ at: head, radius: size * 1.9, colour: ramp.at(0.03) });
      if (chance.chance(0.2)) continue;
      const at: Point = [x + size * chance.between(-1.6, 1.6), y - size * chance.between(0.4, 2.4)];
      const colour = chance.chance(0.09)
        ? ramp.comp
        : ramp.at([0.62, ramp.p, 0.78, 0.92][chance.below(4)] ?? 0.7);
      glows.push({ at, radius: size * chance.between(2.6, 4.4), colour });
      sticks.push({ at, radius: size * chance.between(0.8, 1.15), colour });
    }
    return `<g opacity=".17">${dotPaths(glows)}</g>${dotPaths(sticks)}${row < CROWD_ROWS - 1 ? dotPaths(heads) : ''}`;
  });
  return [
    linear(
      ground,
      [0, floor],
      [0, height],
      [
        [0, ramp.at(0.16)],
        [0.4, ramp.at(0.05)],
        [1, ramp.night],
      ],
    ),
    rect({ x: 0, y: floor, width, height: deep }, `url(#${ground})`),
    rows.join(''),
    rect({ x: 0, y: floor - Math.max(1, pixel / 2), width, height: Math.max(2, pixel) }, ramp.at(0.86)),
  ].join('');
}
