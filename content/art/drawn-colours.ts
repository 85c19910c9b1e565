import { fnv1a } from './random.ts';

/**
 * Colours for stars whose fan colour nobody told: once round the hues, light and deep in turn, yellows light enough to be yellow, and
 * none near Antares, which is the brand's (look §2.2).
 */
export const drawnColours = [
  '#E07A00',
  '#BC7600',
  '#E8A800',
  '#C4A000',
  '#D5C723',
  '#929F00',
  '#8AB833',
  '#3F8F1D',
  '#2CAD58',
  '#008A5D',
  '#00AB8B',
  '#00877B',
  '#00A7A9',
  '#008491',
  '#00A3C3',
  '#007FAA',
  '#009BE9',
  '#1674D1',
  '#608CF6',
  '#5E66D3',
  '#8F7EF0',
  '#8458C6',
  '#B271DB',
  '#A04CAC',
  '#CC66BB',
  '#B44389',
  '#DE6094',
  '#C03F61',
] as const;

/** Two colours that follow each other are far apart; it comes round to every one. */
const stride = 11;

/** The colours of the list in the order in which a star of that slug would take them: the first is its own unless others look like it. */
export function drawnColoursOf(slug: string): string[] {
  const first = fnv1a(slug) % drawnColours.length;
  return drawnColours.map(
    (_, step) => drawnColours[(first + step * stride) % drawnColours.length] ?? drawnColours[0],
  );
}
