import { constellationOf } from './constellation.ts';
import { type Dot, dotPaths } from './dots.ts';
import type { Point } from './geometry.ts';
import type { Glyph } from './layout.ts';
import type { Random } from './random.ts';
import { disc, fading, n, stopsOf } from './svg.ts';

/** The inks of a sky map. */
export type SkyInk = {
  readonly star: string;
  readonly line: string;
  readonly grid: string;
  readonly hollow: string;
  /** The first star of the name. */
  readonly first: string;
  readonly glow: string;
};

const RINGS = 7;
const RAYS = 28;
const NODE_SHAKE = 0.045;
const HOLLOW_SHARE = 1 / 3;

/** Seven rings and 28 rays around the pole below the picture. */
export function graticule(width: number, height: number, ink: SkyInk, pixel: number): string {
  const [x, y] = [width * 0.5, height * 1.04];
  const reach = Math.hypot(x, y) * 1.02;
  const rings = Array.from({ length: RINGS }, (_, index) => {
    const radius = (reach * (index + 0.75)) / RINGS;
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}"/>`;
  });
  const rays = Array.from({ length: RAYS }, (_, index) => {
    const angle = ((index + 0.5) / RAYS) * 2 * Math.PI;
    const at = (distance: number) =>
      `${n(x + Math.cos(angle) * distance)} ${n(y + Math.sin(angle) * distance)}`;
    return `M${at((reach * 0.75) / RINGS)}L${at(reach * 1.2)}`;
  });
  const thin = n(Math.max(1.1, 0.8 * pixel));
  return `<g fill="none" stroke="${ink.grid}" stroke-width="${thin}"><g opacity=".3">${rings.join('')}</g><path d="${rays.join('')}" opacity=".15"/></g>`;
}

/** Stars without a name, most of them small. */
export function fieldStars(
  width: number,
  height: number,
  colour: (chance: number) => string,
  pixel: number,
  chance: Random,
): string {
  const dots: Dot[] = Array.from({ length: 170 }, () => ({
    at: [chance.next() * width, chance.next() * height],
    radius: Math.max(0.55 * pixel, 0.8 + 2.8 * chance.next() ** 4),
    colour: colour(chance.next()),
  }));
  return `<g opacity=".8">${dotPaths(dots)}</g>`;
}

/**
 * A sign among the stars: nodes shaken by 9 %, of seeded magnitude, a third of them hollow, the first larger and in its
 * own ink. Dotted lines lead from one consonant to the next.
 */
export function constellation(
  glyphs: readonly Glyph[],
  ink: SkyInk,
  pixel: number,
  chance: Random,
  glow: string,
): string {
  const size = glyphs[0]?.size ?? 100;
  const line = Math.max(size * 0.017, 1.3 * pixel);
  const figures = glyphs.map((glyph) => {
    const lift = chance.between(-0.06, 0.06) * size;
    const { nodes, links } = constellationOf(glyph);
    const shake = () => chance.between(-NODE_SHAKE, NODE_SHAKE) * size;
    return { nodes: nodes.map(([x, y]): Point => [x + shake(), y + lift + shake()]), links };
  });
  const lines = figures.flatMap(({ nodes, links }) =>
    links.map(([from, to]) => join(nodes[from], nodes[to])),
  );
  const bridges = figures
    .slice(1)
    .map((next, index) => join(...nearest(figures[index]?.nodes ?? [], next.nodes)));
  const stars = figures
    .flatMap(({ nodes }) => nodes)
    .map((star, index) => starOf(star, index === 0, { ink, size, line, pixel, chance, glow }));
  return [
    `<radialGradient id="${glow}">${stopsOf(fading(ink.glow, 0.6))}</radialGradient>`,
    `<path d="${bridges.join('')}" stroke="${ink.grid}" stroke-width="${n(line * 0.8)}" stroke-dasharray="${n(line)} ${n(line * 3)}" opacity=".55"/>`,
    `<path d="${lines.join('')}" stroke="${ink.line}" stroke-width="${n(line)}" stroke-linecap="round"/>`,
    stars.join(''),
  ].join('');
}

type StarStyle = {
  readonly ink: SkyInk;
  readonly size: number;
  readonly line: number;
  readonly pixel: number;
  readonly chance: Random;
  readonly glow: string;
};

function starOf(star: Point, first: boolean, { ink, size, line, pixel, chance, glow }: StarStyle): string {
  const magnitude = first ? 0.08 : 0.03 + 0.034 * chance.next() ** 1.5;
  const radius = Math.max(magnitude * size, 1.5 * pixel);
  const halo = (reach: number) =>
    `<g transform="translate(${n(star[0])} ${n(star[1])}) scale(${n(reach)})"><circle r="1" fill="url(#${glow})"/></g>`;
  if (first) return `${halo(radius * 2.4)}${disc(star, radius, ink.first)}`;
  if (chance.chance(HOLLOW_SHARE)) {
    return `<circle cx="${n(star[0])}" cy="${n(star[1])}" r="${n(radius * 0.9)}" fill="${ink.hollow}" stroke="${ink.star}" stroke-width="${n(line * 1.2)}"/>`;
  }
  return `${halo(radius * 3)}${disc(star, radius, ink.star)}`;
}

function join(from: Point | undefined, to: Point | undefined): string {
  return from && to ? `M${n(from[0])} ${n(from[1])}L${n(to[0])} ${n(to[1])}` : '';
}

/** The two stars of neighbouring figures that are closest. */
function nearest(left: readonly Point[], right: readonly Point[]): [Point | undefined, Point | undefined] {
  let best: [Point | undefined, Point | undefined] = [undefined, undefined];
  let least = Number.POSITIVE_INFINITY;
  for (const one of left) {
    for (const other of right) {
      const away = Math.hypot(one[0] - other[0], one[1] - other[1]);
      if (away < least) [least, best] = [away, [one, other]];
    }
  }
  return best;
}
