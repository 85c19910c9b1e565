import { starMarkPath } from '../media/paths.ts';
import type { StarBadge, StarSummary } from './model.ts';

/** A star's badge as the contract has it: its sign by address. */
export const toSummary = ({ id, slug, name, category, fandomColor }: StarBadge): StarSummary => ({
  id,
  name,
  category,
  imageUrl: starMarkPath(slug),
  fandomColor,
});
