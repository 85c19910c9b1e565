/**
 * Waits until `met` answers true, looking often.
 * @throws when it has not after `limit` milliseconds
 */
export async function until(met: () => boolean | Promise<boolean>, limit = 8_000): Promise<void> {
  const deadline = performance.now() + limit;
  while (!(await met())) {
    if (performance.now() > deadline) throw new Error(`waited ${limit} ms for: ${met}`);
    await Bun.sleep(10);
  }
}
