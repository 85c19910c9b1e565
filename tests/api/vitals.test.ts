import { expect, setSystemTime, test } from 'bun:test';
import { metrics } from '#db/metrics.ts';
import { call, sending } from '#tests/kit/call.ts';
import { recordLog } from '#tests/kit/log-lines.ts';

const visit = { page: 'article', lcp: 1_234, inp: 90, cls: 0.01, errors: [] };
let networks = 0;
const tell = (body: unknown, { from, origin }: { from?: string; origin?: string } = {}) => {
  const init = sending(body);
  networks += 1;
  return call('/api/vitals', {
    ...init,
    headers: { ...init.headers, ...(origin ? { origin } : {}), cookie: 'byeol_session=of-nobody' },
    from: from ?? `192.0.2.${networks % 250}`,
  });
};

async function figure(name: string, labels: Record<string, string>): Promise<number> {
  const seen = (await metrics.getMetricsAsJSON()).flatMap((metric) =>
    'values' in metric ? metric.values.map((each) => ({ metricName: metric.name, ...each })) : [],
  );
  const value = seen.find(
    (each) =>
      each.metricName === name &&
      Object.entries(labels).every(([label, text]) => String(Reflect.get(each.labels, label)) === text),
  );
  return value?.value ?? 0;
}

// No database is open here: whatever asked for one, to know a cookie or to count for an address, would fail.
test('a visit is counted by the kind of its page, without a database', async () => {
  expect(await tell(visit)).toMatchObject({ status: 200, json: { counted: true } });
  expect(await figure('byeol_client_lcp_seconds_sum', { page: 'article' })).toBe(1.234);
  expect(await figure('byeol_client_inp_seconds_bucket', { page: 'article', le: '0.1' })).toBe(1);
  expect(await figure('byeol_client_cls_sum', { page: 'article' })).toBe(0.01);
  // Nobody touched it.
  expect((await tell({ page: 'article', errors: [] })).status).toBe(200);
  expect(await figure('byeol_client_inp_seconds_count', { page: 'article' })).toBe(1);
});

test('of an error of a script the log has the class and the place, and none of its words', async () => {
  const log = recordLog();
  const at = '/_astro/shell.BjGBTTr8.js:1:204';
  const errors = [
    { kind: 'script', name: 'TypeError', at },
    { kind: 'promise', name: 'fan@mail.example has no name' },
  ];
  expect((await tell({ ...visit, errors })).status).toBe(200);
  log.stop();
  const lines = log.lines().filter(({ msg }) => msg === 'a script failed in a browser');
  expect(lines).toMatchObject([
    { page: 'article', kind: 'script', name: 'TypeError', at },
    { kind: 'promise' },
  ]);
  expect(log.text()).not.toContain('has no name');
});

test('what is no visit, or comes from another site, is refused', async () => {
  const strange = [
    { ...visit, page: '/ko/article/7' },
    { ...visit, lcp: -1 },
    { ...visit, cls: '0' },
    { ...visit, errors: [{ kind: 'script', at: 'https://elsewhere.example/a.js:1:1' }] },
    { ...visit, errors: Array.from({ length: 6 }, () => ({ kind: 'promise' })) },
  ];
  for (const body of strange) expect((await tell(body)).status).toBe(400);
  expect((await tell(visit, { origin: 'https://elsewhere.example' })).status).toBe(403);
});

test('a network that floods the figures is refused until the minute ends, and others are not', async () => {
  setSystemTime(Date.now() + 60_000);
  const statuses = [];
  for (let told = 0; told < 61; told += 1)
    statuses.push((await tell(visit, { from: '198.51.100.7' })).status);
  expect([statuses.indexOf(429), (await tell(visit)).status]).toEqual([60, 200]);
  setSystemTime(Date.now() + 60_000);
  expect((await tell(visit, { from: '198.51.100.7' })).status).toBe(200);
  setSystemTime();
});

test('errors that somebody makes up are counted, and fill no log', async () => {
  setSystemTime(Date.now() + 600_000);
  const log = recordLog();
  const lines = () => log.lines().filter(({ msg }) => msg === 'a script failed in a browser').length;
  const toldIn = async (places: readonly number[]) => {
    const before = lines();
    for (const place of places) {
      const errors = [{ kind: 'script', at: `/_astro/shell.BjGBTTr8.js:1:${place}` }];
      expect((await tell({ page: 'star', errors })).status).toBe(200);
    }
    return lines() - before;
  };
  const labels = { page: 'star', kind: 'script' };
  const counted = await figure('byeol_client_errors_total', labels);
  expect(await toldIn([1, 1, 2, 1, 2])).toBe(2);
  expect(await toldIn(Array.from({ length: 40 }, (_, place) => place + 3))).toBe(18);
  expect((await figure('byeol_client_errors_total', labels)) - counted).toBe(45);
  setSystemTime(Date.now() + 600_000);
  expect(await toldIn([1])).toBe(1);
  log.stop();
  setSystemTime();
});
