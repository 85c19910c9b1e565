import type { Box, Point } from './geometry.ts';
import { n } from './svg.ts';

export type Dot = { readonly at: Point; readonly radius: number; readonly colour: string };

/** Points of a hexagonal grid that covers a box, `pitch` apart, rows turned by `degrees` around the box's middle. */
export function hexagonal(box: Box, pitch: number, degrees = 0): Point[] {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [midX, midY] = [box.x + box.width / 2, box.y + box.height / 2];
  const reach = Math.hypot(box.width, box.height) / 2 + pitch;
  const rise = pitch * Math.sqrt(0.75);
  const points: Point[] = [];
  for (let row = -Math.ceil(reach / rise); row * rise <= reach; row += 1) {
    const shift = row % 2 === 0 ? 0 : pitch / 2;
    for (let x = -Math.ceil(reach / pitch) * pitch + shift; x <= reach; x += pitch) {
      const y = row * rise;
      const [px, py] = [midX + x * cos - y * sin, midY + x * sin + y * cos];
      const inside =
        px > box.x - pitch &&
        px < box.x + box.width + pitch &&
        py > box.y - pitch &&
        py < box.y + box.height + pitch;
      if (inside) points.push([px, py]);
    }
  }
  return points;
}

/** Dots as one path per colour and size: each is a round cap without a line. */
export function dotPaths(dots: readonly Dot[]): string {
  const groups = new Map<string, { readonly colour: string; readonly width: number; path: string }>();
  for (const { at, radius, colour } of dots) {
    const width = Math.round(radius * 4) / 2;
    if (width <= 0) continue;
    const key = `${colour} ${width}`;
    const group = groups.get(key) ?? { colour, width, path: '' };
    group.path += `M${n(at[0])} ${n(at[1])}h0`;
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(
      ({ colour, width, path }) =>
        `<path d="${path}" stroke="${colour}" stroke-width="${n(width)}" stroke-linecap="round"/>`,
    )
    .join('');
}
