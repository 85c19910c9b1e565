/**
 * The wall of photos: six columns; rows as high as .713 of a column (96 px beside 135 at 1280, look §5). Photos keep their
 * order and stand in bands that end flush; a band's cells are chosen so that each photo is cut as little as possible.
 */
export interface Cell {
  columns: number;
  rows: number;
}

export interface PlacedPhoto {
  /** On phones, where at most two stand side by side. */
  narrow: Cell;
  wide: Cell;
}

type Band = readonly [Cell, ...Cell[]];

const cell = (columns: number, rows: number): Cell => ({ columns, rows });

/** Column and row in em of one column, gaps included. */
const gap = 8 / 134.7;
const rowHeight = 96 / 134.7;
const ratio = ({ columns, rows }: Cell) => (columns * (1 + gap) - gap) / (rows * (rowHeight + gap) - gap);

/** Bands of tablets and wider screens, read in order with dense flow. */
const wideBands: readonly Band[] = [
  [cell(3, 3), cell(3, 3)],
  [cell(3, 4), cell(3, 4)],
  [cell(4, 3), cell(2, 3)],
  [cell(2, 3), cell(4, 3)],
  [cell(4, 4), cell(2, 4)],
  [cell(2, 4), cell(4, 4)],
  [cell(2, 2), cell(2, 2), cell(2, 2)],
  [cell(2, 3), cell(2, 3), cell(2, 3)],
  [cell(2, 4), cell(2, 4), cell(2, 4)],
  [cell(4, 4), cell(2, 2), cell(2, 2)],
  [cell(2, 2), cell(4, 4), cell(2, 2)],
  [cell(2, 4), cell(2, 2), cell(2, 4), cell(2, 2)],
];
/** The first photo is 4 × 4. */
const firstBands: readonly Band[] = wideBands.filter(([{ columns, rows }]) => columns === 4 && rows === 4);
/** The last photo alone fills the wall's width; a single photo keeps its own shape. */
const lastBands: readonly Band[] = [[cell(6, 5)], [cell(6, 6)]];
const onlyBands: readonly Band[] = [[cell(4, 4)], [cell(4, 6)], [cell(3, 6)]];

const narrowBands: readonly Band[] = [
  [cell(6, 6)],
  [cell(3, 3), cell(3, 3)],
  [cell(3, 4), cell(3, 4)],
  [cell(3, 6), cell(3, 6)],
  [cell(3, 6), cell(3, 3), cell(3, 3)],
  [cell(3, 3), cell(3, 6), cell(3, 3)],
];

/** How much a band cuts off its photos, 0 for nothing. */
function cutOf(band: Band, aspects: readonly number[]): number {
  return band.reduce((sum, each, index) => sum + Math.log(ratio(each) / (aspects[index] ?? 1)) ** 2, 0);
}

/** The sequence of bands with the least cut; the same band twice in a row costs a little, for the rhythm. */
function arrange(
  aspects: readonly number[],
  bandsAt: (index: number, photosLeft: number) => readonly Band[],
): Cell[] {
  const best: { cost: number; band: Band }[] = [];
  for (let index = aspects.length - 1; index >= 0; index -= 1) {
    const options = bandsAt(index, aspects.length - index).map((band) => {
      const next = best[index + band.length];
      const repeats = next?.band === band ? 0.06 : 0;
      return { band, cost: cutOf(band, aspects.slice(index)) + (next?.cost ?? 0) + repeats };
    });
    const [cheapest] = options.sort((a, b) => a.cost - b.cost);
    if (cheapest) best[index] = cheapest;
  }
  const cells: Cell[] = [];
  while (cells.length < aspects.length) {
    const choice = best[cells.length];
    if (!choice) break;
    cells.push(...choice.band);
  }
  return cells;
}

const fitting = (bands: readonly Band[], photosLeft: number) =>
  bands.filter((band) => band.length <= photosLeft);

/** The cells of photos with these aspects (width / height), in order. */
export function arrangePhotos(aspects: readonly number[]): PlacedPhoto[] {
  const wide = arrange(aspects, (index, photosLeft) => {
    if (photosLeft === 1) return index === 0 ? onlyBands : lastBands;
    return fitting(index === 0 ? firstBands : wideBands, photosLeft);
  });
  const narrow = arrange(aspects, (_, photosLeft) => fitting(narrowBands, photosLeft));
  return wide.map((each, index) => ({ wide: each, narrow: narrow[index] ?? cell(6, 6) }));
}

/** The first photo is the large one, so a landscape one goes first where there is one; the others keep their order. */
export function withLandscapeFirst<Photo extends { aspect: string }>(photos: readonly Photo[]): Photo[] {
  const landscape = photos.find(({ aspect }) => aspectRatio(aspect) > 1.2);
  return landscape ? [landscape, ...photos.filter((photo) => photo !== landscape)] : [...photos];
}

/** `3:2` as 1.5. */
export function aspectRatio(aspect: string): number {
  const [across = 1, down = 1] = aspect.split(':').map(Number);
  return across / down;
}
