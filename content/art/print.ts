import { readColour, writeColour } from './oklch.ts';
import type { Ramp } from './ramp.ts';

/** Paper of printed pictures and how inks lie on it. */
type Paper = { readonly colour: string; readonly blend: 'multiply' | 'screen' };

/** Pale paper; for a star whose colour is white, dark paper and opaque light inks. */
export function paperOf(ramp: Ramp): Paper {
  return isWhite(ramp)
    ? { colour: ramp.at(0.14), blend: 'screen' }
    : { colour: palePaper(ramp), blend: 'multiply' };
}

/** The pale paper of every star, black ones included. */
export function palePaper(ramp: Ramp): string {
  const { c, h } = readColour(ramp.at(0.985));
  return writeColour({ l: 0.965, c: Math.max(c, 0.008), h });
}

/** The own colour as an ink: pale ones are laid on thicker, so that they part from the paper. */
export function inkOf(ramp: Ramp): string {
  const { l, c, h } = readColour(ramp.own);
  return isWhite(ramp) || l < 0.86 ? ramp.own : writeColour({ l: 0.86, c: Math.max(c, 0.14), h });
}

/** The own colour as an ink for pale paper: white becomes silver. */
export function inkOnPale(ramp: Ramp): string {
  return isWhite(ramp) ? ramp.at(0.5) : inkOf(ramp);
}

/** True when nothing printed over the own colour could be seen. */
export function swallowsInk(ramp: Ramp): boolean {
  return readColour(ramp.own).l < 0.36;
}

function isWhite(ramp: Ramp): boolean {
  const { l, c } = readColour(ramp.own);
  return l > 0.88 && c < 0.03;
}
