import type { Box, Point } from './geometry.ts';
import type { Ramp } from './ramp.ts';

/** A stop of a gradient; opacity is 1 when left out. */
type Stop = readonly [offset: number, colour: string, opacity?: number];

/** A number as short as SVG needs it. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A linear gradient between two points of the picture. */
export function linear(id: string, [x1, y1]: Point, [x2, y2]: Point, stops: readonly Stop[]): string {
  return `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}">${stopsOf(stops)}</linearGradient>`;
}

/** A radial gradient around a point of the picture. */
function radial(id: string, [x, y]: Point, radius: number, stops: readonly Stop[]): string {
  return `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${n(x)}" cy="${n(y)}" r="${n(radius)}">${stopsOf(stops)}</radialGradient>`;
}

/** Stops along the ramp; many, because the ramp bends its hue between its ends. */
export function rampStops(ramp: Ramp, from: number, to: number, count = 9): Stop[] {
  return Array.from({ length: count }, (_, index) => {
    const part = index / (count - 1);
    return [part, ramp.at(from + (to - from) * part)] as const;
  });
}

/** Stops of a light that dies away without an edge. */
export function fading(colour: string, strength: number, count = 8): Stop[] {
  return Array.from({ length: count + 1 }, (_, index) => {
    const part = index / count;
    return [part, colour, strength * Math.cos((Math.PI / 2) * part) ** 2] as const;
  });
}

/** A soft round light, `stretch` times as wide as high. */
export function light(
  id: string,
  [x, y]: Point,
  radius: number,
  stops: readonly Stop[],
  stretch = 1,
): string {
  const turn =
    stretch === 1
      ? ''
      : ` transform="translate(${n(x)} ${n(y)}) scale(${n(stretch)} 1) translate(${n(-x)} ${n(-y)})"`;
  return `${radial(id, [x, y], radius, stops)}<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="url(#${id})"${turn}/>`;
}

/**
 * A blur filter that works on `box` only, so that no renderer blurs more than is seen. In sRGB: SVG's own choice, linear light in
 * eight bits, tears dark gradients into bands.
 */
export function blur(id: string, deviation: number, { x, y, width, height }: Box): string {
  return `<filter id="${id}" filterUnits="userSpaceOnUse" x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="${n(deviation)}"/></filter>`;
}

export function rect({ x, y, width, height }: Box, fill: string): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}"/>`;
}

export function disc([x, y]: Point, radius: number, fill: string): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}"/>`;
}

/** Stops as elements, for gradients of other units. */
export function stopsOf(stops: readonly Stop[]): string {
  return stops
    .map(([offset, colour, opacity = 1]) => {
      const see = opacity === 1 ? '' : ` stop-opacity="${n(opacity)}"`;
      return `<stop offset="${n(offset)}" stop-color="${colour}"${see}/>`;
    })
    .join('');
}
