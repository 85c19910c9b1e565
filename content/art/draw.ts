import type { MarkStyle } from './mark-styles.ts';
import { aura } from './recipes/aura.ts';
import { brand } from './recipes/brand.ts';
import { chart } from './recipes/chart.ts';
import { contact } from './recipes/contact.ts';
import { duo } from './recipes/duo.ts';
import { horizon } from './recipes/horizon.ts';
import { type MarkTones, mark, markLayers, markTones } from './recipes/mark.ts';
import { ocean } from './recipes/ocean.ts';
import { portrait } from './recipes/portrait.ts';
import { riso } from './recipes/riso.ts';
import { stage } from './recipes/stage.ts';
import { studio } from './recipes/studio.ts';
import { tunnel } from './recipes/tunnel.ts';
import { countedIds, type People, type RecipeName, type Scene, type Subject, sceneOf } from './scene.ts';
import { n } from './svg.ts';

/** Raise this when pictures should be made anew: it is part of every picture's hash. */
export const ART_VERSION = 3;

const DRAW = {
  mark,
  portrait,
  horizon,
  stage,
  aura,
  riso,
  studio,
  ocean,
  tunnel,
  contact,
  chart,
  duo,
} as const satisfies Record<RecipeName, (scene: Scene) => string>;

/** Pixels of the finished picture. */
type Size = { readonly width: number; readonly height: number };

/** What a picture shows, without its size. */
export type ArtOrder = Subject & {
  readonly recipe: RecipeName;
  /** Anything that names the picture; the same order always gives the same picture. */
  readonly seed: string;
  /** Standing people of `horizon`: one per member of a group. */
  readonly figures?: number | undefined;
  /** Whose silhouettes `horizon` and `aura` may show; anyone when left out. */
  readonly people?: People | undefined;
  /** The other star of `duo`. */
  readonly second?: Subject | undefined;
};

export type PictureOrder = ArtOrder & Size;

/**
 * Draws one picture as SVG without text, fonts or outside references (look.md §6). Details are fitted to the asked
 * pixels, the composition to their aspect.
 * @throws RangeError when a colour is not `#rrggbb` or a size is not positive.
 */
export function drawPicture(order: PictureOrder): string {
  const { recipe, name, fandomColor, second, figures, people, seed, width, height } = order;
  if (!(width > 0 && height > 0)) throw new RangeError(`no picture is ${width} × ${height}`);
  const scene = sceneOf(
    { recipe, subject: { name, fandomColor }, second, figures, people, seed, width, height },
    countedIds('p'),
  );
  return documentOf(scene, width, height, DRAW[recipe](scene));
}

/** The star's avatar as SVG on a square of 100 units: small, free of ids, to be cut to a circle by CSS. */
export function drawMark(subject: Subject, style: MarkStyle): string {
  return squareOf(mark(markScene(subject), style));
}

/** The strokes of an avatar without its colours (`markLayers`), and these: what is compared when two may look alike. */
export function drawMarkLayers(subject: Subject, style: MarkStyle): { layers: string; tones: MarkTones } {
  const scene = markScene(subject);
  return { layers: squareOf(markLayers(scene, style)), tones: markTones(scene, style) };
}

function markScene({ name, fandomColor }: Subject): Scene {
  const order = {
    recipe: 'mark',
    subject: { name, fandomColor },
    seed: 'mark',
    width: 100,
    height: 100,
  } as const;
  return { ...sceneOf(order, countedIds('m')), width: 100, height: 100 };
}

function squareOf(drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${drawing}</svg>`;
}

/** The site's own picture, for pages and articles without a star: 별 as a constellation with Antares. */
export function brandPicture({ width, height }: Size): string {
  const subject = { name: '별', fandomColor: '#ff4b1f' };
  const scene = sceneOf({ recipe: 'chart', subject, seed: 'brand', width, height }, countedIds('b'));
  return documentOf(scene, width, height, brand(scene));
}

function documentOf({ width, height }: Scene, pixels: number, lines: number, drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${lines}" viewBox="0 0 ${n(width)} ${n(height)}" preserveAspectRatio="none">${drawing}</svg>`;
}
