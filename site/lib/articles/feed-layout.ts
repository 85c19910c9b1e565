import type { ArticleCard } from '#api/articles/model.ts';

interface FeedGroup {
  kind: 'compact' | 'standard' | 'wide';
  cards: ArticleCard[];
}

interface FeedLayout {
  /** The first page's lead and the two stories beside it. */
  opening: { lead: ArticleCard; beside: ArticleCard[] } | undefined;
  groups: FeedGroup[];
}

/** Compact cards stand in pairs: their numbers are even, or the feed has a hole where the next part begins. */
const firstPageGroups = [
  ['standard', 3],
  ['wide', 1],
  ['compact', 4],
  ['standard', 3],
  ['wide', 1],
  ['compact', 4],
  ['wide', 1],
] as const;

const laterPageGroups = [
  ['standard', 3],
  ['wide', 1],
  ['compact', 4],
  ['standard', 3],
  ['wide', 1],
  ['compact', 8],
] as const;

/** Splits a page of 20 into groups of different size, so that no screen is a wall of equal cards (look §5 Home). */
export function feedLayout(cards: readonly ArticleCard[], withLead: boolean): FeedLayout {
  const [lead] = withLead ? cards : [];
  const opening = lead ? { lead, beside: cards.slice(1, 3) } : undefined;
  const groups: FeedGroup[] = [];
  let offset = opening ? 3 : 0;
  for (const [kind, count] of opening ? firstPageGroups : laterPageGroups) {
    const group = cards.slice(offset, offset + count);
    if (group.length === 0) break;
    groups.push({ kind, cards: group });
    offset += count;
  }
  return { opening, groups };
}
