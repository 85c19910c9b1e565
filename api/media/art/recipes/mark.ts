import { type Consonant, type Point, weightOf } from '../glyphs.ts';
import { type Glyph, place } from '../layout.ts';
import { readColour } from '../oklch.ts';
import { boundsOf, pathOf } from '../outline.ts';
import type { Ramp } from '../ramp.ts';
import type { Scene } from '../scene.ts';
import { n, rect } from '../svg.ts';

const GLYPH = 0.46;
/** Thickness as shares of the glyph; the sign's own as a share of a bold stroke. */
const STROKES = { far: 1.02, near: 0.62, sign: 0.86 };

/** The avatar: the first consonant in three round strokes, own colour the largest. No ids, so that pages can inline it. */
export function mark({ width, height, first, ramp }: Scene): string {
  const size = GLYPH * Math.min(width, height);
  const glyph = centred(first, [width / 2, height / 2], size);
  const path = pathOf(glyph.strokes);
  const { ground, far, sign } = tones(ramp);
  const stroke = (colour: string, thick: number) =>
    `<path d="${path}" stroke="${colour}" stroke-width="${n(thick * size)}"/>`;
  return `${rect({ x: 0, y: 0, width, height }, ground)}<g fill="none" stroke-linecap="round" stroke-linejoin="round">${stroke(far, STROKES.far)}${stroke(ramp.own, STROKES.near)}${stroke(sign, STROKES.sign * weightOf(first))}</g>`;
}

/** A black star is lit from behind: its ground is lighter than itself. */
function tones(ramp: Ramp): { ground: string; far: string; sign: string } {
  const { l } = readColour(ramp.own);
  if (l < 0.26) return { ground: ramp.at(0.48), far: ramp.at(0.3), sign: ramp.at(0.985) };
  return {
    ground: ramp.at(ramp.p - 0.34),
    far: ramp.at(ramp.p - 0.16),
    sign: ramp.at(l > 0.74 ? 0.12 : 0.985),
  };
}

/** Consonants do not fill their square evenly; the eye wants their lines in the middle. */
function centred(consonant: Consonant, [x, y]: Point, size: number): Glyph {
  const lines = boundsOf(place(consonant, [0, 0], size).strokes, 0);
  return place(consonant, [x - lines.x - lines.width / 2, y - lines.y - lines.height / 2], size);
}
