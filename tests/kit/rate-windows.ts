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
