import { inArray, sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { type StoryStage, stories } from '../schema/newsroom.ts';
import { execute, nullable, type RowOf, typedAs } from '../sql.ts';
import { recordDecision } from './admin/audit.ts';

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

const cronFields = { seconds: nullable(sql<number>`extract(epoch from now() - cron_on)::float`) };

/** Seconds since any process last looked at what is planned; none before one did. */
export async function secondsSinceCron(): Promise<number | undefined> {
  const [plan] = await execute(cronFields, (columns) => sql`select ${columns} from pgboss.version`);
  return plan?.seconds ?? undefined;
}

const failingFields = {
  queue: sql<string>`failed.queue`,
  /** Jobs that wait to be tried again, and the next time at which one is. */
  waiting: sql<number>`count(*) filter (where failed.phase = 'retry')::int`,
  nextAt: nullable(
    typedAs(stories.updatedAt, sql`min(failed.start_after) filter (where failed.phase = 'retry')`),
  ),
  /** Jobs that were given up. */
  givenUp: sql<number>`count(*) filter (where failed.phase = 'failed')::int`,
  /** What the last failure said, without addresses of mail. */
  reason: sql<string>`regexp_replace((array_agg(failed.said order by failed.at desc))[1], '[^\\s<>]+@[^\\s<>]+', '…', 'g')`,
};

export type FailingQueue = RowOf<typeof failingFields>;

/** Queues of which jobs failed, for as long as pg-boss keeps these (`retentionSeconds` of a job); none before any job was. Two statements. */
export async function listFailingQueues(): Promise<FailingQueue[]> {
  if (!(await hasJobs())) return [];
  return execute(
    failingFields,
    (columns) => sql`
      select ${columns} from (
        select name as queue, state as phase, start_after, output ->> 'message' as said, coalesce(completed_on, started_on) as at
        from pgboss.job where state in ('retry', 'failed') and output ->> 'message' is not null) failed
      group by queue order by queue`,
  );
}

/**
 * Lets the failed jobs of a queue be tried again at once, those that were given up once more. Of a key one waits or runs at a time: the
 * last that failed, unless another does already; the others are cancelled.
 * @returns how many had failed
 */
export async function retryFailedJobs(queue: string, actorId: number): Promise<number> {
  if (!(await hasJobs())) return 0;
  return database().transaction(async (tx) => {
    const [retried] = await execute(
      { count: sql<number>`count(*)::int` },
      (columns) => sql`
        with failed as (
          select id, row_number() over (partition by key order by state, completed_on desc, created_on desc, id) = 1
            and not exists (select from pgboss.job open where open.name = ${queue} and open.state <= 'active'
              and coalesce(open.singleton_key, '') = key and open.id <> each.id) as is_retried
          from (select *, coalesce(singleton_key, '') as key from pgboss.job) each
          where name = ${queue} and state in ('retry', 'failed') and output ->> 'message' is not null),
        settled as (
          update pgboss.job job set state = case when is_retried then 'retry' else 'cancelled' end::pgboss.job_state,
            start_after = now(), completed_on = case when not is_retried then completed_on end,
            retry_limit = greatest(retry_limit, retry_count + 1)
          from failed where job.name = ${queue} and job.id = failed.id and job.state in ('retry', 'failed') returning 1)
        select ${columns} from settled`,
      tx,
    );
    const count = retried?.count ?? 0;
    if (count > 0)
      await recordDecision(tx, {
        actorId,
        action: 'newsroom.retry',
        subject: 'failure',
        subjectId: null,
        details: { queue, jobs: count },
      });
    return count;
  });
}

/** Whether pg-boss's table is there: not before a process ran or queued jobs. */
export async function hasJobs(): Promise<boolean> {
  const [queue] = await execute(
    { exists: sql<boolean>`to_regclass('pgboss.job') is not null` },
    (columns) => sql`select ${columns}`,
  );
  return queue?.exists === true;
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
