import type PgBoss from 'pg-boss';

/**
 * What a clock that was ahead left in the future. The queue's library looks at what is planned only if it last did so in the past, and
 * what was queued then would wait until its time comes: after some hours of a wrong clock nothing would be done for as many.
 */
const statements = [
  `update pgboss.version set cron_on = now() where cron_on > now() + interval '1 minute'`,
  `update pgboss.queue set monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
    where greatest(monitor_on, maintain_on) > now() + interval '1 minute'`,
  `update pgboss.job set start_after = start_after - (created_on - now()), created_on = now()
    where state < 'active' and created_on > now() + interval '1 minute'`,
  // One whose process was killed would be nobody's until then; one that runs gives the next sign of life in time.
  `update pgboss.job set started_on = least(started_on, now()), output = jsonb_build_object('aliveAt', now())
    where state = 'active' and state <= 'active' and policy = 'exclusive'
      and greatest(started_on, (output->>'aliveAt')::timestamptz) > now() + interval '1 minute'`,
];

/** Sets such times to now, by the database's clock. */
export async function correctClockSkew(db: PgBoss.Db): Promise<void> {
  for (const statement of statements) await db.executeSql(statement, []);
}
