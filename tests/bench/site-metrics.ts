/**
 * The figures of each process of a site, as text; of one that does not answer, none.
 * @param port METRICS_PORT of the first
 */
export const scrapeAll = (port: number, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const answer = await fetch(`http://127.0.0.1:${port + n}/metrics`).catch(() => undefined);
      return (await answer?.text()) ?? '';
    }),
  );

/** The values that a global pattern finds, of all processes together. */
export async function sumOf(port: number, count: number, pattern: RegExp): Promise<number> {
  const found = (await scrapeAll(port, count)).flatMap((text) => [...text.matchAll(pattern)]);
  return found.reduce((sum, [, value]) => sum + Number(value), 0);
}
