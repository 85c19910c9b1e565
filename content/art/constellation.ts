import type { Point } from './geometry.ts';
import type { Stroke } from './glyphs.ts';
import type { Glyph } from './layout.ts';
import { segmentsOf } from './outline.ts';

/** Stars of a consonant and the lines between them, as indexes of stars. */
type Constellation = {
  readonly nodes: readonly Point[];
  readonly links: readonly (readonly [number, number])[];
};

/** A circle is drawn by six stars. */
const CIRCLE_NODES = 6;

/**
 * The nodes of a glyph: every stroke end and corner, six for a circle (look.md §6.1). Where a stroke ends on another,
 * the line goes through that node, so that moving nodes never tears the figure.
 */
export function constellationOf({ strokes, size }: Glyph): Constellation {
  const same = 0.03 * size;
  const nodes: Point[] = [];
  const indexOf = (point: Point): number => {
    const existing = nodes.findIndex(([x, y]) => Math.hypot(x - point[0], y - point[1]) < same);
    return existing >= 0 ? existing : nodes.push(point) - 1;
  };
  const segments = strokes.flatMap(segmentsOfAny);
  for (const [from, to] of segments) {
    indexOf(from);
    indexOf(to);
  }
  const links = segments.flatMap(([from, to]) => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const passed = nodes
      .map(([x, y], index) => ({
        index,
        along: (x - from[0]) * ux + (y - from[1]) * uy,
        off: Math.abs((x - from[0]) * uy - (y - from[1]) * ux),
      }))
      .filter(({ along, off }) => off < same && along > -same && along < length + same)
      .sort((one, other) => one.along - other.along);
    return passed.slice(1).map(({ index }, at) => [passed[at]?.index ?? index, index] as const);
  });
  return { nodes, links };
}

function segmentsOfAny(stroke: Stroke): [Point, Point][] {
  if (stroke.kind === 'line') return segmentsOf(stroke);
  const at = (index: number): Point => {
    const angle = (index / CIRCLE_NODES) * 2 * Math.PI - Math.PI / 2;
    return [
      stroke.centre[0] + Math.cos(angle) * stroke.radius,
      stroke.centre[1] + Math.sin(angle) * stroke.radius,
    ];
  };
  return Array.from({ length: CIRCLE_NODES }, (_, index) => [at(index), at(index + 1)]);
}
