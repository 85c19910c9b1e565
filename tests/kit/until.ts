import { contention } from './contention.ts';

/**
 * Waits until `met` answers true, looking often.
 * @param limit milliseconds that it may take on a machine with nothing else to do
 * @throws when it has not
 */
export async function until(met: () => boolean | Promise<boolean>, limit = 8_000): Promise<void> {
  const began = performance.now();
  let longest = limit;
  while (!(await met())) {
    if (performance.now() > began + longest) {
      if (longest > limit) throw new Error(`waited ${Math.round(longest)} ms for: ${met}`);
      longest = Math.max(limit * contention(), limit + 1);
    }
    await Bun.sleep(10);
  }
}
