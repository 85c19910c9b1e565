import { converter } from 'culori';
import { drawMarkLayers } from '#content/art/draw.ts';
import { type MarkStyle, markStyles } from '#content/art/mark-styles.ts';
import { pairOf } from '#content/art/recipes/mark.ts';
import type { Subject } from '#content/art/scene.ts';
import { initials } from '#content/art/sign.ts';
import { loadSharp } from './load-sharp.ts';

/** A star's avatar as it is drawn. */
export type StarMark = Subject & { readonly style: MarkStyle };

/** The smallest that pages show an avatar, in pixels: the badge of a story. */
const SMALLEST = 20;
/** What a sign of no common pixel counts, in the units of OKLab. */
const SHAPE = 0.2;
/** Avatars that differ by less are taken for one another at the smallest size. */
const ALIKE = 0.165;

const toLab = converter('oklab');
const toRgb = converter('rgb');

/** Pixel by pixel: the colours as half the lightness, a and b, because the eye keeps hues apart at this size, and takes a lighter orange for the same one; how much of the sign is there. */
type Look = { readonly colours: Float32Array; readonly sign: Float32Array };

/** Looks of what was drawn: a star is compared with many. Its name is part of what it looks like, because shades differ a little by it. */
const looks = new Map<string, Promise<Look>>();
const maxLooks = 4_000;

/** Strokes by the consonants that they show, of which there are a few hundred: rendering them is most of the time of a look, and its colours are put on them. */
const strokes = new Map<string, ReturnType<typeof discOf>>();

/**
 * The plainest mark in which a star can be told from others at the smallest size, of the colours that it may have in their order. Whoever
 * shares its name comes first: where no mark is told from all, the one is taken that is from these, and differs most from its nearest.
 * @param subjects the star in each colour that it may have; at least one
 * @param namesakes those who stand in lists under the same name
 */
export async function chooseMark(
  subjects: readonly [Subject, ...Subject[]],
  others: readonly StarMark[],
  namesakes: readonly StarMark[] = [],
): Promise<StarMark> {
  const [ownLooks, otherLooks] = [
    await Promise.all(namesakes.map(lookOf)),
    await Promise.all(others.map(lookOf)),
  ];
  let best: { mark: StarMark; nearest: number } | undefined;
  for (const style of stylesOf(subjects[0])) {
    for (const subject of subjects) {
      const mark = { ...subject, style };
      const look = await lookOf(mark);
      const among = (apart: readonly Look[]) =>
        Math.min(ALIKE, ...apart.map((other) => difference(look, other)));
      const fromNamesakes = among(ownLooks);
      const nearest = fromNamesakes < ALIKE ? fromNamesakes - 1 : among(otherLooks);
      if (nearest >= ALIKE) return mark;
      if (!best || nearest > best.nearest) best = { mark, nearest };
    }
  }
  return best?.mark ?? { ...subjects[0], style: 'first' };
}

function stylesOf({ name }: Subject): readonly MarkStyle[] {
  return pairOf(initials(name)) ? markStyles : ['first', 'first-turned'];
}

/** How far two avatars are apart: their colours in OKLab and their signs. */
function difference(one: Look, other: Look): number {
  let [colour, apart, union] = [0, 0, 0];
  for (let at = 0; at < one.sign.length; at += 1) {
    const l = (one.colours[at * 3] ?? 0) - (other.colours[at * 3] ?? 0);
    const a = (one.colours[at * 3 + 1] ?? 0) - (other.colours[at * 3 + 1] ?? 0);
    const b = (one.colours[at * 3 + 2] ?? 0) - (other.colours[at * 3 + 2] ?? 0);
    colour += Math.sqrt(l * l + a * a + b * b);
    const [ink, otherInk] = [one.sign[at] ?? 0, other.sign[at] ?? 0];
    apart += Math.abs(ink - otherInk);
    union += Math.max(ink, otherInk);
  }
  return colour / one.sign.length + SHAPE * (union > 0 ? apart / union : 0);
}

function lookOf({ style, ...subject }: StarMark): Promise<Look> {
  const key = [subject.name, subject.fandomColor, style].join(' ');
  const known = looks.get(key);
  if (known) return known;
  if (looks.size >= maxLooks) looks.clear();
  const look = composedLook(subject, style);
  looks.set(key, look);
  return look;
}

/** The consonants that a mark of this style shows. */
function consonantsOf({ name }: Subject, style: MarkStyle): readonly string[] {
  const sign = initials(name);
  return style.startsWith('pair') ? (pairOf(sign) ?? sign.slice(0, 1)) : sign.slice(0, 1);
}

async function composedLook(subject: Subject, style: MarkStyle): Promise<Look> {
  const consonants = consonantsOf(subject, style).join(' ');
  const { layers, tones } = drawMarkLayers(subject, style);
  const drawn = strokes.get(consonants) ?? discOf(layers);
  strokes.set(consonants, drawn);
  const [ground, far, near, sign] = [tones.ground, tones.far, tones.near, tones.sign].map(channelsOf);
  const pixels = await drawn;
  return {
    colours: Float32Array.from(
      pixels.flatMap((shares) => {
        const channel = (at: 0 | 1 | 2) => {
          const own = ground?.[at] ?? 0;
          return [far, near, sign].reduce(
            (sum, tone, layer) => sum + (shares[layer] ?? 0) * ((tone?.[at] ?? 0) - own),
            own,
          );
        };
        const lab = toLab({ mode: 'rgb', r: channel(0), g: channel(1), b: channel(2) });
        return [lab.l / 2, lab.a, lab.b];
      }),
    ),
    sign: Float32Array.from(pixels, ([, , ink]) => ink),
  };
}

/** `#rrggbb` as red, green and blue, 0 to 1. */
function channelsOf(hex: string): [number, number, number] {
  const { r, g, b } = toRgb(hex) ?? { r: 0, g: 0, b: 0 };
  return [r, g, b];
}

/** The pixels inside the circle to which pages cut an avatar, 0 to 1 a channel. */
async function discOf(svg: string): Promise<[number, number, number][]> {
  const sharp = await loadSharp();
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
