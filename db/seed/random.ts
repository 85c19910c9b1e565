/** A repeatable source of chance: the same key always gives the same sequence, so every demo looks alike. */
export interface Chance {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Whole number from `low` to `high`, both inclusive. */
  int(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** The items in a new order. */
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** Chance seeded by a text: FNV-1a for the seed, mulberry32 for the sequence. */
export function chance(key: string): Chance {
  let state = 0x811c9dc5;
  for (const unit of new TextEncoder().encode(key)) state = Math.imul(state ^ unit, 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    shuffle: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
  };
}
