import type PgBoss from 'pg-boss';

/** What runs jobs in this process. */
interface Runner {
  boss: PgBoss;
  /** Ids of the jobs that run here. */
  active: ReadonlySet<string>;
  /** Ids of the workers by queue, to wake them. */
  workers: ReadonlyMap<string, readonly string[]>;
}

/** Seconds without a sign of life after which a job counts as left behind. */
const leaseSeconds = 6;

/** Of rows of jobs that run. */
const isSilent = `state = 'active' and state <= 'active' and policy = 'exclusive'
  and coalesce((output->>'aliveAt')::timestamptz, started_on) < now() - interval '${leaseSeconds} seconds'`;

/** Jobs that run, by their rows, without a sign of life; those of this process give theirs before. */
export async function findSilent(
  { boss, active }: Pick<Runner, 'boss' | 'active'>,
  names: readonly string[],
): Promise<{ name: string; id: string }[]> {
  const db = boss.getDb();
  if (active.size > 0) {
    await db.executeSql(
      `update pgboss.job set output = jsonb_build_object('aliveAt', now())
        where name = any($1) and id = any($2::uuid[]) and state = 'active'`,
      [names, [...active]],
    );
  }
  const { rows } = await db.executeSql(
    `select name, id from pgboss.job where name = any($1) and ${isSilent}`,
    [names],
  );
  return rows;
}

/**
 * Has a job that was left behind run again: the first time at once, later after a wait as after a failure. Of several processes that see
 * it one does: what it has begun again is nobody's to fail.
 */
export async function takeOver({ boss, active, workers }: Runner, name: string, id: string): Promise<void> {
  if (active.has(id)) return;
  const { rows: claimed } = await boss.getDb().executeSql(
    `update pgboss.job set output = jsonb_build_object('aliveAt', now())
        where name = $1 and id = $2 and ${isSilent} returning id`,
    [name, id],
  );
  if (claimed.length === 0) return;
  await boss.fail(name, id, new Error('its process is gone'));
  await boss
    .getDb()
    .executeSql(
      `update pgboss.job set start_after = now() where name = $1 and id = $2 and state = 'retry' and retry_count = 0`,
      [name, id],
    );
  for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker);
}
