import { and, eq, gt, sql } from 'drizzle-orm';
import { batched, busyPause } from '../batch.ts';
import { database } from '../client.ts';
import { deleteInPieces } from '../in-pieces.ts';
import { rateLimits } from '../schema/accounts.ts';
import { derived, nameOf, namesOf, prepare, typedAs } from '../sql.ts';

interface Window {
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

const count = batched(countCalls, { pause: busyPause });

/** One statement. Rows are taken in the order of their keys, so that two processes cannot wait for each other. */
async function countCalls(batch: readonly Call[]): Promise<Window[]> {
  const groups = Map.groupBy(batch.entries(), ([, { key, seconds }]) => `${seconds} ${key}`);
  const calls = [...groups.values()].flatMap((same) =>
    same[0] ? [{ ...same[0][1], calls: same.length }] : [],
  );
  const rows = await addCalls({ calls: JSON.stringify(calls) });
  const windows: Window[] = [];
  for (const { key, seconds, count: total, left: secondsLeft } of rows) {
    const same = groups.get(`${seconds} ${key}`) ?? [];
    for (const [nth, [place]] of same.entries())
      windows[place] = { count: total - same.length + nth + 1, seconds: secondsLeft };
  }
  return windows;
}

const called = derived('called', {
  key: sql<string>`key`,
  seconds: sql<number>`seconds`,
  calls: sql<number>`calls`,
  start: typedAs(
    rateLimits.windowStart,
    sql`to_timestamp(floor(extract(epoch from now()) / seconds) * seconds)`,
  ),
});
const counted = derived('counted', {
  key: rateLimits.key,
  start: rateLimits.windowStart,
  count: rateLimits.count,
});

const windowFields = {
  key: called.fields.key,
  seconds: called.fields.seconds,
  count: counted.fields.count,
  left: sql<number>`greatest(1, ceil(extract(epoch from ${called.fields.start} - now()) + ${called.fields.seconds}))::int`,
};

const addCalls = prepare<typeof windowFields, { calls: string }>(
  windowFields,
  (columns) => sql`
    with ${called.name} as (
      select ${called.columns}
      from jsonb_to_recordset(${sql.placeholder('calls')}::text::jsonb) as c(key text, seconds int, calls int)),
    ${counted.name} as (
      insert into ${rateLimits} (${namesOf(rateLimits.key, rateLimits.windowStart, rateLimits.count)})
      select ${called.fields.key}, ${called.fields.start}, sum(${called.fields.calls}) from ${called.name}
      group by 1, 2 order by 1, 2
      on conflict (${namesOf(rateLimits.key, rateLimits.windowStart)}) do update
        set ${nameOf(rateLimits.count)} = ${rateLimits.count} + excluded.${nameOf(rateLimits.count)}
      returning ${counted.columns})
    select ${columns} from ${called.name} join ${counted.name}
      on ${counted.fields.key} = ${called.fields.key} and ${counted.fields.start} = ${called.fields.start}`,
);

interface TakenCall {
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
): Promise<TakenCall> {
  const [row] = await takeRow({ key, count, seconds });
  if (!row) throw new Error('a statement that always answers a row answered none');
  return row;
}

const takenFields = {
  isTaken: sql<boolean>`exists (select from taken)`,
  windowStart: sql<string>`start::text`,
  seconds: sql<number>`greatest(1, ceil(extract(epoch from start - now()) + length))::int`,
};

const takeRow = prepare<typeof takenFields, { key: string; count: number; seconds: number }>(
  takenFields,
  (columns) => sql`
    with running as (
      select to_timestamp(floor(extract(epoch from now()) / length) * length) as start, length
      from (select ${sql.placeholder('seconds')}::int as length) given),
    taken as (
      insert into ${rateLimits} (${namesOf(rateLimits.key, rateLimits.windowStart)})
      select ${sql.placeholder('key')}::text, start from running
      on conflict (${namesOf(rateLimits.key, rateLimits.windowStart)}) do update
        set ${nameOf(rateLimits.count)} = ${rateLimits.count} + 1
        where ${rateLimits.count} < ${sql.placeholder('count')}::int
      returning ${rateLimits.count})
    select ${columns} from running`,
);

/** Takes back one call that `takeCall` counted in the window that began then. */
export async function giveBackCall(key: string, windowStart: string): Promise<void> {
  await database()
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} - 1` })
    .where(
      and(
        eq(rateLimits.key, key),
        eq(rateLimits.windowStart, sql`${windowStart}::timestamptz`),
        gt(rateLimits.count, 0),
      ),
    );
}

/** Forgets windows that began more than `hours` ago. */
export async function deleteOldWindows(hours: number, signal?: AbortSignal): Promise<void> {
  const { windowStart } = rateLimits;
  const old = sql`where ${windowStart} < now() - make_interval(hours => ${hours}::int) order by ${windowStart}`;
  await deleteInPieces(rateLimits, old, signal);
}
