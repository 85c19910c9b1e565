/** How wide a character of a heavy headline is, in em, generous enough for the widest system font. */
function widthOf(character: string): number {
  if (/[ᄀ-ᇿ\u3130-\u318f가-힣\u3040-\u30ff一-鿿]/.test(character)) return 0.94;
  if (/[MWÆŒmw]/.test(character)) return 0.98;
  if (/[IJijl1.,'’!|]/.test(character)) return 0.42;
  if (/\p{Lu}/u.test(character)) return 0.76;
  return 0.62;
}

/**
 * Width in em of the longest word of a name, so that its size can step down until no word is split (look §3 mega).
 * Never below 1: a short name takes the largest size.
 */
export function longestWord(name: string): number {
  const words = name
    .split(/\s+/)
    .map((word) => [...word].reduce((sum, character) => sum + widthOf(character) - 0.04, 0));
  return Math.max(1, Math.round(Math.max(...words) * 100) / 100);
}
