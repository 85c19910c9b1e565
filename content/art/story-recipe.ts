import { seeded } from './random.ts';
import type { RecipeName } from './scene.ts';

/** What a story of any star may look like: ten, so that ten stories running need not look alike. */
const STORY_RECIPES = [
  'horizon',
  'stage',
  'riso',
  'portrait',
  'studio',
  'ocean',
  'chart',
  'aura',
  'tunnel',
  'contact',
] as const satisfies readonly RecipeName[];

/**
 * The recipe of a story's picture, by its seed: none of those that are `shown` near it (the nearest first); where all
 * are, the one that is farthest away.
 */
export function storyRecipe(seed: string, shown: readonly string[]): RecipeName {
  const random = seeded(seed);
  const [best] = STORY_RECIPES.map((recipe) => {
    const place = shown.indexOf(recipe);
    return { recipe, away: place < 0 ? shown.length : place, luck: random.next() };
  }).sort((one, other) => other.away - one.away || one.luck - other.luck);
  return best?.recipe ?? 'chart';
}
