import { converter, type Oklab } from 'culori';
import sharp from 'sharp';
import { drawMark, drawMarkShape } from '#content/art/draw.ts';
import { type MarkStyle, markStyles } from '#content/art/mark-styles.ts';
import { pairOf } from '#content/art/recipes/mark.ts';
import type { Subject } from '#content/art/scene.ts';
import { initials } from '#content/art/sign.ts';

/** A star's avatar as it is drawn. */
export type StarMark = Subject & { readonly style: MarkStyle };

/** The smallest that pages show an avatar, in pixels: the badge of a story. */
const SMALLEST = 20;
/** What a sign of no common pixel counts, in the units of OKLab. */
const SHAPE = 0.2;
/** Avatars that differ by less are taken for one another at the smallest size. */
const ALIKE = 0.165;

const toLab = converter('oklab');

type Look = { readonly colours: readonly Oklab[]; readonly sign: readonly number[] };

/**
 * The plainest style in which a star's avatar can be told from all `others` at the smallest size; where none can, the one
 * that differs most from its nearest.
 */
export async function chooseMark(subject: Subject, others: readonly StarMark[]): Promise<MarkStyle> {
  const looks = await Promise.all(others.map(lookOf));
  let best: { style: MarkStyle; nearest: number } = { style: 'first', nearest: -1 };
  for (const style of stylesOf(subject)) {
    const ownLook = await lookOf({ ...subject, style });
    const nearest = Math.min(...looks.map((look) => difference(ownLook, look)));
    if (nearest >= ALIKE) return style;
    if (nearest > best.nearest) best = { style, nearest };
  }
  return best.style;
}

function stylesOf({ name }: Subject): readonly MarkStyle[] {
  return pairOf(initials(name)) ? markStyles : ['first', 'first-turned'];
}

/** How far two avatars are apart: their colours in OKLab and their signs. Lightness counts half: the eye keeps hues apart at this size, and takes a lighter orange for the same one. */
function difference(one: Look, other: Look): number {
  let [colour, apart, union] = [0, 0, 0];
  for (const [at, colourOfOne] of one.colours.entries()) {
    const colourOfOther = other.colours[at] ?? colourOfOne;
    colour += Math.hypot(
      (colourOfOne.l - colourOfOther.l) / 2,
      colourOfOne.a - colourOfOther.a,
      colourOfOne.b - colourOfOther.b,
    );
    const [ink, otherInk] = [one.sign[at] ?? 0, other.sign[at] ?? 0];
    apart += Math.abs(ink - otherInk);
    union += Math.max(ink, otherInk);
  }
  return colour / one.colours.length + SHAPE * (union > 0 ? apart / union : 0);
}

async function lookOf({ style, ...subject }: StarMark): Promise<Look> {
  const [drawn, sign] = await Promise.all([
    discOf(drawMark(subject, style)),
    discOf(drawMarkShape(subject, style)),
  ]);
  return {
    colours: drawn.map(([r, g, b]) => toLab({ mode: 'rgb', r, g, b })),
    sign: sign.map(([ink]) => ink),
  };
}

/** The pixels inside the circle to which pages cut an avatar, 0 to 1 a channel. */
async function discOf(svg: string): Promise<[number, number, number][]> {
  const data = await sharp(Buffer.from(svg))
    .resize(SMALLEST, SMALLEST)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer();
  const inside = Array.from({ length: SMALLEST * SMALLEST }, (_, at) => at).filter((at) => {
    const [x, y] = [(at % SMALLEST) + 0.5, Math.floor(at / SMALLEST) + 0.5];
    return Math.hypot(x - SMALLEST / 2, y - SMALLEST / 2) <= SMALLEST / 2;
  });
  const value = (index: number) => (data[index] ?? 0) / 255;
  return inside.map((at) => [value(at * 3), value(at * 3 + 1), value(at * 3 + 2)]);
}
