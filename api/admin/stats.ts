import { countContent } from '#db/queries/admin/stats.ts';
import { readNewsroom } from '../newsroom/desk.ts';
import { readSources } from '../newsroom/sources.ts';
import type { AdminStats } from './model.ts';

/** §3 Admin stats, with the queue by its stages and how many sources are in trouble. */
export async function readAdminStats(): Promise<AdminStats> {
  const [content, { queue, processingQueue, ai, spending }, sources] = await Promise.all([
    countContent(),
    readNewsroom(),
    readSources(),
  ]);
  return {
    ...content,
    processingQueue,
    queue,
    ai: ai && { ...ai, tokensToday: spending.tokens },
    sources: {
      total: sources.length,
      paused: sources.filter(({ state }) => state === 'paused').length,
      inTrouble: sources.filter(({ state, failures }) => state === 'active' && failures > 0).length,
    },
  };
}
