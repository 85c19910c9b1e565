import { placeholderOf } from '#content/art/ramp.ts';
import { storyRecipe } from '#content/art/story-recipe.ts';
import { type Published, type PublishRules, publishStory } from '#db/queries/newsroom/publishing.ts';
import { renderMarkdown } from '../articles/markdown.ts';
import { invalidate } from '../invalidation.ts';
import type { Tag } from '../tags.ts';

const rules: PublishRules = {
  renderMarkdown,
  picture: ({ name, fandomColor, members }, seed, shown) => ({
    art: {
      recipe: storyRecipe(seed, shown),
      name,
      fandomColor,
      seed,
      ...(members > 0 ? { figures: members } : {}),
    },
    placeholder: placeholderOf(fandomColor),
  }),
};

/**
 * Publishes a story if the rewrites of all languages, a star and nothing against it are there, so that nothing half-done is
 * published, and tells the pages.
 */
export async function tryPublish(storyId: number): Promise<Published | undefined> {
  const published = await publishStory(storyId, rules);
  if (published) await invalidate(tagsOf(published.articleId, published.starIds));
  return published;
}

/** Tags of the pages that show an article. */
export const tagsOf = (articleId: number, starIds: readonly number[]): Tag[] => [
  'feed',
  'sitemap',
  `article:${articleId}`,
  ...starIds.map((id) => `star:${id}` as const),
];
