import { connection } from '#db/client.ts';
import { contention } from './contention.ts';

/** Seconds for which a slow machine may stand still meanwhile. */
const stall = 10;

/**
 * Waits until the running window of a limit has so many seconds left: calls of a test that are counted in two windows are not refused.
 * Windows begin at whole multiples of their length (`db/queries/rate-limits.ts`).
 * @param seconds that the calls may take on a machine with nothing else to do
 */
export async function untilWindowHas(seconds: number, length: number): Promise<void> {
  const needed = Math.min(seconds * contention() + stall, length / 2, 30);
  const left = length - ((Date.now() / 1_000) % length);
  if (left < needed) await Bun.sleep((left + 0.1) * 1_000);
}

/**
 * As if so many calls had been counted in the running window, and in the next one: to make them takes a slow machine longer than a window.
 * @param length seconds of a window
 */
export const countBefore = (key: string, count: number, length = 60) => connection()`
  insert into rate_limits (key, window_start, count)
  select ${key}, to_timestamp((floor(extract(epoch from now()) / ${length}) + n) * ${length}), ${count}
  from generate_series(0, 1) n on conflict (key, window_start) do update set count = excluded.count`;
