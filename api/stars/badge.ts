import { starMarkPath } from '../media/paths.ts';
import type { StarBadge, StarSummary } from './model.ts';

/** A star with the address of its sign, which stands for it wherever it has no other picture. */
export const withImageUrl = <Star extends { slug: string }>(star: Star): Star & { imageUrl: string } => ({
  ...star,
  imageUrl: starMarkPath(star.slug),
});

/** A star's badge as the contract has it: its sign by address. */
export const toSummary = ({ id, slug, name, category, fandomColor }: StarBadge): StarSummary => ({
  id,
  name,
  category,
  imageUrl: starMarkPath(slug),
  fandomColor,
});
