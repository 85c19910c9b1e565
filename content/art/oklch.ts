import { clampChroma, converter, formatHex } from 'culori';

/** A colour as lightness 0–1, chroma and hue in degrees. */
export type Oklch = { readonly l: number; readonly c: number; readonly h: number };

/** Below this chroma a fan colour counts as white, grey or black (look.md §2.6). */
export const NEUTRAL_CHROMA = 0.03;

const toOklch = converter('oklch');
const HEX = /^#[0-9a-f]{6}$/i;

/**
 * Reads `#rrggbb`.
 * @throws RangeError when the text is anything else; fan colours are checked where they enter.
 */
export function readColour(hex: string): Oklch {
  const colour = HEX.test(hex) ? toOklch(hex) : undefined;
  if (!colour) throw new RangeError(`not a #rrggbb colour: ${hex}`);
  return { l: colour.l, c: colour.c, h: colour.h ?? 0 };
}

/** Writes `#rrggbb`; what sRGB cannot show keeps its lightness and hue and loses chroma. */
export function writeColour({ l, c, h }: Oklch): string {
  return formatHex(clampChroma({ mode: 'oklch', l, c, h }, 'oklch', 'rgb'));
}

/** A hue in degrees brought into 0 … 360. */
export function wrapHue(hue: number): number {
  return ((hue % 360) + 360) % 360;
}
