import type { Point } from '../geometry.ts';
import { type Consonant, weightOf } from '../glyphs.ts';
import { type Glyph, place } from '../layout.ts';
import type { MarkStyle } from '../mark-styles.ts';
import { readColour } from '../oklch.ts';
import { boundsOf, pathOf } from '../outline.ts';
import type { Ramp } from '../ramp.ts';
import type { Scene } from '../scene.ts';
import { n, rect } from '../svg.ts';

const GLYPH = 0.46;
/** Two consonants stand side by side: the size of each and the way between their middles. */
const PAIR = { glyph: 0.31, apart: 0.42 };
/** Initial consonants that every Korean reads as an insult. */
const SWEAR_WORDS = new Set(['ㅅㅂ', 'ㅆㅂ', 'ㅂㅅ', 'ㅈㄹ', 'ㅈㄴ', 'ㅁㅊ', 'ㄲㅈ', 'ㄷㅊ', 'ㄴㅁ']);
/** Thickness as shares of the glyph; the sign's own as a share of a bold stroke. */
const STROKES = { far: 1.02, near: 0.62, sign: 0.86 };

/** The avatar: the sign in three round strokes, own colour the largest. No ids, so that pages can inline it. */
export function mark(scene: Scene, style: MarkStyle = 'first'): string {
  return strokesOf(scene, style, markTones(scene, style));
}

/** Its strokes without its colours: how much of red, green and blue a pixel has is how much of the far, the near and the sign's own stroke is seen there. */
export function markLayers(scene: Scene, style: MarkStyle): string {
  return strokesOf(scene, style, { ground: '#000', far: '#f00', near: '#0f0', sign: '#00f' });
}

/** `#rrggbb` of its ground and strokes. */
export function markTones({ ramp }: Scene, style: MarkStyle): MarkTones {
  return isTurned(style) ? turnedTones(ramp) : tones(ramp);
}

function strokesOf(scene: Scene, style: MarkStyle, { ground, far, near, sign }: MarkTones): string {
  const { width, height } = scene;
  const { path, size, weight } = signOf(scene, style);
  const stroke = (colour: string, thick: number) =>
    `<path d="${path}" stroke="${colour}" stroke-width="${n(thick * size)}"/>`;
  return `${rect({ x: 0, y: 0, width, height }, ground)}<g fill="none" stroke-linecap="round" stroke-linejoin="round">${stroke(far, STROKES.far)}${stroke(near, STROKES.near)}${stroke(sign, STROKES.sign * weight)}</g>`;
}

function signOf({ width, height, sign, first }: Scene, style: MarkStyle) {
  const side = Math.min(width, height);
  const middle: Point = [width / 2, height / 2];
  const second = pairOf(sign)?.[1];
  if (!second || !(style === 'pair' || style === 'pair-turned')) {
    const size = GLYPH * side;
    return { path: pathOf(centred(first, middle, size).strokes), size, weight: weightOf(first) };
  }
  const size = PAIR.glyph * side;
  const strokes = [first, second].flatMap((consonant, index) => {
    const x = middle[0] + (index - 0.5) * PAIR.apart * side;
    return centred(consonant, [x, middle[1]], size).strokes;
  });
  return { path: pathOf(strokes), size, weight: Math.min(weightOf(first), weightOf(second)) };
}

/**
 * The first two consonants of a sign that differ; undefined when there are none, or when the two are what Koreans type
 * for a swear word.
 */
export function pairOf(sign: readonly Consonant[]): readonly [Consonant, Consonant] | undefined {
  const [first, ...others] = sign;
  const second = others.find((each) => each !== first);
  if (!first || !second || SWEAR_WORDS.has(first + second)) return undefined;
  return [first, second];
}

function isTurned(style: MarkStyle): boolean {
  return style === 'first-turned' || style === 'pair-turned';
}

export type MarkTones = Readonly<Record<'ground' | 'far' | 'near' | 'sign', string>>;

/** A black star is lit from behind: its ground is lighter than itself. */
function tones(ramp: Ramp): MarkTones {
  const { l } = readColour(ramp.own);
  const near = ramp.own;
  if (l < 0.26) return { ground: ramp.at(0.48), far: ramp.at(0.3), near, sign: ramp.at(0.985) };
  return {
    ground: ramp.at(ramp.p - 0.34),
    far: ramp.at(ramp.p - 0.16),
    near,
    sign: ramp.at(l > 0.74 ? 0.12 : 0.985),
  };
}

/** The light from the other side: the own colour's body stands against a pale ground, a pale star's against a dark one. */
function turnedTones(ramp: Ramp): MarkTones {
  const { l } = readColour(ramp.own);
  if (l > 0.74)
    return { ground: ramp.at(0.1), far: ramp.own, near: ramp.at(ramp.p - 0.16), sign: ramp.at(0.05) };
  return { ground: ramp.at(0.93), far: ramp.own, near: ramp.at(ramp.p - 0.24), sign: ramp.at(0.985) };
}

/** Consonants do not fill their square evenly; the eye wants their lines in the middle. */
function centred(consonant: Consonant, [x, y]: Point, size: number): Glyph {
  const lines = boundsOf(place(consonant, [0, 0], size).strokes, 0);
  return place(consonant, [x - lines.x - lines.width / 2, y - lines.y - lines.height / 2], size);
}
