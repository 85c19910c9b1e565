import { constellationOf } from '../constellation.ts';
import { type Dot, dotPaths } from '../dots.ts';
import type { Box } from '../geometry.ts';
import { arrange } from '../layout.ts';
import type { Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { company, standing } from '../silhouettes.ts';
import { blur, disc, fading, light, linear, n, rampStops, rect } from '../svg.ts';

type Sun = { readonly x: number; readonly y: number; readonly radius: number };

/** People before a rising disc at the water, the name above them among the stars. */
export function horizon(scene: Scene): string {
  const { width, height, ramp, random, id } = scene;
  const line = height * horizonLine(width / height);
  const sun = sunOf(scene, line);
  const sky = id();
  const people = peopleOf(scene, sun, line);
  return [
    linear(sky, [0, 0], [0, line], rampStops(ramp, 0.1, 0.66)),
    rect({ x: 0, y: 0, width, height: line + 1 }, `url(#${sky})`),
    light(id(), [sun.x, sun.y], sun.radius * 2.3, fading(ramp.at(0.74), 0.8)),
    fieldStars(scene, line, sun, random('stars')),
    discOf(scene, sun, line),
    name(scene, sun),
    water(scene, line, sun, people.reflected),
    people.upright,
  ].join('');
}

function horizonLine(ratio: number): number {
  if (ratio > 2) return 0.71;
  if (ratio > 1.15) return 0.72;
  return ratio > 0.95 ? 0.68 : 0.66;
}

function sunOf({ width, height, focus, figures, random }: Scene, line: number): Sun {
  const chance = random('sun');
  const ratio = width / height;
  const space = ratio > 1.15 ? height * 0.34 : width * 0.35;
  const radius = space * chance.between(0.94, 1.04) * (figures > 5 && ratio <= 1.15 ? 1.08 : 1);
  const aside = ratio > 1.15 && ratio < 2 ? chance.between(-0.02, 0.14) * width * chance.side() : 0;
  return { x: focus[0] + aside, y: line - radius * chance.between(0.36, 0.46), radius };
}

function discOf({ ramp, id }: Scene, { x, y, radius }: Sun, line: number): string {
  const [face, clip, warm] = [id(), id(), id()];
  const halos = [1.26, 1.52, 1.8].map(
    (part, index) =>
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * part)}" fill="none" stroke="${ramp.at(0.9)}" stroke-width="1.6" opacity="${n(0.42 - index * 0.11)}"/>`,
  );
  const foot = Math.min(line, y + radius);
  return [
    `<clipPath id="${clip}"><rect x="${n(x - radius * 2)}" y="${n(y - radius * 2)}" width="${n(radius * 4)}" height="${n(line - y + radius * 2)}"/></clipPath>`,
    linear(
      face,
      [x, y - radius],
      [x, foot],
      [
        [0, ramp.at(0.99)],
        [0.6, ramp.at(0.92)],
        [1, ramp.at(0.86)],
      ],
    ),
    linear(
      warm,
      [x, y + radius * 0.02],
      [x, foot],
      [
        [0, ramp.comp, 0],
        [0.5, ramp.comp, 0.22],
        [1, ramp.comp, 0.66],
      ],
    ),
    `<g clip-path="url(#${clip})">${halos.join('')}${disc([x, y], radius, `url(#${face})`)}${disc([x, y], radius, `url(#${warm})`)}</g>`,
  ].join('');
}

function fieldStars({ width, ramp, pixel }: Scene, line: number, sun: Sun, chance: Random): string {
  const dots: Dot[] = [];
  for (let index = 0; index < width / 9; index += 1) {
    const [x, y] = [chance.next() * width, line * 0.9 * chance.next() ** 1.4];
    const radius = Math.max(0.55 * pixel, 0.7 + 1.9 * chance.next() ** 3);
    const clear = Math.hypot(x - sun.x, y - sun.y) > sun.radius * 1.06;
    if (clear) dots.push({ at: [x, y], radius, colour: ramp.at(chance.between(0.7, 0.97)) });
  }
  return `<g opacity=".8">${dotPaths(dots)}</g>`;
}

/** The name as a constellation over the disc, or at the upper left where the picture is wide. */
function name(scene: Scene, sun: Sun): string {
  const { width, height, sign, ramp, random, pixel } = scene;
  const chance = random('name');
  const wide = width > 2 * height;
  const top = sun.y - sun.radius;
  const box: Box = wide
    ? { x: width * 0.06, y: height * 0.07, width: width * 0.36, height: height * 0.26 }
    : { x: width * 0.16, y: top * 0.2, width: width * 0.68, height: top * 0.62 };
  const glyphs = arrange(sign, box, { gap: 0.55, weight: 0.06, maxSize: wide ? 96 : 78 });
  const thin = Math.max(1.5, 1.1 * pixel);
  return glyphs
    .map((glyph, index) => {
      const lift = (index % 2 === 0 ? -1 : 1) * glyph.size * chance.between(0.05, 0.13);
      const { nodes, links } = constellationOf(glyph);
      const lines = links
        .map(([from, to]) => [nodes[from] ?? [0, 0], nodes[to] ?? [0, 0]] as const)
        .map(([[x1, y1], [x2, y2]]) => `M${n(x1)} ${n(y1 + lift)}L${n(x2)} ${n(y2 + lift)}`)
        .join('');
      const stars = nodes.map(
        ([x, y]): Dot => ({
          at: [x, y + lift],
          radius: Math.max(1.2 * pixel, glyph.size * (0.036 + 0.05 * chance.next() ** 1.6)),
          colour: ramp.at(1),
        }),
      );
      return `<path d="${lines}" fill="none" stroke="${ramp.at(0.86)}" stroke-width="${n(thin)}" stroke-linecap="round"/>${dotPaths(stars)}`;
    })
    .join('');
}

function peopleOf(
  { height, width, figures, people, ramp, random, pixel }: Scene,
  sun: Sun,
  line: number,
): { upright: string; reflected: string } {
  const chance = random('people');
  const size = Math.min(height * (width > 2 * height ? 0.25 : 0.235), sun.radius * 0.86);
  const pitch = Math.min(size * 0.42, (1.72 * sun.radius) / figures);
  const feet = line + 2 * pixel + size * 0.012;
  const ink = ramp.at(0.02);
  const all = company(figures, people, chance).map((person, index) => ({
    ...person,
    x: sun.x + (index - (figures - 1) / 2) * pitch + (figures > 1 ? chance.between(-0.05, 0.05) * pitch : 0),
    tall: size * person.height * (figures === 1 ? 1.12 : 1),
  }));
  const draw = (sense: 1 | -1) =>
    all.map(({ shape, x, tall, mirrored }) => standing(shape, x, feet, sense * tall, mirrored, ink)).join('');
  return { upright: draw(1), reflected: draw(-1) };
}

function water(scene: Scene, line: number, sun: Sun, reflected: string): string {
  const { width, height, ramp, random, id, pixel } = scene;
  const [depth, soft, fade, veil] = [id(), id(), id(), id()];
  const box: Box = { x: 0, y: line, width, height: height - line };
  return [
    linear(depth, [0, line], [0, height], rampStops(ramp, 0.36, 0.07)),
    rect(box, `url(#${depth})`),
    light(id(), [sun.x, line], sun.radius * 0.5, fading(ramp.at(0.6), 0.5), 2.6).replace(
      '<circle',
      `<circle clip-path="url(#${veil})"`,
    ),
    `<clipPath id="${veil}"><rect x="0" y="${n(line)}" width="${n(width)}" height="${n(height - line)}"/></clipPath>`,
    blur(soft, 2.4, box),
    linear(
      fade,
      [0, line],
      [0, height],
      [
        [0, '#fff'],
        [0.9, '#333'],
      ],
    ),
    `<mask id="${fade}m" maskUnits="userSpaceOnUse" x="0" y="${n(line)}" width="${n(width)}" height="${n(height - line)}">${rect(box, `url(#${fade})`)}</mask>`,
    glitter(scene, line, sun, random('water'), pixel),
    `<g clip-path="url(#${veil})"><g mask="url(#${fade}m)" opacity=".72" filter="url(#${soft})">${reflected}</g></g>`,
  ].join('');
}

/** Strips of light: broad and many under the sun, rare and dim beside it. */
function glitter(
  { width, height, ramp }: Scene,
  line: number,
  sun: Sun,
  chance: Random,
  pixel: number,
): string {
  const strips: string[] = [];
  const rows = 26;
  for (let row = 0; row < rows; row += 1) {
    const part = (row + 0.6) / rows;
    const y = line + (height - line) * part ** 1.12;
    const thick = Math.max(pixel, 1.6 + 3.4 * part);
    const spread = sun.radius * (1.15 - 0.5 * part);
    for (let times = 0; times < 3; times += 1) {
      const length = sun.radius * chance.between(0.12, 0.8) * (1 - 0.4 * part);
      const x = sun.x + spread * (chance.next() + chance.next() - 1) - length / 2;
      const colour = chance.chance(0.12) ? ramp.comp : ramp.at(chance.between(0.56, 1));
      const see = chance.between(0.35, 0.95) * (1 - 0.55 * part);
      strips.push(strip(x, y + chance.between(-1, 1) * 2, length, thick, colour, see));
    }
    const far = chance.next() * width;
    strips.push(strip(far, y, width * chance.between(0.03, 0.12), Math.max(pixel, 1.2), ramp.at(0.5), 0.28));
  }
  return `<g stroke-linecap="round">${strips.join('')}</g>`;
}

function strip(x: number, y: number, length: number, thick: number, colour: string, see: number): string {
  return `<path d="M${n(x)} ${n(y)}h${n(length)}" stroke="${colour}" stroke-width="${n(thick)}" opacity="${n(see)}"/>`;
}
