import { settleBulkLoad } from '../bulk-load.ts';
import { connection } from '../client.ts';
import { seedSyntheticArticles } from './volume/articles.ts';
import type { Progress } from './volume/chunks.ts';
import { seedChannels, seedMessages, seedUsers } from './volume/community.ts';
import { seedSyntheticEvents } from './volume/events.ts';
import { seedSyntheticStars } from './volume/stars.ts';

/** How much of each thing there is per 100,000 articles. */
const proportions = {
  stars: 2_000,
  users: 10_000,
  channels: 200,
  messages: 1_000_000,
  events: 20_000,
} as const;

/**
 * Adds synthetic volume for benchmarks on top of whatever the open database holds: `scale` articles with four rewrites
 * each, and stars, users, channels, messages and events in proportion. Chunks are transactions of their own, so a stopped
 * run leaves whole rows behind. Ends as every bulk load does, by `settleBulkLoad`.
 * @param progress told after every chunk what is being made, how much of it is done and out of how much
 */
export async function seedVolume(scale: number, progress: Progress): Promise<void> {
  await fillVolume(scale, progress);
  progress('statistics', 0, 1);
  await settleBulkLoad(connection());
  progress('statistics', 1, 1);
}

/** What `seedVolume` adds, without its end: for who has more to do before. */
export async function fillVolume(scale: number, progress: Progress): Promise<void> {
  const part = (perHundredThousand: number) => Math.max(1, Math.ceil((scale * perHundredThousand) / 100_000));
  const stars = await seedSyntheticStars(part(proportions.stars), progress);
  const fans = await seedUsers(part(proportions.users), stars, progress);
  const channels = await seedChannels(
    Math.min(stars.count, part(proportions.channels)),
    stars,
    fans,
    progress,
  );
  // Both touch no row of the other, and neither fills more than a core or two.
  await Promise.all([
    seedSyntheticArticles(scale, stars, progress),
    seedMessages(part(proportions.messages), channels, fans, progress).then(() =>
      seedSyntheticEvents(part(proportions.events), stars, fans, progress),
    ),
  ]);
}
