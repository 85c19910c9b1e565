import { inArray, sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { type StoryStage, stories } from '../schema/newsroom.ts';
import { execute } from '../sql.ts';

interface JobQueue {
  name: string;
  state: 'waiting' | 'retry' | 'active';
  count: number;
  /** Seconds since the oldest that waits could have begun; 0 when none could yet. */
  lateness: number;
}

const jobFields = {
  name: sql<string>`open.queue`,
  state: sql<JobQueue['state']>`open.phase`,
  count: sql<number>`count(*)::int`,
  lateness: sql<number>`coalesce(greatest(0, extract(epoch from now() - min(start_after) filter (where open.phase <> 'active'))), 0)::float`,
};

/** Jobs that wait or run, by queue; pg-boss's table is not in our schema. What has ended is not read: its conditions are those of indexes. */
export function countJobs(): Promise<JobQueue[]> {
  return execute(
    jobFields,
    (columns) => sql`
      select ${columns} from (
        select name as queue, case state when 'created' then 'waiting' else 'retry' end as phase, start_after
        from pgboss.job where state < 'active'
        union all
        select name, 'active', start_after from pgboss.job
        where state = 'active' and state <= 'active' and policy = 'exclusive') open
      group by queue, phase`,
  );
}

/** Where stories wait on their way to an article. */
export const openStages = ['new', 'waiting', 'held', 'failed'] as const satisfies readonly StoryStage[];

/** Stories that are no article yet, by stage. */
export function countOpenStories(): Promise<{ stage: StoryStage; count: number }[]> {
  return database()
    .select({ stage: stories.stage, count: sql<number>`count(*)::int` })
    .from(stories)
    .where(inArray(stories.stage, [...openStages]))
    .groupBy(stories.stage);
}
