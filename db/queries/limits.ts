import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { fixed } from '../statement.ts';
import { together } from '../together.ts';

export interface Window {
  /** Calls in the running window, this one included. */
  count: number;
  /** Seconds until the window ends, at least 1. */
  seconds: number;
}

interface Call {
  key: string;
  seconds: number;
}

/**
 * Counts one call in the window of `seconds` that runs now, by the database's clock, so that every process counts
 * together (decision S7). Exact under races.
 */
export function countCall(key: string, seconds: number): Promise<Window> {
  return count({ key, seconds });
}

const count = together(countCalls);

/** One statement. Rows are taken in the order of their keys, so that two processes cannot wait for each other. */
async function countCalls(batch: readonly Call[]): Promise<Window[]> {
  const calls = Map.groupBy(batch.entries(), ([, { key, seconds }]) => `${seconds} ${key}`);
  const input = [...calls.values()].flatMap((same) =>
    same[0] ? [{ ...same[0][1], calls: same.length }] : [],
  );
  const rows = await addCalls({ calls: JSON.stringify(input) });
  const windows: Window[] = [];
  for (const { key, seconds, count: all, left } of rows) {
    const same = calls.get(`${seconds} ${key}`) ?? [];
    for (const [nth, [place]] of same.entries())
      windows[place] = { count: all - same.length + nth + 1, seconds: left };
  }
  return windows;
}

const addCalls = fixed<{ key: string; seconds: number; count: number; left: number }, { calls: string }>(sql`
  with called as (
    select key, seconds, calls, to_timestamp(floor(extract(epoch from now()) / seconds) * seconds) as start
    from jsonb_to_recordset(${sql.placeholder('calls')}::text::jsonb) as c(key text, seconds int, calls int)),
  counted as (
    insert into rate_limits as r (key, window_start, count) select key, start, sum(calls) from called
    group by key, start order by key, start
    on conflict (key, window_start) do update set count = r.count + excluded.count
    returning key, window_start, count)
  select called.key, called.seconds, counted.count,
    greatest(1, ceil(extract(epoch from called.start - now()) + called.seconds))::int as left
  from called join counted on counted.key = called.key and counted.window_start = called.start`);

export interface Taken {
  /** False: the window is full, and nothing was counted. */
  isTaken: boolean;
  windowStart: string;
  /** Seconds until the window ends, at least 1. */
  seconds: number;
}

/** Counts one call in the window of `seconds` that runs now while it holds fewer than `count`. Exact under races. */
export async function takeCall(
  key: string,
  { count, seconds }: { count: number; seconds: number },
): Promise<Taken> {
  const [row] = await takeRow({ key, count, seconds });
  if (!row) throw new Error('a statement that always answers a row answered none');
  return row;
}

const takeRow = fixed<Taken, { key: string; count: number; seconds: number }>(sql`
  with running as (
    select to_timestamp(floor(extract(epoch from now()) / length) * length) as start, length
    from (select ${sql.placeholder('seconds')}::int as length) given),
  taken as (
    insert into rate_limits as r (key, window_start) select ${sql.placeholder('key')}::text, start from running
    on conflict (key, window_start) do update set count = r.count + 1 where r.count < ${sql.placeholder('count')}::int
    returning count)
  select exists (select from taken) as "isTaken", start as "windowStart",
    greatest(1, ceil(extract(epoch from start - now()) + length))::int as seconds
  from running`);

/** Takes back one call that `takeCall` counted in the window that began then. */
export async function giveBackCall(key: string, windowStart: string): Promise<void> {
  await database().execute(
    sql`update rate_limits set count = count - 1 where key = ${key} and window_start = ${windowStart}::timestamptz and count > 0`,
  );
}

/** Forgets windows that began more than `hours` ago. */
export async function deleteOldWindows(hours: number): Promise<void> {
  await database().execute(
    sql`delete from rate_limits where window_start < now() - make_interval(hours => ${hours}::int)`,
  );
}
