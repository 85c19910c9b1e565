import type { Random } from './random.ts';
import type { People } from './scene.ts';
import { n } from './svg.ts';

/** Filled outlines (each on its own, so that they may overlap) and arms as thick round lines. */
type Shape = {
  readonly who: People;
  readonly body: readonly string[];
  readonly arms: string;
  readonly armWidth: number;
};

const SHORT_HAIR =
  'M-5.3 6.4C-6.8 3-5.8-.4-2.6-.8C-.6-1.7 2.8-1.5 4.4-.2C6.2.9 6.4 3.8 5.3 6.4C5.7 6.7 5.5 8.1 4.8 8.4C4.2 11.2 2.3 13.4 0 13.4C-2.3 13.4-4.2 11.2-4.8 8.4C-5.5 8.1-5.7 6.7-5.3 6.4Z';
const HEAD = 'M0-.6C3.6-.6 5 2.2 5 5.8C5 9.8 2.7 13.3 0 13.3C-2.7 13.3-5 9.8-5 5.8C-5 2.2-3.6-.6 0-.6Z';
const NECK = 'M-1.9 11V16L-3 20H3L1.9 16V11Z';
const BROAD =
  'M0 17C3 17.2 5.6 17.6 7.4 18.3C9.4 19.1 10.2 20.6 10 23L8 31L7.2 43L-7.2 43L-8 31L-10 23C-10.2 20.6-9.4 19.1-7.4 18.3C-5.6 17.6-3 17.2 0 17Z';
const SLIM =
  'M0 17.4C2.6 17.5 5 17.9 6.6 18.8C8.2 19.7 8.6 21.2 8.2 23.4L5.8 30.6L5 37.6H-5L-5.8 30.6L-8.2 23.4C-8.6 21.2-8.2 19.7-6.6 18.8C-5 17.9-2.6 17.5 0 17.4Z';
const TROUSERS =
  'M-7.3 41H7.3L7.9 53C8.3 68 8.6 84 8.8 96.6C9.6 98 10.4 98.8 10.6 100H3.7L3.4 96.4L1 59.5C.7 58.4-.7 58.4-1 59.5L-3.4 96.4L-3.7 100H-10.6C-10.4 98.8-9.6 98-8.8 96.6C-8.6 84-8.3 68-7.9 53Z';
const NARROW_TROUSERS =
  'M-5.2 36H5.2C6.4 41 6.9 47 7 53C7.3 68 7.2 84 7 96.6C7.8 98 8.4 98.8 8.6 100H2.6L2.4 96.4L1 59.5C.7 58.4-.7 58.4-1 59.5L-2.4 96.4L-2.6 100H-8.6C-8.4 98.8-7.8 98-7 96.6C-7.2 84-7.3 68-7 53C-6.9 47-6.4 41-5.2 36Z';
const LEGS = [
  'M-5.2 62L-4.9 80L-4.2 96C-4.8 97.6-5.4 98.8-5.4 100H-1.7L-1.4 96L-.8 62Z',
  'M5.2 62L4.9 80L4.2 96C4.8 97.6 5.4 98.8 5.4 100H1.7L1.4 96L.8 62Z',
];

/** Standing people, 100 high with the crown at 0,0 and the soles at y 100, looking away or at us: nobody can tell. */
const FIGURES: readonly Shape[] = [
  {
    // short hair, one hand in a pocket
    who: 'men',
    body: [SHORT_HAIR, NECK, BROAD, TROUSERS],
    arms: 'M-8.2 21L-10.6 35L-11.8 48.6M8.2 21L12.6 34.2L7.4 45',
    armWidth: 3.6,
  },
  {
    // long hair, skirt
    who: 'women',
    body: [
      'M0-.6C4.6-.6 6.3 2.4 6.3 6.8C6.3 13 7 18 8 25.6C5 27.6-5 27.6-8 25.6C-7 18-6.3 13-6.3 6.8C-6.3 2.4-4.6-.6 0-.6Z',
      NECK,
      SLIM,
      'M-5 36H5C6.6 45 9 56 11.6 65.4C7.6 67.8-7.6 67.8-11.6 65.4C-9 56-6.6 45-5 36Z',
      ...LEGS,
    ],
    arms: 'M-6.8 21.2L-8.8 34.6L-10.6 47M6.8 21.2L8.8 34.6L10.6 47',
    armWidth: 3,
  },
  {
    // bun, long dress, a hand on the hip
    who: 'women',
    body: [
      HEAD,
      'M2.4-5.4A3 3 0 1 1 2.39-5.4Z',
      NECK,
      SLIM,
      'M-5 36H5C6.6 50 8.6 72 10 92.4C6 94.8-6 94.8-10 92.4C-8.6 72-6.6 50-5 36Z',
      'M-4.4 91L-3.8 96.4C-4.6 97.8-5.2 98.8-5.2 100H-1.4L-1.2 91ZM1.2 91L1.4 100H5.2C5.2 98.8 4.6 97.8 3.8 96.4L4.4 91Z',
    ],
    arms: 'M-6.8 21.2L-8.6 34.4L-10 46.6M6.8 21.2L11.8 31.8L5.4 40',
    armWidth: 3,
  },
  {
    // bobbed hair, wide jacket
    who: 'women',
    body: [
      'M0-.8C5.2-.8 6.9 3 6.9 7.8C6.9 10.6 7.2 12.6 7.8 14.8C5.4 16.2-5.4 16.2-7.8 14.8C-7.2 12.6-6.9 10.6-6.9 7.8C-6.9 3-5.2-.8 0-.8Z',
      NECK,
      BROAD,
      'M-8.6 28H8.6L9.2 49.4C6 50.6-6 50.6-9.2 49.4Z',
      TROUSERS,
    ],
    arms: 'M-8.2 21.2L-11.2 35L-12.4 47.6M8.2 21.2L11.2 35L12.4 47.6',
    armWidth: 3.7,
  },
  {
    // short hair, long coat
    who: 'men',
    body: [
      SHORT_HAIR,
      NECK,
      BROAD,
      'M-7.8 30H7.8C8 46 8.6 62 9.8 76C6 78-6 78-9.8 76C-8.6 62-8 46-7.8 30Z',
      NARROW_TROUSERS,
    ],
    arms: 'M-8.4 21L-11.6 35L-12.6 49M8.4 21L11.6 35L12.6 49',
    armWidth: 3.9,
  },
  {
    // ponytail to the side, singing into a microphone
    who: 'women',
    body: [
      HEAD,
      'M0-.6C-6.4-2.4-9.4 1.2-9.2 6.6C-9 11-10.2 14.6-9.4 20.6C-7.4 18.8-6.3 14-6.1 9C-6 5.4-4 2.8-1 2Z',
      NECK,
      SLIM,
      NARROW_TROUSERS,
      'M4 12.4A1.9 1.9 0 1 1 3.99 12.4ZM3 15L4.9 14.6L5.6 20.6L4.4 20.8Z',
    ],
    arms: 'M-6.8 21.2L-9.2 34.6L-10.8 47M6.8 21.4L11.4 31.4L5 20.6',
    armWidth: 3.1,
  },
  {
    // cap, hooded jacket, both hands in its pockets
    who: 'men',
    body: [
      'M0-1C4-1 5.6 1.4 5.6 4.4L10.2 5.2C10.6 6 10 6.6 9.2 6.6L5 6.4C4.9 10.4 2.6 13.4 0 13.4C-2.7 13.4-5 9.8-5.2 5.8C-5.6 1.6-4-1 0-1Z',
      NECK,
      'M-4.6 14.4C-2.6 16.4 2.6 16.4 4.6 14.4L5.6 19H-5.6Z',
      BROAD,
      'M-8.4 26H8.4L9 47.6C6 49-6 49-9 47.6Z',
      TROUSERS,
    ],
    arms: 'M-8.4 21.2L-12.6 34.4L-7.6 43M8.4 21.2L12.6 34.4L7.6 43',
    armWidth: 4,
  },
];

/**
 * Heads and shoulders, 100 wide at the shoulders, crown near 0,0, shoulders about y 62, open below y 140. Half of them
 * are profiles: a nose tells more of a person than a front.
 */
const BUSTS: readonly { readonly who: People; readonly outline: string }[] = [
  {
    // profile, short hair swept up
    who: 'men',
    outline:
      'M-15 65C-15.6 57-16.4 51-18.6 45C-23.5 38-25.4 27-23.6 17C-21.8 7-15 .5-7-2C-1-5 9-6 16-2.6C20.6-.6 22 3.4 20.6 7.4C20.2 11 19.8 15 20.2 18.4C20.6 21 20.8 22.6 20.4 24.6C20.8 27.6 24.6 32 26.4 35.4C26.9 36.8 25.9 37.6 24 37.8C23 38 22.6 38.6 22.8 39.4C23.7 40.3 24.3 41 24 42C23.8 42.6 23 42.9 22.6 43.2C23.4 43.9 23.7 44.8 23 45.8C22.2 46.6 21.8 47.4 22 48.6C22.5 50.4 22.4 52.6 20.6 54C17 56 10.6 55.4 6.4 55.8C4.6 58.4 4.6 62 5.6 65.6C11 69 27 71 34.6 76C42.4 81 46.4 91 47.6 106L49 140H-51L-49 108C-48 92-43.4 80.6-33.6 75.4C-26 71.4-17 70-15 65Z',
  },
  {
    // profile, ponytail
    who: 'women',
    outline:
      'M-12 65C-12.6 58-13 52-15.4 46C-20 47-22 52-23 58C-24 66-25.4 74-31 80C-36.6 73-38.4 62-36.8 52C-35.4 43-31.6 37-27 32.6C-26.2 29-25.8 25-25 20C-23 6-10-2.6 3-2C13-1.4 19 4.4 20 12C20.2 16 19.6 19 19.8 22C20 24 20.8 25 20.4 26.6C21 29.4 24 32.6 25.6 35.2C26 36.4 25.2 37.2 23.6 37.4C22.6 37.6 22.3 38.2 22.5 39C23.5 40 24 40.7 23.7 41.6C23.4 42.3 22.7 42.5 22.3 42.8C23.1 43.5 23.3 44.4 22.6 45.3C21.8 46 21.2 46.8 21.3 48C21.6 49.6 21.2 51.4 19.6 52.6C16 54.2 10 53.6 6 54C4.2 57 4.2 61.4 5.4 65.4C10.4 69.6 24 71.6 31 76.4C38.6 81.6 42.6 91.4 43.8 106L45.4 140H-47L-45 108C-44 92-39.6 81.6-30.4 76.2C-23 72-13.4 70.6-12 65Z',
  },
  {
    // profile, thick hair over the brow
    who: 'men',
    outline:
      'M-15 65C-15.6 58-16 53-17.4 48C-20.6 46.4-24 42-25.6 36C-28 28-27.4 17-24 9.6C-20 1-10-5-1-5.4C11-6 21-1 24 8C25.4 13 24.4 18 22.4 22.2C21.8 24 20.8 25.2 20.6 26.4C21.2 29.2 24.8 32.6 26.6 35.6C27.1 37 26.1 37.8 24.2 38C23.2 38.2 22.8 38.8 23 39.6C23.9 40.5 24.5 41.2 24.2 42.2C24 42.8 23.2 43.1 22.8 43.4C23.6 44.1 23.9 45 23.2 46C22.4 46.8 22 47.6 22.2 48.8C22.7 50.6 22.6 52.8 20.8 54.2C17.2 56.2 10.8 55.6 6.6 56C4.8 58.6 4.8 62 5.8 65.6C11.2 69 27 71 34.6 76C42.4 81 46.4 91 47.6 106L49 140H-51L-49 108C-48 92-43.4 80.6-33.6 75.4C-26 71.4-17 70-15 65Z',
  },
  {
    // bob
    who: 'women',
    outline:
      'M0-2C16-2 24 8 25 24C25.6 34 26.5 43 29 52C22 57 15 57.6 9.4 56.6C9.2 60 9.6 62.4 11.4 64.6C18 68.6 29 70.6 36.5 75C44.5 79.8 47.5 89 48.5 104L50 140H-50L-48.5 104C-47.5 89-44.5 79.8-36.5 75C-29 70.6-18 68.6-11.4 64.6C-9.6 62.4-9.2 60-9.4 56.6C-15 57.6-22 57-29 52C-26.5 43-25.6 34-25 24C-24 8-16-2 0-2Z',
  },
  {
    // profile, long hair down the back
    who: 'women',
    outline:
      'M-34 82C-35 70-35.6 58-33.4 46C-31.6 36-28.6 30-27.4 21C-25 6-11-3 3.4-2.4C14-1.8 20 4.4 20.6 12.4C20.6 16 19.8 19 20 22C20.2 24 21 25 20.6 26.6C21.2 29.4 24.2 32.6 25.8 35.2C26.2 36.4 25.4 37.2 23.8 37.4C22.8 37.6 22.5 38.2 22.7 39C23.7 40 24.2 40.7 23.9 41.6C23.6 42.3 22.9 42.5 22.5 42.8C23.3 43.5 23.5 44.4 22.8 45.3C22 46 21.4 46.8 21.5 48C21.8 49.6 21.4 51.4 19.8 52.6C16.2 54.2 10.6 53.8 7 54.4C5 58 5 62 6.2 66C11.4 70 24.6 72 31.6 76.6C39 81.8 42.8 91.4 44 106L45.6 140H-47L-45.4 110C-44.6 98-41 89-34 82Z',
  },
  {
    // profile, bun
    who: 'women',
    outline:
      'M-12 65C-12.6 58-13 52-15.4 46C-19 42-22.6 38-24 31.6C-25 27-25.4 21-24.6 15.6C-33 16.4-38.4 9-36.4 1.4C-34.4-6.4-24.4-9.4-18.4-3.4C-12-6.4-4-5.4 3-4C12.6-2.2 18.6 4 20 12C20.2 16 19.6 19 19.8 22C20 24 20.8 25 20.4 26.6C21 29.4 24 32.6 25.6 35.2C26 36.4 25.2 37.2 23.6 37.4C22.6 37.6 22.3 38.2 22.5 39C23.5 40 24 40.7 23.7 41.6C23.4 42.3 22.7 42.5 22.3 42.8C23.1 43.5 23.3 44.4 22.6 45.3C21.8 46 21.2 46.8 21.3 48C21.6 49.6 21.2 51.4 19.6 52.6C16 54.2 10 53.6 6 54C4.2 57 4.2 61.4 5.4 65.4C10.4 69.6 24 71.6 31 76.4C38.6 81.6 42.6 91.4 43.8 106L45.4 140H-47L-45 108C-44 92-39.6 81.6-30.4 76.2C-23 72-13.4 70.6-12 65Z',
  },
  {
    // curls
    who: 'anyone',
    outline:
      'M-6-3C-2-6.5 5-6.6 8.6-3.4C13.6-4.6 19.4-1 20.4 4.4C25 7.4 26.4 13.6 24 18.2C26.6 23 25.6 29.4 21.6 32.4C21.4 35.8 19.8 38 17.4 38.6C15.8 45.4 12.6 51 9.2 54C8.8 59 9.2 62 11.2 64.6C18 68.6 30 70.6 38 75C46 79.6 49 89 50 104L52 140H-52L-50 104C-49 89-46 79.6-38 75C-30 70.6-18 68.6-11.2 64.6C-9.2 62-8.8 59-9.2 54C-12.6 51-15.8 45.4-17.4 38.6C-20.4 38.2-22.4 35.8-22.2 32.8C-26 29.6-27 23.4-24.4 18.8C-26.6 13.4-24.6 7-19.6 4.4C-18.4-1.2-12.2-5.2-6-3Z',
  },
];

/** Which figures stand beside each other: never the same twice in a row. */
export function company(
  count: number,
  people: People,
  random: Random,
): { readonly shape: number; readonly mirrored: boolean; readonly height: number }[] {
  const choice = indexesFor(FIGURES, people);
  let last = -1;
  return Array.from({ length: count }, () => {
    const open = choice.filter((index) => index !== last);
    const shape = open[random.below(open.length)] ?? 0;
    last = shape;
    return { shape, mirrored: random.chance(0.5), height: random.between(0.94, 1.03) };
  });
}

/** One standing figure: feet on `x`, `y`, so many units high; a negative height hangs it upside down, as water does. */
export function standing(
  shape: number,
  x: number,
  y: number,
  height: number,
  mirrored: boolean,
  colour: string,
): string {
  const figure = FIGURES[shape % FIGURES.length] ?? FIGURES[0];
  if (!figure) return '';
  const scale = height / 100;
  const place = `translate(${n(x)} ${n(y)}) scale(${(Math.abs(scale) * (mirrored ? -1 : 1)).toFixed(4)} ${scale.toFixed(4)}) translate(0 -100)`;
  return `<g transform="${place}" fill="${colour}" stroke="none">${figure.body.map((d) => `<path d="${d}"/>`).join('')}<path d="${figure.arms}" fill="none" stroke="${colour}" stroke-width="${figure.armWidth}" stroke-linecap="round" stroke-linejoin="round"/></g>`;
}

/** Path data of a seeded head with shoulders (see BUSTS for its measures). */
export function bust(people: People, random: Random): string {
  const choice = indexesFor(BUSTS, people);
  return BUSTS[choice[random.below(choice.length)] ?? 0]?.outline ?? '';
}

function indexesFor(all: readonly { readonly who: People }[], people: People): number[] {
  const indexes = [...all.keys()];
  return people === 'anyone'
    ? indexes
    : indexes.filter((index) => all[index]?.who === people || all[index]?.who === 'anyone');
}
