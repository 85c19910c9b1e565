/**
 * The one table of picture sizes: every aspect (width:height) and the widths it is made in. Pages write `srcset` from
 * it and the image route answers nothing else.
 */
export const VARIANTS = {
  '9:10': [480, 720],
  '12:5': [960, 1440],
  '3:2': [400, 480, 800, 1200],
  '1:1': [112, 224, 240, 480, 1200],
  '3:4': [416, 480, 1200],
  '16:9': [480, 960, 1440],
  '1200:630': [1200],
} as const satisfies Record<`${number}:${number}`, readonly number[]>;

export type Aspect = keyof typeof VARIANTS;

type Sizes = { readonly [A in Aspect]?: readonly (typeof VARIANTS)[A][number][] };

/** What is made ahead for each kind of picture; the rest of the table is made when somebody asks. */
const MADE_AHEAD = {
  article: { '9:10': [480, 720], '12:5': [960, 1440], '3:2': [400, 800], '1:1': [224] },
  hero: { '9:10': [480, 720], '12:5': [1440], '3:4': [416] },
  chart: { '12:5': [960], '3:2': [400] },
  embed: { '16:9': [480] },
  brand: { '12:5': [1440], '3:2': [800], '1:1': [224] },
  'photo 3:2': { '3:2': [480, 1200], '1:1': [240] },
  'photo 3:4': { '3:4': [480, 1200], '1:1': [240] },
  'photo 1:1': { '1:1': [240, 480, 1200] },
} as const satisfies Record<string, Sizes>;

export type PictureKind = keyof typeof MADE_AHEAD;

/** One size of one picture. */
export type Variant = { readonly aspect: Aspect; readonly width: number };

/** The sizes that are made ahead for a kind of picture, in the order of the table. */
export function variantsOf(kind: PictureKind): Variant[] {
  return Object.entries<readonly number[]>(MADE_AHEAD[kind]).flatMap(([aspect, widths]) =>
    isAspect(aspect) ? widths.map((width) => ({ aspect, width })) : [],
  );
}

/** True for an aspect of the table. */
export function isAspect(text: string): text is Aspect {
  return Object.hasOwn(VARIANTS, text);
}

/** True for a width in which this aspect is made. */
export function isWidthOf(aspect: Aspect, width: number): boolean {
  return VARIANTS[aspect].some((each) => each === width);
}

/** Pixels of an aspect at a width, the largest in use when none is given. */
export function sizeOf(
  aspect: Aspect,
  width: number = Math.max(...VARIANTS[aspect]),
): { width: number; height: number } {
  const [across = 1, down = 1] = aspect.split(':').map(Number);
  return { width, height: Math.round((width * down) / across) };
}

/** The folder or file part that stands for an aspect: `9x10`. */
export function aspectName(aspect: Aspect): string {
  return aspect.replace(':', 'x');
}
