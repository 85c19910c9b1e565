import { afterEach, expect, test } from 'bun:test';
import { defineJob, enqueue, type Job, startJobs, stopJobs, withQueue } from '#api/jobs/jobs.ts';
import { takeOver } from '#api/jobs/left-behind.ts';
import { connection, database } from '#db/client.ts';
import { secondsSinceCron } from '#db/queries/queues.ts';
import { bearer, call, typedCall } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { makeFan } from '#tests/kit/make.ts';
import { until } from '#tests/kit/until.ts';
import { startWorker } from '#tests/kit/worker.ts';

const own = useDatabase();
afterEach(() => stopJobs(), 60_000);

let jobCount = 0;
/** A job that notes what it was given. */
function makeRecordingJob(more: Partial<Job> = {}) {
  const handled: object[] = [];
  jobCount += 1;
  const job = defineJob<object>({
    name: `note-${jobCount}`,
    retryDelay: 0,
    retryBackoff: false,
    handle: async (data) => void handled.push(data),
    ...more,
  });
  return { job, handled };
}

test('a queued job runs once with its data', async () => {
  const { job, handled } = makeRecordingJob();
  await startJobs([job]);
  expect(await enqueue(job, { star: 3 })).toBe(true);
  await until(() => handled.length > 0);
  expect(handled).toEqual([{ star: 3 }]);
});

test('a job that was queued where none run waits for a worker', async () => {
  const { job, handled } = makeRecordingJob();
  await enqueue(job, { early: true });
  expect(handled).toEqual([]);
  await startJobs([job]);
  await until(() => handled.length > 0);
});

test('a key is queued once until its job has ended', async () => {
  const { job, handled } = makeRecordingJob();
  const answers = await Promise.all([1, 2, 3].map((n) => enqueue(job, { n }, { key: 'event-7' })));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await enqueue(job, { n: 4 })).toBe(true);
  expect(await enqueue(job, { n: 5 })).toBe(true);
  await startJobs([job]);
  await until(() => handled.length === 3);
  await until(() => enqueue(job, { n: 6 }, { key: 'event-7' }));
  await until(() => handled.length === 4);
});

test('what is planned and what waits goes on when a clock that was ahead is right again', async () => {
  const { job, handled } = makeRecordingJob();
  await enqueue(job, { early: true });
  await enqueue(job, { tomorrow: true }, { startAfter: new Date(Date.now() + 86_400_000) });
  const sql = connection();
  await sql`update pgboss.job set created_on = created_on + interval '9 h', start_after = start_after + interval '9 h'
    where name = ${job.name}`;
  await sql`update pgboss.version set cron_on = now() + interval '9 h'`;
  await startJobs([job]);
  await until(() => handled.length > 0);
  expect(handled).toEqual([{ early: true }]);
  const [row] = await sql<{ hours: number }[]>`
    select round(extract(epoch from start_after - now()) / 3600)::int as hours from pgboss.job
    where name = ${job.name} and state = 'created'`;
  expect(row?.hours).toBe(24);
  await until(async () => Math.abs((await secondsSinceCron()) ?? 3_600) < 60);
});

test('a job whose process was killed while its clock was ahead comes again', async () => {
  const { job, handled } = makeRecordingJob();
  await startJobs([job]);
  await enqueue(job, { killed: true });
  await until(() => handled.length === 1);
  await stopJobs();
  await connection()`update pgboss.job set state = 'active', completed_on = null, started_on = now() + interval '9 h',
    output = jsonb_build_object('aliveAt', now() + interval '9 h') where name = ${job.name}`;
  await startJobs([job]);
  await until(() => handled.length === 2);
}, 120_000);

test('of processes that find a job left behind one has it run again, and the others leave alone what it began', async () => {
  const { job } = makeRecordingJob();
  await enqueue(job, {});
  const { boss } = await withQueue(job);
  const [row] = await connection()<{ id: string }[]>`
    update pgboss.job set state = 'active', started_on = now() - interval '1 minute' where name = ${job.name} returning id`;
  const id = row?.id ?? '';
  const takeItOver = () => takeOver({ boss, active: new Set(), workers: new Map() }, job.name, id);
  const stateOf = async () => {
    const [found] = await connection()<{ state: string; tries: number }[]>`
      select state, retry_count as tries from pgboss.job where id = ${id}`;
    return found;
  };
  await takeItOver();
  expect(await stateOf()).toEqual({ state: 'retry', tries: 0 });
  await connection()`update pgboss.job set state = 'active', started_on = now(), retry_count = 1 where id = ${id}`;
  await takeItOver();
  expect(await stateOf()).toEqual({ state: 'active', tries: 1 });
});

test('a job that is queued in a transaction runs only when it commits', async () => {
  const { job, handled } = makeRecordingJob();
  await startJobs([job]);
  const rolledBack = database().transaction(async (tx) => {
    await enqueue(job, { undone: true }, { tx });
    throw new Error('changed my mind');
  });
  expect(await rolledBack.catch((error: Error) => error.message)).toBe('changed my mind');
  await database().transaction((tx) => enqueue(job, { kept: true }, { tx }));
  await until(() => handled.length > 0);
  expect(handled).toEqual([{ kept: true }]);
});

test('what failed is shown with its reason and without addresses, and is tried again when an administrator says so', async () => {
  const log = recordLog();
  let isMended = false;
  const { job, handled } = makeRecordingJob({
    retryLimit: 1,
    handle: async (data) => {
      if (!isMended) throw new Error('550 no such box <fan@byeol.example>');
      handled.push(data);
    },
  });
  const { id: adminId, token: admin } = await makeFan({ role: 'admin' });
  const { token: editor } = await makeFan({ role: 'editor' });
  const failing = async () =>
    (await typedCall('get', '/api/admin/queues/failing', { headers: bearer(editor) })).answer?.queues.find(
      ({ queue }) => queue === job.name,
    );
  const retry = (token: string) =>
    call(`/api/admin/queues/${job.name}/retry`, { method: 'POST', headers: bearer(token) });
  expect(await failing()).toBeUndefined();
  await startJobs([job]);
  await enqueue(job, { letter: 1 });
  await until(async () => (await failing())?.givenUp === 1);
  expect(await failing()).toEqual({
    queue: job.name,
    waiting: 0,
    nextAt: null,
    givenUp: 1,
    reason: '550 no such box <…>',
  });
  expect((await retry(editor)).status).toBe(403);
  isMended = true;
  expect((await retry(admin)).status).toBe(200);
  await until(() => handled.length === 1);
  await until(async () => (await failing()) === undefined);
  expect((await retry(admin)).status).toBe(404);
  const decisions =
    await connection()`select actor_id, details from audit_log where action = 'newsroom.retry' and details ->> 'queue' = ${job.name}`;
  expect([...decisions]).toEqual([{ actor_id: adminId, details: { queue: job.name, jobs: 1 } }]);
  log.stop();
});

test('of those that failed under one key the last is tried again, and none beside one that waits', async () => {
  const log = recordLog();
  let isMended = false;
  const { job, handled } = makeRecordingJob({
    retryLimit: 0,
    handle: async (data) => {
      if (!isMended) throw new Error('no luck');
      handled.push(data);
    },
  });
  const { token } = await makeFan({ role: 'admin' });
  const states = async () => {
    const rows = await connection()<{ state: string }[]>`
      select state from pgboss.job where name = ${job.name} order by data ->> 'turn'`;
    return rows.map(({ state }) => state);
  };
  await startJobs([job]);
  for (const [turn, key] of ['daily', 'daily', 'other'].entries()) {
    expect(await enqueue(job, { turn }, { key })).toBe(true);
    await until(async () => (await states())[turn] === 'failed');
  }
  await enqueue(job, { turn: 3 }, { key: 'other', startAfter: new Date(Date.now() + 3_600_000) });
  isMended = true;
  const retried = await call(`/api/admin/queues/${job.name}/retry`, {
    method: 'POST',
    headers: bearer(token),
  });
  expect(retried.status).toBe(200);
  await until(async () => (await states())[1] === 'completed');
  expect(handled).toEqual([{ turn: 1 }]);
  expect(await states()).toEqual(['cancelled', 'completed', 'cancelled', 'created']);
  log.stop();
});

test('a job waits for its time', async () => {
  const { job, handled } = makeRecordingJob();
  await startJobs([job]);
  await enqueue(job, { later: true }, { startAfter: new Date(Date.now() + 3_600_000) });
  await enqueue(job, { now: true });
  await until(() => handled.length > 0);
  expect(handled).toEqual([{ now: true }]);
});

test('a job that fails is tried again as often as it may, and then stays as failed', async () => {
  const log = recordLog();
  let tries = 0;
  const { job } = makeRecordingJob({
    retryLimit: 2,
    handle: async () => {
      tries += 1;
      throw new Error('no luck');
    },
  });
  await startJobs([job]);
  await enqueue(job, {});
  const failed = () => connection()`select 1 from pgboss.job where name = ${job.name} and state = 'failed'`;
  await until(async () => (await failed()).length === 1);
  expect(tries).toBe(3);
  log.stop();
}, 120_000);

test('so many run at once as the job allows', async () => {
  let running = 0;
  let maxRunning = 0;
  let ended = 0;
  const { job } = makeRecordingJob({
    concurrency: 2,
    handle: async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await until(() => running === 2 || ended >= 2);
      running -= 1;
      ended += 1;
    },
  });
  for (let n = 0; n < 4; n += 1) await enqueue(job, { n });
  await startJobs([job]);
  await until(() => ended === 4);
  expect(maxRunning).toBe(2);
}, 120_000);

test('a full queue is worked off without pauses', async () => {
  const { job, handled } = makeRecordingJob();
  for (let n = 0; n < 30; n += 1) await enqueue(job, { n });
  await startJobs([job]);
  await until(() => handled.length === 30);
}, 120_000);

test('a process that starts runs what is to run then, though another that started was killed at it', async () => {
  const ran = new Set<string>();
  const { job } = makeRecordingJob({
    atStart: { starts: true },
    handle: async (_, { id }) => void ran.add(id),
  });
  await startJobs([job]);
  await until(() => ran.size === 1);
  await stopJobs();
  // As a killed process leaves it: begun, and nobody ends it.
  await connection()`update pgboss.job set state = 'active', completed_on = null, started_on = now() where name = ${job.name}`;
  await startJobs([job]);
  // Another one: the one that was left behind keeps its number when it comes again.
  await until(() => ran.size === 2);
});

test('stopping waits for the job that runs', async () => {
  let ended = false;
  let began = false;
  const { job } = makeRecordingJob({
    handle: async () => {
      began = true;
      await Bun.sleep(300);
      ended = true;
    },
  });
  await startJobs([job]);
  await enqueue(job, {});
  await until(() => began);
  await stopJobs();
  expect(ended).toBe(true);
});

test('a job that does not end is aborted when the process stops, and comes again', async () => {
  let runs = 0;
  const { job } = makeRecordingJob({
    handle: async (_, { signal }) => {
      runs += 1;
      if (runs > 1) return;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  await startJobs([job]);
  await enqueue(job, {});
  await until(() => runs === 1);
  await stopJobs(100);
  await startJobs([job]);
  await until(() => runs === 2);
}, 120_000);

test('jobs go on after the database dropped every connection', async () => {
  const log = recordLog();
  const { job, handled } = makeRecordingJob();
  await startJobs([job]);
  await enqueue(job, { before: true });
  await until(() => handled.length === 1);
  await connection()`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'byeol-jobs'`;
  // Over our own pool, whose connections stay.
  await enqueue(job, { after: true });
  await until(() => handled.length === 2);
  log.stop();
}, 120_000);

test('`bun run worker` runs for the database of the settings and ends well on SIGTERM', async () => {
  const worker = await startWorker(own.url);
  const begin = performance.now();
  expect(await worker.end('SIGTERM')).toBe(0);
  expect(performance.now() - begin).toBeLessThan(10_000 * contention());
}, 120_000);
