import { NEUTRAL_CHROMA, type Oklch, readColour, writeColour } from '#content/art/oklch.ts';
import { ramp } from '#content/art/ramp.ts';

/** What a star's colour does on a page, each value `#rrggbb` (look.md §2.6). */
export type Roles = {
  /** Ground of buttons, own bubbles, the fandom card, tags; `on` is the text on it. */
  readonly fill: string;
  readonly on: string;
  /** Tint under tickets, calendar labels, the joined chip. */
  readonly soft: string;
  /** Perforation, chip outline, timeline. */
  readonly softLine: string;
  /** Names, kickers, dates, links. */
  readonly text: string;
  /** Rings, tab underline, dots, pull-quote bar. */
  readonly mark: string;
  /** Scrim under white text on art. */
  readonly deep: string;
};

type Mode = 'light' | 'dark';

/** Page grounds of each mode (look.md §2.1) on which `text` and `mark` have to hold: bg, surface, surface-2. */
const GROUNDS = {
  light: ['#ffffff', '#f6f7f9', '#eef0f4'],
  dark: ['#090c13', '#11151d', '#1a1e28'],
} as const satisfies Record<Mode, readonly string[]>;

const WHITE = '#ffffff';
const INK = '#0b0d13';
const STEP = 0.004;
const ON_CONTRAST = 4.5;
const TEXT_CONTRAST = 4.6;
const MARK_CONTRAST = 3.05;
/** The share of the ramp that is dark enough for white words: at least 15:1. */
const DEEP = 0.045;

/** What each role is made of. */
const colourByRole: Record<keyof Roles, (mode: Mode, own: Oklch, fandomColor: string) => string> = {
  fill: (mode, own) => fillAndOn(mode, own).fill,
  on: (mode, own) => fillAndOn(mode, own).on,
  soft: softTint,
  softLine,
  text: (mode, own) => readableText(mode, own, softTint(mode, own)),
  mark: (mode, own) => firstAgainst(GROUNDS[mode], MARK_CONTRAST, own, mode),
  deep: (_mode, _own, fandomColor) => ramp(fandomColor).at(DEEP),
};

/**
 * One role of a star's colour in both modes (look.md §2.6). Contrast is WCAG 2, measured on the rounded
 * `#rrggbb`. The seven of them take 0.15 ms, so lists ask for those that they show.
 * @param fandomColor `#rrggbb`
 * @throws RangeError when the colour is not `#rrggbb`.
 */
export function starRole(fandomColor: string, role: keyof Roles): Readonly<Record<Mode, string>> {
  const own = readColour(fandomColor);
  return {
    light: colourByRole[role]('light', own, fandomColor),
    dark: colourByRole[role]('dark', own, fandomColor),
  };
}

/** The fan colour itself where a text colour can stand on it, else the nearest lightness where one can. */
function fillAndOn(mode: Mode, own: Oklch): Pick<Roles, 'fill' | 'on'> {
  const start = fillLightness(mode, own);
  for (let d = 0; d <= 1; d += STEP) {
    if (d <= 0.06) {
      const darker = writeColour({ ...own, l: start - d });
      if (contrastOf(WHITE, darker) >= ON_CONTRAST) return { fill: darker, on: WHITE };
    }
    const lighter = writeColour({ ...own, l: Math.min(1, start + d) });
    if (contrastOf(INK, lighter) >= ON_CONTRAST) return { fill: lighter, on: INK };
  }
  return { fill: WHITE, on: INK };
}

function fillLightness(mode: Mode, own: Oklch): number {
  if (own.c < NEUTRAL_CHROMA) {
    if (mode === 'dark') return Math.max(0.8, own.l);
    return own.l > 0.6 ? 0.3 : Math.min(own.l, 0.3);
  }
  return Math.min(0.95, Math.max(mode === 'light' ? 0.25 : 0.46, own.l));
}

function softTint(mode: Mode, own: Oklch): string {
  if (mode === 'dark') return writeColour({ l: 0.265, c: Math.min(0.055, 0.32 * own.c), h: own.h });
  // The .004 of look.md is the most a neutral star gets: its own table has less (#f3f2f1, #f2f2f4).
  const c =
    own.c < NEUTRAL_CHROMA ? Math.min(0.004, 0.22 * own.c) : Math.min(0.035, Math.max(0.22 * own.c, 0.018));
  return writeColour({ l: 0.962, c, h: own.h });
}

function softLine(mode: Mode, own: Oklch): string {
  return mode === 'light'
    ? writeColour({ l: 0.875, c: Math.min(0.075, 0.5 * own.c), h: own.h })
    : writeColour({ l: 0.4, c: Math.min(0.085, 0.5 * own.c), h: own.h });
}

function readableText(mode: Mode, own: Oklch, soft: string): string {
  const start: Oklch =
    mode === 'light'
      ? { l: Math.min(own.l, 0.6), c: Math.min(own.c, 0.19), h: own.h }
      : { l: Math.max(own.l, 0.7), c: Math.min(own.c, 0.16), h: own.h };
  return firstAgainst([...GROUNDS[mode], soft], TEXT_CONTRAST, start, mode);
}

/**
 * The first lightness down (light) or up (dark) from `start`, in steps, at which the contrast holds on every ground.
 * Contrast only grows on the way, so the steps are halved instead of walked.
 */
function firstAgainst(grounds: readonly string[], contrast: number, start: Oklch, mode: Mode): string {
  const step = mode === 'light' ? -STEP : STEP;
  const colourAt = (steps: number) => writeColour({ ...start, l: start.l + steps * step });
  const holds = (steps: number) => {
    const colour = colourAt(steps);
    return grounds.every((ground) => contrastOf(colour, ground) >= contrast);
  };
  const most = Math.floor((mode === 'light' ? start.l : 1 - start.l) / STEP);
  if (!holds(most)) return mode === 'light' ? '#000000' : WHITE;
  let fails = -1;
  let good = most;
  while (good - fails > 1) {
    const middle = (good + fails) >> 1;
    if (holds(middle)) good = middle;
    else fails = middle;
  }
  return colourAt(good);
}

/** WCAG 2 contrast of two `#rrggbb`. */
function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Relative luminance of WCAG 2; every star asks for it a hundred times, so no colour is parsed as CSS for it. */
function luminanceOf(hex: string): number {
  const rgb = Number.parseInt(hex.slice(1), 16);
  return 0.2126 * linear(rgb >> 16) + 0.7152 * linear((rgb >> 8) & 255) + 0.0722 * linear(rgb & 255);
}

const linear = (channel: number) =>
  channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
