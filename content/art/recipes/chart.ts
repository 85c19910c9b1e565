import { arrange } from '../layout.ts';
import type { Scene } from '../scene.ts';
import { constellation, fieldStars, graticule, type SkyInk } from '../sky.ts';
import { fading, light, linear, rampStops, rect } from '../svg.ts';

/** A page of the sky atlas: the name among the stars. */
export function chart(scene: Scene): string {
  const { width, height, safe, sign, ramp, random, id, pixel } = scene;
  const side = random('sky').side();
  const reach = Math.max(width, height);
  const base = id();
  const ink = inkOf(scene);
  const glyphs = arrange(sign, safe, { gap: 0.5, weight: 0.2, maxSize: Math.min(width, height) * 0.44 });
  return [
    linear(base, [0, 0], [0, height], rampStops(ramp, 0.34, 0.12)),
    rect({ x: 0, y: 0, width, height }, `url(#${base})`),
    light(id(), [side > 0 ? width : 0, height * 0.02], reach * 0.6, fading(ramp.at(0.56), 0.85)),
    light(id(), [side > 0 ? width * 0.1 : width * 0.9, height], reach * 0.6, fading(ramp.at(0.06), 0.8)),
    light(id(), [side > 0 ? 0 : width, height * 0.2], reach * 0.5, fading(ramp.at(0.16), 0.7)),
    graticule(width, height, ink, pixel),
    fieldStars(width, height, (part) => ramp.at(0.55 + 0.4 * part), pixel, random('field')),
    constellation(glyphs, ink, pixel, random('name'), id()),
  ].join('');
}

/** The first star has the own colour, lifted where it would drown in its own night. */
function inkOf({ ramp }: Scene): SkyInk {
  return {
    star: ramp.at(0.985),
    line: ramp.at(0.88),
    grid: ramp.at(0.8),
    hollow: ramp.at(0.08),
    first: ramp.p < 0.58 ? ramp.at(0.66) : ramp.own,
    glow: ramp.at(0.86),
  };
}
