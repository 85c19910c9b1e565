import { Gauge, Histogram } from 'prom-client';
import { metrics, shortTimes } from './metrics.ts';
import { beginSpan, currentTraceparent, type Span } from './tracing.ts';

/** What a statement is asked of: the primary, prepared, unprepared or impatient, or a replica. */
export type Pool = 'prepared' | 'unprepared' | 'impatient' | 'replica';

const durations = new Histogram({
  name: 'byeol_query_seconds',
  help: 'Time from asking the database to its answer, waiting for a connection included.',
  labelNames: ['pool', 'outcome'],
  buckets: shortTimes,
  registers: [metrics],
});

const inFlight: Record<Pool, number> = { prepared: 0, unprepared: 0, impatient: 0, replica: 0 };

new Gauge({
  name: 'byeol_queries_in_flight',
  help: 'Statements that are asked and not answered yet; more than the pool has connections: the rest wait.',
  labelNames: ['pool'],
  registers: [metrics],
  collect() {
    for (const [pool, count] of Object.entries(inFlight)) this.set({ pool }, count);
  },
});

/** Longer ones are the same at their beginning. */
const maxText = 2_000;

/**
 * Times a statement that is about to be asked, and makes it a span of the trace that it is asked for. Its values are in neither.
 * @param onFailure runs before whoever awaits the statement knows of its failure
 * @returns the statement itself: whoever awaits it may still say how its rows are to be
 */
export function observeStatement<Query extends PromiseLike<unknown>>(
  pool: Pool,
  text: string,
  query: Query,
  onFailure: () => void = () => {},
): Query {
  const startedAt = performance.now();
  const span = currentTraceparent() === undefined ? undefined : spanOf(text);
  inFlight[pool] += 1;
  const settle = (outcome: 'ok' | 'failed', error?: unknown) => {
    inFlight[pool] -= 1;
    durations.observe({ pool, outcome }, (performance.now() - startedAt) / 1000);
    span?.end(error);
  };
  query.then(
    () => settle('ok'),
    (error: unknown) => {
      onFailure();
      settle('failed', error);
    },
  );
  return query;
}

function spanOf(text: string): Span | undefined {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, maxText) };
  return beginSpan(nameOf(text), 'client', attributes);
}

/** `select`, `insert into "messages"`: what a span of it is called. */
function nameOf(text: string): string {
  const [, verb = 'query', table] =
    text.match(/^\s*(\w+)(?:[\s\S]*?\b(?:from|into|update)\s+("\w+"))?/i) ?? [];
  return table ? `${verb.toLowerCase()} ${table.slice(1, -1)}` : verb.toLowerCase();
}
