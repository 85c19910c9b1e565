import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

export interface Window {
  /** Calls in the running window, this one included. */
  count: number;
  /** Seconds until the window ends, at least 1. */
  seconds: number;
}

interface Waiting {
  key: string;
  seconds: number;
  done(window: Window): void;
  fail(error: unknown): void;
}

const waiting: Waiting[] = [];
const mostAtOnce = 500;
let isCounting = false;

/**
 * Counts one call in the window of `seconds` that runs now, by the database's clock, so that every process counts
 * together (decision S7). Exact under races. Calls that come while others are being counted are counted together after
 * them: a commit each would cost a busy site more than what is limited.
 */
export function countCall(key: string, seconds: number): Promise<Window> {
  return new Promise((done, fail) => {
    waiting.push({ key, seconds, done, fail });
    if (!isCounting) void countWaiting();
  });
}

async function countWaiting(): Promise<void> {
  isCounting = true;
  while (waiting.length > 0) {
    const batch = waiting.splice(0, mostAtOnce);
    try {
      await countBatch(batch);
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }
  isCounting = false;
}

/** One statement. Rows are taken in the order of their keys, so that two processes cannot wait for each other. */
async function countBatch(batch: readonly Waiting[]): Promise<void> {
  const calls = Map.groupBy(batch, ({ key, seconds }) => `${seconds} ${key}`);
  const input = [...calls.values()].flatMap((same) =>
    same[0] ? [{ key: same[0].key, seconds: same[0].seconds, calls: same.length }] : [],
  );
  const rows = await database().execute<{ key: string; seconds: number; count: number; left: number }>(sql`
    with called as (
      select key, seconds, calls, to_timestamp(floor(extract(epoch from now()) / seconds) * seconds) as start
      from jsonb_to_recordset(${JSON.stringify(input)}::text::jsonb) as c(key text, seconds int, calls int)),
    counted as (
      insert into rate_limits as r (key, window_start, count) select key, start, sum(calls) from called
      group by key, start order by key, start
      on conflict (key, window_start) do update set count = r.count + excluded.count
      returning key, window_start, count)
    select called.key, called.seconds, counted.count,
      greatest(1, ceil(extract(epoch from called.start - now()) + called.seconds))::int as left
    from called join counted on counted.key = called.key and counted.window_start = called.start`);
  for (const { key, seconds, count, left } of rows) {
    const same = calls.get(`${seconds} ${key}`) ?? [];
    for (const [place, { done }] of same.entries())
      done({ count: count - same.length + place + 1, seconds: left });
  }
}

/** Forgets windows that began more than `hours` ago. */
export async function deleteOldWindows(hours: number): Promise<void> {
  await database().execute(
    sql`delete from rate_limits where window_start < now() - make_interval(hours => ${hours}::int)`,
  );
}
