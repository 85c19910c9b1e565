import { contention } from './contention.ts';

/**
 * Waits until `met` answers true, looking often. The usual limit is for what hangs: a slow machine may stand still for seconds at any
 * point, which `contention` does not see.
 * @param limit milliseconds that it may take on a machine with nothing else to do
 * @throws when it has not
 */
export async function until(met: () => boolean | Promise<boolean>, limit = 30_000): Promise<void> {
  const began = performance.now();
  let limitUnderLoad: number | undefined;
  while (!(await met())) {
    if (performance.now() - began > (limitUnderLoad ?? limit)) {
      if (limitUnderLoad !== undefined)
        throw new Error(`waited ${Math.round(limitUnderLoad)} ms for: ${met}`);
      limitUnderLoad = limit * contention();
    }
    await Bun.sleep(10);
  }
}
