import { sql } from 'drizzle-orm';
import PgBoss from 'pg-boss';
import { Histogram } from 'prom-client';
import { type Database, database, databaseUrl } from '#db/client.ts';
import { isUnreachable } from '#db/database-errors.ts';
import { log } from '#db/log.ts';
import { longTimes, metrics } from '#db/metrics.ts';
import { traced } from '#db/tracing.ts';
import { correctClockSkew } from './clock-skew.ts';
import { findSilent, takeOver } from './left-behind.ts';

/** What a handler knows of its run besides the data. */
interface JobRun {
  id: string;
  /** Aborted when the job has run too long or the process stops: stop soon, the job comes again. */
  signal: AbortSignal;
}

interface JobDefinition<T extends object> {
  /** Letters, digits and hyphens; also the queue's name. */
  name: string;
  /** How often it is tried again after a failure. */
  retryLimit?: number;
  /** seconds */
  retryDelay?: number;
  /** Each wait is about twice the one before. */
  retryBackoff?: boolean;
  /** seconds that such a wait takes at most */
  retryDelayMax?: number;
  /** How many of it run at once in one process. */
  concurrency?: number;
  /** When it is queued by itself, five fields in UTC; the data is `{}`. */
  cron?: string;
  /** With what it is queued once more when a process begins to run jobs. */
  atStart?: T;
  /** Seconds that a run may take. A job of a process that was killed runs again after them. */
  timeout?: number;
  /** Seconds for which a run that ended is kept with its data: a week, less where the data names a person. */
  retentionSeconds?: number;
  /** Must stand being run twice: a process may be killed after the work and before the note of it. */
  handle(data: T, run: JobRun): Promise<void>;
}

/** A job that can be queued and run; made by `defineJob`. */
export interface Job<T extends object = object> extends Required<Omit<JobDefinition<T>, 'cron' | 'atStart'>> {
  cron: string | undefined;
  atStart: T | undefined;
}

/** Defines a job. Add it to `all.ts`, so that the app and the worker run it. */
export function defineJob<T extends object>(definition: JobDefinition<T>): Job<T> {
  return {
    retryLimit: 5,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 3_600,
    concurrency: 1,
    cron: undefined,
    atStart: undefined,
    timeout: 120,
    retentionSeconds: 604_800,
    ...definition,
  };
}

interface Running {
  boss: PgBoss;
  /** Undefined: it queues jobs and runs none. */
  jobs: readonly Job[] | undefined;
  address: string;
  queues: Set<string>;
  /** Ids of the workers by queue, to wake them. */
  workers: Map<string, string[]>;
  /** Ids of the jobs that run in this process. */
  active: Set<string>;
  heartbeat: Timer | undefined;
  stopping: AbortController;
}

/** Seconds between two signs of life of the jobs that run. */
const heartbeatSeconds = 2;
/** After so many of them it is seen whether the clock was put back. */
const beatsPerSkewCheck = 30;

const durations = new Histogram({
  name: 'byeol_job_seconds',
  help: 'Time that a run of a job took in this process.',
  labelNames: ['queue', 'outcome'],
  buckets: longTimes,
  registers: [metrics],
});

let current: Promise<Running> | undefined;
/** What this process runs, wherever the database is. */
let wantedJobs: readonly Job[] | undefined;

/**
 * Queues a job and wakes a worker of this process. With `tx` it is queued when the transaction commits, and not at all
 * when it does not.
 * @param options `startAfter`: not before; `key`: while a job with this key waits or runs, another is not queued
 * @returns false when `key` was taken
 */
export async function enqueue<T extends object>(
  job: Job<T>,
  data: T,
  { startAfter, key, tx }: { startAfter?: Date; key?: string; tx?: Pick<Database, 'execute'> } = {},
): Promise<boolean> {
  const { boss, workers } = await withQueue(job);
  const id = await boss.send(job.name, data, {
    db: executor(tx ?? database()),
    // Queues are exclusive by key, and an empty key is a key too.
    singletonKey: key ?? crypto.randomUUID(),
    ...(startAfter ? { startAfter } : {}),
  });
  if (!tx && !startAfter) for (const worker of workers.get(job.name) ?? []) boss.notifyWorker(worker);
  return id !== null;
}

/**
 * Runs these jobs in this process until `stopJobs`. The database must be open and migrated; a database that goes away
 * later is waited for.
 * @param ready they begin once it has resolved, and are not waited for: a server listens first, whatever a job meets
 */
export async function startJobs(jobs: readonly Job[], ready?: Promise<void>): Promise<void> {
  await stopJobs();
  wantedJobs = jobs;
  current = open(jobs);
  const running = await current;
  const { boss } = running;
  await correctClockSkew(boss.getDb());
  const existingQueues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const job of jobs) await ensureQueue(running, job, existingQueues.has(job.name));
  await schedule(boss, jobs);
  if (!ready) return work(running, jobs);
  void ready
    .then(async () => {
      if ((await current?.catch(() => undefined)) === running) await work(running, jobs);
    })
    .catch(report);
}

async function work(running: Running, jobs: readonly Job[]): Promise<void> {
  // What a killed process left running, if its time is over.
  await running.boss.supervise();
  for (const job of jobs) {
    const ids: string[] = [];
    for (let n = 0; n < job.concurrency; n += 1) ids.push(await startWorker(running, job, n === 0));
    running.workers.set(job.name, ids);
  }
  running.heartbeat = startHeartbeat(running, jobs);
  // Without a key: one that a process took with it would keep this from being queued.
  for (const job of jobs) if (job.atStart) await enqueue(job, job.atStart);
}

/**
 * Takes no new jobs, lets the running ones end for a while, then aborts them: they run again later.
 * @param gracePeriod milliseconds
 */
export async function stopJobs(gracePeriod = 8_000): Promise<void> {
  wantedJobs = undefined;
  const stopping = current;
  current = undefined;
  const running = await stopping?.catch(() => undefined);
  if (!running) return;
  // What the library still asks finds its connections closed.
  running.boss.off('error', report);
  running.boss.on('error', () => {});
  clearInterval(running.heartbeat);
  running.heartbeat = undefined;
  const abort = setTimeout(() => running.stopping.abort(new Error('the process stops')), gracePeriod);
  // Without a database the library waits for its answer for ever. A command that is done should not wait with it.
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
  const limit = setTimeout(giveUp, gracePeriod + 4_000);
  await Promise.race([running.boss.stop({ timeout: gracePeriod + 3_000 }).catch(report), late]);
  clearTimeout(limit);
  clearTimeout(abort);
}

/** The database is another server now: those that ran there cannot say how they ended. */
async function moveJobs(jobs: readonly Job[]): Promise<void> {
  try {
    await startJobs(jobs);
  } catch (error) {
    report(error);
    setTimeout(() => wantedJobs === jobs && void moveJobs(jobs), heartbeatSeconds * 1_000).unref();
  }
}

async function open(jobs?: readonly Job[]): Promise<Running> {
  const runsJobs = jobs !== undefined;
  const address = databaseUrl();
  const boss = new PgBoss({
    connectionString: address,
    application_name: 'byeol-jobs',
    max: runsJobs ? 3 : 1,
    supervise: runsJobs,
    schedule: runsJobs,
    monitorIntervalSeconds: 15,
    superviseIntervalSeconds: 15,
    cronMonitorIntervalSeconds: 15,
  });
  boss.on('error', report);
  await boss.start();
  return {
    boss,
    jobs,
    address,
    queues: new Set(),
    workers: new Map(),
    active: new Set(),
    heartbeat: undefined,
    stopping: new AbortController(),
  };
}

/** The queue of a job, also in a process that runs none (the API with `JOBS=off`, a command, a test). */
export async function withQueue(job: Job): Promise<Running> {
  const previous = await current?.catch(() => undefined);
  // Whoever runs jobs moves with them, at the next heartbeat.
  if (previous && !previous.jobs && previous.address !== databaseUrl()) await stopJobs();
  if (!current) {
    const opening = open();
    current = opening;
    opening.catch(() => {
      if (current === opening) current = undefined;
    });
  }
  const running = await current;
  if (!running.queues.has(job.name)) {
    await ensureQueue(running, job, (await running.boss.getQueue(job.name)) !== null);
  }
  return running;
}

async function ensureQueue({ boss, queues }: Running, job: Job, exists: boolean): Promise<void> {
  const { retryLimit, retryDelay, retryBackoff, retryDelayMax, timeout, retentionSeconds } = job;
  const options = {
    retryLimit,
    retryDelay,
    retryBackoff,
    ...(retryBackoff ? { retryDelayMax } : {}),
    expireInSeconds: timeout,
    deleteAfterSeconds: retentionSeconds,
  };
  if (exists) await boss.updateQueue(job.name, options);
  else await boss.createQueue(job.name, { policy: 'exclusive', ...options });
  queues.add(job.name);
}

/** Cron jobs as these definitions want them; those of jobs that are gone would queue for ever. */
async function schedule(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const cronNames = new Set(jobs.filter(({ cron }) => cron).map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) if (!cronNames.has(name)) await boss.unschedule(name);
  for (const { name, cron } of jobs) {
    if (cron) await boss.schedule(name, cron, {}, { tz: 'UTC', singletonKey: 'cron' });
  }
}

/**
 * Starts one worker of a job. Only the first of a job asks often; whoever takes a job wakes the others and, when it is
 * done, itself: an idle process asks little, and a full queue is worked off without pauses.
 */
async function startWorker(running: Running, job: Job, first: boolean): Promise<string> {
  const { boss, stopping, workers, active } = running;
  const wake = () => {
    for (const worker of workers.get(job.name) ?? []) boss.notifyWorker(worker);
  };
  const options = { batchSize: 1, pollingIntervalSeconds: first ? 2 : 30 };
  return boss.work<object>(job.name, options, async ([claimed]) => {
    if (!claimed) return;
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(job.timeout * 1_000)]);
    active.add(claimed.id);
    wake();
    const startedAt = performance.now();
    let outcome: 'done' | 'failed' | 'stopped' = 'done';
    try {
      const run = { id: claimed.id, signal };
      await traced(`job ${job.name}`, 'consumer', { 'messaging.destination.name': job.name }, () =>
        job.handle(claimed.data, run),
      );
    } catch (error) {
      outcome = stopping.signal.aborted ? 'stopped' : 'failed';
      if (outcome === 'failed') log.error({ err: error, job: job.name }, 'a job failed');
      throw error;
    } finally {
      durations.observe({ queue: job.name, outcome }, (performance.now() - startedAt) / 1000);
      active.delete(claimed.id);
      wake();
    }
  });
}

/**
 * Says again and again that the jobs of this process run, and lets those go on at once of which nobody says so any more:
 * their process was killed. A job has to be silent twice, so that after an outage its process can speak first.
 */
function startHeartbeat(running: Running, jobs: readonly Job[]): Timer {
  const names = jobs.map(({ name }) => name);
  let silentIds = new Set<string>();
  let isBeating = false;
  let beats = 0;
  return setInterval(async () => {
    if (isBeating) return;
    isBeating = true;
    beats += 1;
    try {
      if (running.address !== databaseUrl()) return void moveJobs(jobs);
      if (beats % beatsPerSkewCheck === 0) await correctClockSkew(running.boss.getDb());
      const silentJobs = await findSilent(running, names);
      const abandoned = silentJobs.filter(({ id }) => silentIds.has(id));
      silentIds = new Set(silentJobs.map(({ id }) => id));
      for (const { name, id } of abandoned) await takeOver(running, name, id);
    } catch (error) {
      // One that was under way when the jobs were stopped finds the library's connections closed.
      if (running.heartbeat) report(error);
    } finally {
      isBeating = false;
    }
  }, heartbeatSeconds * 1_000);
}

/** pg-boss's statements over our own pool or transaction, so that a job is queued by the same commit as its cause. */
function executor(db: Pick<Database, 'execute'>): PgBoss.Db {
  return {
    async executeSql(text, values) {
      const parts = text
        .split(/(\$\d+)/)
        .map((part) =>
          /^\$\d+$/.test(part) ? sql`${values[Number(part.slice(1)) - 1]}::text` : sql.raw(part),
        );
      return { rows: [...(await db.execute(sql.join(parts)))] };
    },
  };
}

/** The queue's own driver gives a connection that ended no code. */
const isCut = (error: unknown) =>
  error instanceof Error && error.message === 'Connection terminated unexpectedly';

let lastReportAt = 0;

/** While the database is away every poll fails: one line in ten seconds says so. */
function report(error: unknown): void {
  if (Date.now() - lastReportAt < 10_000) return;
  lastReportAt = Date.now();
  // Whoever lost the connection knows why: the database has a line of its own.
  if (isUnreachable(error) || isCut(error)) log.warn('the queue of jobs could not be asked');
  else log.error({ err: error }, 'the queue of jobs could not be asked');
}
