import type { ArticleCard } from '#api/articles/model.ts';

export interface FeedGroup {
  kind: 'lead' | 'compact' | 'standard' | 'wide';
  cards: ArticleCard[];
}

const afterLead = [
  ['compact', 2],
  ['standard', 3],
  ['wide', 1],
  ['compact', 4],
  ['standard', 3],
  ['wide', 1],
  ['compact', 5],
] as const;

const laterPages = [
  ['standard', 3],
  ['wide', 1],
  ['compact', 4],
  ['standard', 3],
  ['wide', 1],
  ['compact', 8],
] as const;

/** Splits a page of 20 into groups of different size, so that no screen is a wall of equal cards (look §5 Home). */
export function feedRhythm(cards: readonly ArticleCard[], withLead: boolean): FeedGroup[] {
  const groups: FeedGroup[] = [];
  let at = 0;
  const [first] = cards;
  if (withLead && first) {
    groups.push({ kind: 'lead', cards: [first] });
    at = 1;
  }
  for (const [kind, count] of withLead ? afterLead : laterPages) {
    const group = cards.slice(at, at + count);
    if (group.length === 0) break;
    groups.push({ kind, cards: group });
    at += count;
  }
  return groups;
}
