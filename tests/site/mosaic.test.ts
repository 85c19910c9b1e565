import { describe, expect, test } from 'bun:test';
import { arrangePhotos, type Cell } from '#site/components/star/mosaic.ts';

/** Lays cells into six columns as CSS does with dense flow; the height of each column in rows. */
function heights(cells: readonly Cell[]): number[] {
  const takenPlaces = new Set<string>();
  const isFree = (row: number, column: number, { columns, rows }: Cell) =>
    column + columns <= 6 && places(row, column, columns, rows).every((slot) => !takenPlaces.has(slot));
  for (const cell of cells) {
    let position = 0;
    while (!isFree(Math.floor(position / 6), position % 6, cell)) position += 1;
    for (const slot of places(Math.floor(position / 6), position % 6, cell.columns, cell.rows))
      takenPlaces.add(slot);
  }
  const rows = [...takenPlaces].map((slot) => slot.split(':').map(Number));
  return Array.from({ length: 6 }, (_, column) => rows.filter(([, each]) => each === column).length);
}

function places(row: number, column: number, columns: number, rows: number): string[] {
  return Array.from(
    { length: columns * rows },
    (_, index) => `${row + Math.floor(index / columns)}:${column + (index % columns)}`,
  );
}

describe('the wall of photos', () => {
  const shapes = [1.5, 0.75, 1, 1.5, 1, 1.5, 0.75, 1.5, 1, 1, 0.75, 1.5];

  test('shows every photo and ends flush, however many there are', () => {
    for (let count = 2; count <= 60; count += 1) {
      const aspects = Array.from({ length: count }, (_, index) => shapes[(index * 7) % shapes.length] ?? 1);
      const placed = arrangePhotos(aspects);
      expect(placed).toHaveLength(count);
      expect(new Set(heights(placed.map(({ wide }) => wide))).size, `${count} on a wide screen`).toBe(1);
      expect(new Set(heights(placed.map(({ narrow }) => narrow))).size, `${count} on a phone`).toBe(1);
    }
  });

  test('gives the first photo four columns and four rows', () => {
    for (let count = 1; count <= 20; count += 1) {
      const [first] = arrangePhotos(Array.from({ length: count }, () => 1.5));
      expect(first?.wide).toEqual({ columns: 4, rows: 4 });
    }
  });
});
