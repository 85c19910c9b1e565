import { starImagePath } from '../media/paths.ts';
import type { StarBadge, StarSummary } from './model.ts';

/** A star with the address of its square picture. */
export const withImageUrl = <Star extends Pick<StarBadge, 'slug' | 'avatarKey'>>(
  star: Star,
): Star & { imageUrl: string } => ({ ...star, imageUrl: starImagePath(star) });

/** A star's badge as the contract has it: its picture by address. */
export const toSummary = ({ id, slug, name, category, fandomColor, avatarKey }: StarBadge): StarSummary => ({
  id,
  name,
  category,
  imageUrl: starImagePath({ slug, avatarKey }),
  fandomColor,
});

/** The same with that by which it is told from others of its name. */
export const toNamed = (star: StarBadge & { distinction: string | null }) => ({
  ...toSummary(star),
  distinction: star.distinction,
});
