import { type Glyph, place } from '../layout.ts';
import { readColour } from '../oklch.ts';
import { boundsOf, pathOf } from '../outline.ts';
import type { Ramp } from '../ramp.ts';
import type { Scene } from '../scene.ts';
import { n, rect } from '../svg.ts';

const GLYPH = 0.46;
const STROKES = { far: 1.02, near: 0.62, sign: 0.215 };

/** The avatar: the first consonant in three round strokes, own colour the largest. No ids, so that pages can inline it. */
export function mark({ width, height, first, ramp }: Scene): string {
  const size = GLYPH * Math.min(width, height);
  const glyph = centred(place(first, [width / 2, height / 2], size), width, height);
  const path = pathOf(glyph.strokes);
  const { ground, far, sign } = tones(ramp);
  const stroke = (colour: string, thick: number) =>
    `<path d="${path}" stroke="${colour}" stroke-width="${n(thick * size)}"/>`;
  return `${rect({ x: 0, y: 0, width, height }, ground)}<g fill="none" stroke-linecap="round" stroke-linejoin="round">${stroke(far, STROKES.far)}${stroke(ramp.own, STROKES.near)}${stroke(sign, STROKES.sign)}</g>`;
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

/** Consonants do not fill their square evenly; the eye wants their ink in the middle. */
function centred(glyph: Glyph, width: number, height: number): Glyph {
  const box = boundsOf(glyph.strokes, 0);
  const [dx, dy] = [width / 2 - box.x - box.width / 2, height / 2 - box.y - box.height / 2];
  const strokes = glyph.strokes.map((stroke) =>
    stroke.kind === 'circle'
      ? { ...stroke, centre: [stroke.centre[0] + dx, stroke.centre[1] + dy] as const }
      : { ...stroke, points: stroke.points.map(([x, y]) => [x + dx, y + dy] as const) },
  );
  return { ...glyph, strokes };
}
