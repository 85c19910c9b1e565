/**
 * Waits until the running window of a limit has so many seconds left: calls of a test that are counted in two windows are not refused.
 * Windows begin at whole multiples of their length (`db/queries/rate-limits.ts`).
 */
export async function untilWindowHas(secondsLeft: number, length: number): Promise<void> {
  const left = length - ((Date.now() / 1_000) % length);
  if (left < secondsLeft) await Bun.sleep((left + 0.1) * 1_000);
}
