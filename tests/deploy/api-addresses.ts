const samples: Readonly<Record<string, string>> = {
  year: '2026',
  month: '11',
  starId: '1',
  startDate: '2026-11-01T00:00:00Z',
  endDate: '2026-12-01T00:00:00Z',
  q: 'pado',
  language: 'en',
};

/** Every GET of the API that ends, filled in with what the demo has. */
export async function apiAddresses(url: string): Promise<string[]> {
  const { paths } = Object(await (await fetch(`${url}/api/openapi`)).json());
  return Object.entries(Object(paths)).flatMap(([path, calls]) => {
    const { get } = Object(calls);
    if (get === undefined || path.endsWith('/stream')) return [];
    const wanted: { name: string; in: string; required?: boolean }[] = get.parameters ?? [];
    const query = wanted
      .filter((each) => each.in === 'query' && each.required)
      .map(({ name }) => `${name}=${samples[name] ?? '1'}`);
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? '1');
    return query.length > 0 ? `${address}?${query.join('&')}` : address;
  });
}
