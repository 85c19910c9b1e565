import { NEUTRAL_CHROMA, type Oklch, readColour, wrapHue, writeColour } from './oklch.ts';
import type { Random } from './random.ts';

const DARKEST = 0.14;
const RANGE = 0.835;
const VIOLET_BLUE = 285;
const YELLOW = 90;
const NEUTRAL_SHADE = 0.03;
const MIDDLE_LEAN = { shade: 73, light: 41 };

/** How far, in degrees, shadows may lean to violet-blue and lights to yellow. */
type Lean = { readonly shade: number; readonly light: number };

/** All colours of one star's pictures, from its fan colour (look.md §6.2). */
export type Ramp = {
  /** The colour at t: 0 the darkest, 1 the lightest. */
  at(t: number): string;
  /** Where the fan colour itself sits on the ramp. */
  readonly p: number;
  /** The fan colour. */
  readonly own: string;
  /** Counter-light: the small warm or cold accent against the rest. */
  readonly comp: string;
  /** Second ink of prints. */
  readonly second: string;
  /** The unlit ground of stages and film. */
  readonly night: string;
};

/** Draws the leans of one picture from its seed. */
export function seededLean(random: Random): Lean {
  return { shade: random.between(62, 84), light: random.between(34, 48) };
}

/**
 * The ramp of a fan colour. Without a lean the middle of the seeded range is taken, so that roles of a star
 * (look.md §2.6 `deep`, the placeholder) do not depend on a picture.
 * @throws RangeError when `fandomColor` is not `#rrggbb`.
 */
export function ramp(fandomColor: string, lean: Lean = MIDDLE_LEAN): Ramp {
  // Written as all other steps are: a page with two dozen signs is a hundred bytes smaller on the wire.
  const base = fandomColor.toLowerCase();
  const own = readColour(base);
  return own.c < NEUTRAL_CHROMA ? neutralRamp(base, own, lean) : chromaticRamp(base, own, lean);
}

/** `#rrggbb` that stands in for a picture in a star's colours while it loads. */
export function placeholderOf(fandomColor: string): string {
  return ramp(fandomColor).at(0.34);
}

function chromaticRamp(hex: string, own: Oklch, lean: Lean): Ramp {
  const p = clamp((own.l - DARKEST) / RANGE, 0.3, 0.9);
  const chroma = clamp(own.c, leastChroma(own.c), 0.215);
  const shade = bounded(wayToViolet(own.h), lean.shade);
  const light = bounded(shorterWay(own.h, YELLOW), lean.light);
  const hueAt = (t: number) =>
    wrapHue(own.h + (t < p ? shade * ((p - t) / p) ** 0.85 : light * ((t - p) / (1 - p)) ** 1.1));
  return {
    at: (t) => writeColour({ l: lightness(t), c: chroma * swell(t), h: hueAt(t) }),
    p,
    own: hex,
    ...inks(own.h, shade, hueAt(0)),
  };
}

/** .125, less for muted colours, so that fog does not turn to sky: .06 where neutral begins. */
function leastChroma(c: number): number {
  return clamp(0.06 + ((c - NEUTRAL_CHROMA) / 0.05) * 0.065, 0.06, 0.125);
}

/**
 * White and black stars: the scale is bent so that the star stays white or black in its picture. Shadows are a cool slate,
 * lights keep the star's own breath of colour; between them the colour goes straight through grey, not round the hues.
 */
function neutralRamp(hex: string, own: Oklch, lean: Lean): Ramp {
  const bend = own.l > 0.6 ? (t: number) => t ** 0.62 : (t: number) => 0.9 * t ** 1.55;
  const cold = wrapHue(VIOLET_BLUE - lean.shade * 0.2);
  const mixed = (t: number): Pick<Oklch, 'c' | 'h'> => {
    const part = clamp((t - 0.35) / 0.5, 0, 1);
    const [coldC, ownC] = [NEUTRAL_SHADE * (1 - part), Math.min(own.c, 0.012) * part];
    const a = coldC * cosine(cold) + ownC * cosine(own.h);
    const b = coldC * cosine(cold - 90) + ownC * cosine(own.h - 90);
    return { c: Math.hypot(a, b), h: wrapHue((Math.atan2(b, a) * 180) / Math.PI) };
  };
  return {
    at: (t) => writeColour({ l: lightness(bend(clamp(t, 0, 1))), ...mixed(t) }),
    p: clamp((own.l - DARKEST) / RANGE, 0.3, 0.9),
    own: hex,
    comp: writeColour({ l: 0.84, c: 0.11, h: wrapHue(YELLOW - 10) }),
    second: writeColour({ l: 0.6, c: 0.14, h: wrapHue(VIOLET_BLUE + 8) }),
    night: writeColour({ l: 0.12, c: 0.025, h: cold }),
  };
}

function cosine(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}

function inks(hue: number, shade: number, darkHue: number): Pick<Ramp, 'comp' | 'second' | 'night'> {
  return {
    comp: writeColour({ l: 0.84, c: 0.16, h: wrapHue(hue - 1.35 * shade) }),
    second: writeColour({ l: 0.6, c: 0.19, h: wrapHue(hue + shade) }),
    night: writeColour({ l: 0.12, c: 0.045, h: darkHue }),
  };
}

function lightness(t: number): number {
  return DARKEST + RANGE * t;
}

/** Chroma rises from the shadows to the middle and fades out above .9, where a light has no colour left. */
function swell(t: number): number {
  const fade = t > 0.9 ? 1 - ((t - 0.9) / 0.1) * 0.6 : 1;
  return (0.5 + 0.62 * Math.sin(Math.PI * Math.min(1, 1.02 * t))) * fade;
}

/** Yellows shade through red: the shorter way to violet would lead them through olive. */
function wayToViolet(hue: number): number {
  const way = shorterWay(hue, VIOLET_BLUE);
  return hue >= 84 && hue <= 112 && way > 0 ? way - 360 : way;
}

function shorterWay(from: number, to: number): number {
  return wrapHue(to - from + 180) - 180;
}

function bounded(way: number, max: number): number {
  return Math.sign(way) * Math.min(Math.abs(way), max);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
