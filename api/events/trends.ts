import type { ScoreLabel, TrendDirection } from './model.ts';

/** §9 Trending score: 95 minus 10 per place, at least 40. `rank` begins at 1. */
export const scoreOf = (rank: number): number => Math.max(40, 95 - 10 * (rank - 1));

/** §9 Score labels: 90+ Hot, 70+ Trending, 50+ Rising, below New. */
export function labelOf(score: number): ScoreLabel {
  if (score >= 90) return 'hot';
  if (score >= 70) return 'trending';
  return score >= 50 ? 'rising' : 'new';
}

/** §4 Trending: up for ranks 1–3, stable for 4–6, down from 7. */
export function directionOf(rank: number): TrendDirection {
  if (rank <= 3) return 'up';
  return rank <= 6 ? 'stable' : 'down';
}
