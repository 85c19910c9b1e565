/** What `/metrics` of an address says, read as Prometheus does. */
export interface Scrape {
  /** Names of all that is defined, with or without values. */
  names: ReadonlySet<string>;
  /** The value of a metric with exactly these labels; undefined when there is none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
  text: string;
}

export async function scrape(origin: string): Promise<Scrape> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const values = new Map<string, number>();
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const type = line.match(/^# TYPE (\S+) (\S+)/);
    if (type?.[1]) names.add(type[1]);
    if (type?.[1] && type[2] === 'histogram')
      for (const suffix of ['bucket', 'sum', 'count']) names.add(`${type[1]}_${suffix}`);
    const sample = line.match(/^(\w+)(?:\{(.*)\})? (\S+)$/);
    if (sample) values.set(keyOf(sample[1] ?? '', labelsOf(sample[2] ?? '')), Number(sample[3]));
  }
  return { names, text, value: (name, labels = {}) => values.get(keyOf(name, labels)) };
}

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

const keyOf = (name: string, labels: Record<string, string>): string =>
  JSON.stringify([name, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
