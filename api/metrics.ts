import { Gauge } from 'prom-client';
import { measureBus } from '#db/bus/round-trip.ts';
import { connection, poolSizes } from '#db/client.ts';
import { withoutPassword } from '#db/database-errors.ts';
import { metrics } from '#db/metrics.ts';
import { readSpending } from '#db/queries/newsroom/ai-calls.ts';
import { sizeOfPageStore } from '#db/queries/page-store.ts';
import { countJobs, countOpenStories, openStages, secondsSinceCron } from '#db/queries/queues.ts';
import { usedReplicas } from '#db/shared-read.ts';
import { countStreams } from './community/live/live.ts';
import { config } from './config.ts';

/**
 * What is asked when somebody scrapes `/metrics`, and costs nothing otherwise: the state of the database, the bus, the queues and
 * the budget. Rows are shared, so every process says the same of them; a database that is away leaves them out.
 */

const registers = [metrics];

/** @param read sets the values of the moment; what it throws leaves none */
function gauge(
  name: string,
  help: string,
  labelNames: string[],
  read: (gauge: Gauge) => Promise<void> | void,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers,
    async collect() {
      this.reset();
      await Promise.resolve(this)
        .then(read)
        .catch(() => {});
    },
  });
}

gauge('byeol_database_up', 'Whether the database answers this process: 1 or 0.', [], async (up) => {
  up.set(0);
  await connection()`select 1`;
  up.set(1);
});

gauge('byeol_pool_connections', 'Connections that each pool of this process may open.', ['pool'], (size) => {
  for (const [pool, count] of Object.entries(poolSizes())) size.set({ pool }, count);
  const replicas = usedReplicas();
  if (replicas) size.set({ pool: 'replica' }, replicas.connections);
});

gauge(
  'byeol_replica_used',
  'Whether this process reads from a replica: 1, or 0 when that does not answer, is more than 2 s behind or is of another database; none for the primary itself.',
  ['replica'],
  (used) => {
    const replicas = usedReplicas();
    for (const replica of replicas?.all ?? [])
      if (replicas?.mismatchOf(replica) !== 'primary')
        used.set({ replica: withoutPassword(replica.url) }, replica.isClose ? 1 : 0);
  },
);

gauge(
  'byeol_replica_lag_seconds',
  'How far a replica may be behind the primary; none while it does not answer.',
  ['replica'],
  (lag) => {
    for (const replica of usedReplicas()?.all ?? [])
      if (replica.isAnswering) lag.set({ replica: withoutPassword(replica.url) }, replica.lag / 1000);
  },
);

/** Both gauges of the bus are of one measurement. */
let busLag: Promise<number | undefined> | undefined;
function measureBusOnce(): Promise<number | undefined> {
  busLag ??= measureBus().finally(() => {
    busLag = undefined;
  });
  return busLag;
}

gauge(
  'byeol_bus_up',
  'Whether what this process says over the bus comes back within 2 s: 1 or 0.',
  [],
  async (up) => {
    up.set((await measureBusOnce()) === undefined ? 0 : 1);
  },
);

gauge(
  'byeol_bus_lag_seconds',
  'How long a message takes over the bus to this process itself.',
  [],
  async (lag) => {
    const milliseconds = await measureBusOnce();
    if (milliseconds === undefined) lag.remove();
    else lag.set(milliseconds / 1000);
  },
);

gauge('byeol_streams_open', 'Open streams of this process.', [], (streams) => streams.set(countStreams()));

gauge('byeol_jobs', 'Jobs that wait, are to be tried again, or run.', ['queue', 'state'], async (jobs) => {
  for (const { name, state, count } of await countJobs()) jobs.set({ queue: name, state }, count);
});

gauge(
  'byeol_job_lateness_seconds',
  'How long the oldest job of a queue could have run.',
  ['queue'],
  async (jobs) => {
    for (const { name, lateness } of await countJobs()) if (lateness > 0) jobs.set({ queue: name }, lateness);
  },
);

gauge(
  'byeol_cron_age_seconds',
  'Since any process last looked at the jobs that are planned: reminders, retention, the newsroom.',
  [],
  async (age) => {
    const seconds = await secondsSinceCron();
    if (seconds !== undefined) age.set(seconds);
  },
);

gauge('byeol_stories', 'Stories that are no article yet, by stage.', ['stage'], async (stories) => {
  const counts = new Map((await countOpenStories()).map(({ stage, count }) => [stage, count]));
  for (const stage of openStages) stories.set({ stage }, counts.get(stage) ?? 0);
});

gauge('byeol_ai_tokens_today', 'Tokens of the model taken today (a day in Seoul).', [], async (tokens) => {
  tokens.set((await readSpending()).tokens);
});

gauge(
  'byeol_ai_tokens_limit',
  'Tokens of the model that a day may take; none without a model.',
  [],
  (limit) => {
    const { ai } = config();
    if (ai) limit.set(ai.dailyTokens);
    else limit.remove();
  },
);

gauge('byeol_page_store_bytes', 'Bytes that stored pages take in the database.', [], async (size) => {
  size.set(await sizeOfPageStore());
});
