import type { Box } from '../geometry.ts';
import type { Scene } from '../scene.ts';
import { bust } from '../silhouettes.ts';
import { blur, fading, light, linear, n, rampStops, rect } from '../svg.ts';

/** Someone against the light, just out of focus. Never for avatars: it could be anybody. */
export function aura(scene: Scene): string {
  const { width, height, focus, ramp, random, id } = scene;
  const chance = random('person');
  const side = chance.side();
  const tall = height >= width;
  const size = (tall ? width * 0.92 : height * 1.12) * chance.between(0.95, 1.05);
  const unit = size / 100;
  const x = focus[0] + (tall ? 0 : side * width * -0.04) - side * size * 0.05;
  const crown = height * (tall ? 0.17 : 0.1) + (width > 2 * height ? height * 0.04 : 0);
  const tilt = side * chance.between(5, 11);
  const behind: [number, number] = [x + side * size * 0.2, crown + size * 0.28];
  const body = id();
  const outline = bust(scene.people, chance);
  const glance = chance.side();
  const place = `translate(${n(x)} ${n(crown)}) rotate(${n(tilt * 0.55)} 0 ${n(70 * unit)}) scale(${(unit * side * glance).toFixed(3)} ${unit.toFixed(3)})`;
  const [soft, rim, edge, inside] = [id(), id(), id(), id()];
  // larger than the picture: a blur must not see the edge
  const bleed: Box = { x: -width * 0.2, y: -height * 0.2, width: width * 1.4, height: height * 1.4 };
  return [
    lights(scene, behind, side, size),
    linear(body, [0, 0], [0, 110], rampStops(ramp, 0.3, 0.02, 6)),
    blur(soft, size * 0.007, bleed),
    blur(rim, 2.8, { x: -90, y: -60, width: 180, height: 240 }),
    `<clipPath id="${inside}"><path d="${outline}"/></clipPath>`,
    `<g filter="url(#${soft})"><g transform="${place}"><path d="${outline}" fill="url(#${body})"/>`,
    linear(
      edge,
      [glance * 34, 0],
      [-glance * 8, 0],
      [
        [0, ramp.at(0.8), 0.75],
        [1, ramp.at(0.7), 0],
      ],
    ),
    `<g clip-path="url(#${inside})"><path d="${outline}" fill="none" stroke="url(#${edge})" stroke-width="5" filter="url(#${rim})"/></g></g></g>`,
  ].join('');
}

/** Six lights: one behind the head, one warm and one cold at the edges, three that carry the air. */
function lights(
  { width, height, ramp, random, id }: Scene,
  behind: [number, number],
  side: number,
  size: number,
): string {
  const chance = random('air');
  const reach = Math.max(width, height);
  const x = (part: number) => (side > 0 ? part : 1 - part) * width;
  return [
    rect({ x: 0, y: 0, width, height }, ramp.at(0.42)),
    light(id(), [x(0), 0], reach * 0.7, fading(ramp.at(0.26), 0.95)),
    light(id(), [x(1), height * chance.between(0, 0.2)], reach * 0.6, fading(ramp.at(0.58), 0.9)),
    light(id(), [x(0), height * chance.between(0.75, 0.95)], reach * 0.5, fading(ramp.second, 0.8)),
    light(id(), [x(1), height], reach * 0.42, fading(ramp.comp, 0.75)),
    light(id(), behind, size * 0.95, fading(ramp.at(0.74), 0.95)),
    light(id(), behind, size * 0.56, fading(ramp.at(0.985), 1)),
  ].join('');
}
