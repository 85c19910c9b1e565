/** Seeded chance: the same text gives the same numbers on every machine. */
export type Random = {
  /** 0 ≤ x < 1. */
  next(): number;
  /** from ≤ x < to. */
  between(from: number, to: number): number;
  /** A whole number, 0 ≤ n < count. */
  below(count: number): number;
  /** True in `share` of the cases. */
  chance(share: number): boolean;
  /** −1 or 1. */
  side(): -1 | 1;
};

/** FNV-1a, 32 bits, over the UTF-8 bytes of the text. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}

/** A generator (mulberry32) that starts from the FNV-1a of `text`. */
export function seeded(text: string): Random {
  let state = fnv1a(text);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (from, to) => from + (to - from) * next(),
    below: (count) => Math.floor(next() * count),
    chance: (share) => next() < share,
    side: () => (next() < 0.5 ? -1 : 1),
  };
}
