import type { Box } from '../geometry.ts';
import type { Random } from '../random.ts';
import { countedIds, type RecipeName, type Scene, sceneOf } from '../scene.ts';
import { n, rect } from '../svg.ts';
import { aura } from './aura.ts';
import { chart } from './chart.ts';
import { horizon } from './horizon.ts';
import { mark } from './mark.ts';
import { ocean } from './ocean.ts';
import { portrait } from './portrait.ts';
import { riso } from './riso.ts';
import { stage } from './stage.ts';
import { studio } from './studio.ts';
import { tunnel } from './tunnel.ts';

const FRAMES = { portrait, aura, stage, riso, studio, tunnel, chart, mark, horizon, ocean } as const;

type FrameName = keyof typeof FRAMES & RecipeName;

/** Bright and dark, near and far by turns; where the film starts is chance. */
const ORDER = [
  'aura',
  'tunnel',
  'mark',
  'stage',
  'riso',
  'portrait',
  'horizon',
  'studio',
  'chart',
  'aura',
  'ocean',
  'riso',
] as const satisfies readonly FrameName[];

/** A contact sheet of the others, one frame ringed with a pencil. */
export function contact(scene: Scene): string {
  const { width, height, ramp, random } = scene;
  const chance = random('film');
  const { columns, rows } = gridFor(width / height);
  const [edge, gutter] = [Math.min(width, height) * 0.045, Math.min(width, height) * 0.022];
  const band = Math.min(width, height) * 0.042;
  const frameWidth = (width - 2 * edge - (columns - 1) * gutter) / columns;
  const frameHeight = (height - 2 * edge - rows * band) / rows;
  const start = chance.below(ORDER.length);
  const ringedIndex = chance.below(columns * rows);
  const boxes = Array.from(
    { length: columns * rows },
    (_, index): Box => ({
      x: edge + (index % columns) * (frameWidth + gutter),
      y: edge + Math.floor(index / columns) * (frameHeight + band),
      width: frameWidth,
      height: frameHeight,
    }),
  );
  const film = rect({ x: 0, y: 0, width, height }, ramp.night);
  const frames = boxes.map((box, index) =>
    frame(scene, box, ORDER[(start + index) % ORDER.length] ?? 'mark', index),
  );
  const holes = Array.from({ length: rows }, (_, row) =>
    sprockets(scene, edge + (row + 1) * (frameHeight + band) - band / 2, edge, band),
  );
  const ringed = boxes[ringedIndex];
  return `${film}${holes.join('')}${frames.join('')}${ringed ? ring(scene, ringed, chance) : ''}`;
}

function gridFor(ratio: number): { columns: number; rows: number } {
  if (ratio > 2) return { columns: 6, rows: 2 };
  if (ratio > 1.15) return { columns: 4, rows: 2 };
  return ratio > 0.95 ? { columns: 3, rows: 3 } : { columns: 3, rows: 4 };
}

/** A picture of its own: drawn on its own area, told how few pixels it has. */
function frame(
  { subject, figures, people, seed, pixel, id }: Scene,
  box: Box,
  recipe: FrameName,
  index: number,
): string {
  const inner = sceneOf(
    {
      recipe,
      subject,
      figures,
      people,
      seed: `${seed}/${index}`,
      width: box.width / pixel,
      height: box.height / pixel,
    },
    countedIds(`${id()}-`),
  );
  return `<svg x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}" viewBox="0 0 ${n(inner.width)} ${n(inner.height)}" preserveAspectRatio="none">${FRAMES[recipe](inner)}</svg>`;
}

function sprockets({ width, ramp, pixel }: Scene, y: number, edge: number, band: number): string {
  const hole = { width: band * 0.5, height: Math.max(band * 0.3, 2 * pixel) };
  const pitch = band * 1.25;
  const count = Math.floor((width - edge) / pitch);
  const start = (width - (count - 1) * pitch - hole.width) / 2;
  return `<g fill="${ramp.at(0.34)}">${Array.from({ length: count }, (_, index) => `<rect x="${n(start + index * pitch)}" y="${n(y - hole.height / 2)}" width="${n(hole.width)}" height="${n(hole.height)}" rx="${n(hole.height * 0.25)}"/>`).join('')}</g>`;
}

/** One and a half turns of a grease pencil. */
function ring({ ramp, pixel }: Scene, box: Box, chance: Random): string {
  const [midX, midY] = [box.x + box.width / 2, box.y + box.height / 2];
  const start = chance.between(0, 2 * Math.PI);
  const steps = 64;
  const points = Array.from({ length: steps + 1 }, (_, index) => {
    const part = index / steps;
    const angle = start + part * 2 * Math.PI * 1.22;
    const swell = 0.55 + 0.035 * Math.sin(angle * 2 + start) + 0.045 * part;
    return `${n(midX + Math.cos(angle) * box.width * swell)} ${n(midY + Math.sin(angle) * box.height * swell)}`;
  });
  return `<path d="M${points.join('L')}" fill="none" stroke="${ramp.comp}" stroke-width="${n(Math.max(6, 2 * pixel))}" stroke-linecap="round" stroke-linejoin="round"/>`;
}
