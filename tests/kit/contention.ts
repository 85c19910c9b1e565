/** Microseconds of processor time that a sample takes: long enough to meet whoever else wants the processor. */
const sample = 200_000;

/**
 * How many times longer work takes now than on a machine with nothing else to do; 1 there. A time that the product promises
 * is multiplied by it, so that a test beside a load still tells a slow product from a busy machine.
 */
export function contention(): number {
  const from = performance.now();
  const begin = process.cpuUsage();
  let used = 0;
  while (used < sample) {
    const { user, system } = process.cpuUsage(begin);
    used = user + system;
  }
  return Math.max(1, (performance.now() - from) / (used / 1000));
}
