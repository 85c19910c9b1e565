/** Milliseconds of the processor that something takes: the clock would add what other programs take meanwhile. */
export function processorTime(action: () => void): number {
  const before = process.cpuUsage();
  action();
  return process.cpuUsage(before).user / 1_000;
}
