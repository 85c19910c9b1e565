import type { Box, Point } from './geometry.ts';
import type { Stroke } from './glyphs.ts';

/** How many flat pieces stand for a circle where only its area counts. */
const FACETS = 90;
/** SVG's own: a sharper corner is cut off. */
const MITER_LIMIT = 4;

/** SVG path data of the middle lines of strokes; stroked with a width they become the glyph. */
export function pathOf(strokes: readonly Stroke[]): string {
  return strokes.map(strokePath).join('');
}

/**
 * The area of thick strokes as convex polygons, all turning the same way, so that together (and swept) they fill
 * without holes under the non-zero rule.
 */
function piecesOf(strokes: readonly Stroke[], weight: number): Point[][] {
  return strokes.flatMap((stroke) =>
    stroke.kind === 'circle' ? ringPieces(stroke, weight) : linePieces(stroke, weight),
  );
}

/** The smallest upright box around thick strokes. */
export function boundsOf(strokes: readonly Stroke[], weight: number): Box {
  const all = piecesOf(strokes, weight).flat();
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Path data of everything that thick strokes cover while they move by a vector: their long shadow. */
export function sweptPath(strokes: readonly Stroke[], weight: number, [dx, dy]: Point): string {
  return piecesOf(strokes, weight)
    .flatMap((piece) => [
      piece,
      ...piece.map((point, index) => {
        const next = piece[(index + 1) % piece.length] ?? point;
        return turned([point, next, [next[0] + dx, next[1] + dy], [point[0] + dx, point[1] + dy]]);
      }),
      piece.map(([x, y]): Point => [x + dx, y + dy]),
    ])
    .map(polygonPath)
    .join('');
}

/** Path data of one closed polygon. */
export function polygonPath(polygon: readonly Point[]): string {
  return `M${polygon.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`;
}

/** The distance of a point to the middle line of the nearest stroke. */
export function distanceTo(strokes: readonly Stroke[], point: Point): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const stroke of strokes) {
    if (stroke.kind === 'circle') {
      const away = Math.hypot(point[0] - stroke.centre[0], point[1] - stroke.centre[1]);
      nearest = Math.min(nearest, Math.abs(away - stroke.radius));
    } else {
      for (const [from, to] of segmentsOf(stroke))
        nearest = Math.min(nearest, distanceToSegment(point, from, to));
    }
  }
  return nearest;
}

/** The straight segments of a line stroke, the closing one included. */
export function segmentsOf(stroke: Extract<Stroke, { kind: 'line' }>): [Point, Point][] {
  const { points, closed } = stroke;
  return points.flatMap((from, index): [Point, Point][] => {
    const to = points[index + 1] ?? (closed ? points[0] : undefined);
    return to ? [[from, to]] : [];
  });
}

function strokePath(stroke: Stroke): string {
  if (stroke.kind === 'circle') {
    const { centre, radius } = stroke;
    const arc = `a${round(radius)} ${round(radius)} 0 1 1 `;
    return `M${round(centre[0] - radius)} ${round(centre[1])}${arc}${round(2 * radius)} 0${arc}${round(-2 * radius)} 0Z`;
  }
  const points = stroke.points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L');
  return `M${points}${stroke.closed ? 'Z' : ''}`;
}

function linePieces(stroke: Extract<Stroke, { kind: 'line' }>, weight: number): Point[][] {
  const segments = segmentsOf(stroke);
  const half = weight / 2;
  const pieces = segments.map(([from, to]) => {
    const [nx, ny] = normal(from, to, half);
    return turned([
      [from[0] + nx, from[1] + ny],
      [to[0] + nx, to[1] + ny],
      [to[0] - nx, to[1] - ny],
      [from[0] - nx, from[1] - ny],
    ]);
  });
  const joins = segments.flatMap(([from, corner], index) => {
    const after = segments[index + 1] ?? (stroke.closed ? segments[0] : undefined);
    return after ? [miter(from, corner, after[1], half)] : [];
  });
  return [...pieces, ...joins];
}

/** The wedge that fills the outside of a corner up to the tip of its miter. */
function miter(from: Point, corner: Point, to: Point, half: number): Point[] {
  const [ax, ay] = normal(from, corner, half);
  const [bx, by] = normal(corner, to, half);
  const cross = (corner[0] - from[0]) * (to[1] - corner[1]) - (corner[1] - from[1]) * (to[0] - corner[0]);
  const side = cross > 0 ? -1 : 1;
  const [mx, my] = [ax + bx, ay + by];
  const middle = mx * mx + my * my;
  const reach = (2 * half * half) / (middle || 1);
  const tooSharp = 2 * half > MITER_LIMIT * Math.sqrt(middle);
  const tip: Point[] = tooSharp ? [] : [[corner[0] + side * mx * reach, corner[1] + side * my * reach]];
  return turned([
    corner,
    [corner[0] + side * ax, corner[1] + side * ay],
    ...tip,
    [corner[0] + side * bx, corner[1] + side * by],
  ]);
}

function ringPieces({ centre, radius }: Extract<Stroke, { kind: 'circle' }>, weight: number): Point[][] {
  const at = (index: number, distance: number): Point => {
    const angle = (index / FACETS) * 2 * Math.PI;
    return [centre[0] + Math.cos(angle) * distance, centre[1] + Math.sin(angle) * distance];
  };
  const [inner, outer] = [Math.max(0, radius - weight / 2), radius + weight / 2];
  return Array.from({ length: FACETS }, (_, index) =>
    turned([at(index, outer), at(index + 1, outer), at(index + 1, inner), at(index, inner)]),
  );
}

/** The vector of length `half` to the left of the way from one point to another. */
function normal(from: Point, to: Point, half: number): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  return [(-dy / length) * half, (dx / length) * half];
}

/** The same polygon, clockwise on the screen. */
function turned(polygon: Point[]): Point[] {
  let area = 0;
  for (const [index, [x, y]] of polygon.entries()) {
    const [nextX, nextY] = polygon[(index + 1) % polygon.length] ?? [x, y];
    area += x * nextY - nextX * y;
  }
  return area < 0 ? polygon.reverse() : polygon;
}

function distanceToSegment([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - ax - along * dx, py - ay - along * dy);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
