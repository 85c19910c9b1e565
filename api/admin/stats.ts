import { countContent } from '#db/queries/admin-stats.ts';
import type { AdminStats } from './model.ts';

/** §3 Admin stats. */
export async function readAdminStats(): Promise<AdminStats> {
  return { ...(await countContent()), processingQueue: 0 };
}
