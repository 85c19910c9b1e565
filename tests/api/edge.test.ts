import { afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { config, getConfig, setConfig } from '#api/config.ts';
import { purge, settlePurges } from '#api/edge/purge.ts';
import { callsOf } from '#api/edge/purge-call.ts';
import { purgeJob } from '#api/edge/purge-job.ts';
import { invalidate } from '#api/invalidation.ts';
import { startJobs, stopJobs } from '#api/jobs/jobs.ts';
import type { Tag } from '#api/tags.ts';
import { connection } from '#db/client.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { type EdgeStandIn, startEdge } from '#tests/kit/edge.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { runToEnd } from '#tests/kit/run-program.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(120_000);

const own = useDatabase();
const token = 'a-secret-of-the-edges';
let edges: EdgeStandIn[] = [];
let log: ReturnType<typeof recordLog>;

/** Settings as a start reads them, with an edge of each of these shapes. */
function usePurgeUrl(...shapes: ((port: number) => string)[]): void {
  const PURGE_URL = shapes.map((shape, place) => shape(edges[place]?.port ?? 0)).join(', ');
  setConfig({ ...getConfig({ NODE_ENV: 'test', PURGE_URL, PURGE_TOKEN: token }), databaseUrl: own.url });
}

const varnish = (port: number) => `varnish+http://127.0.0.1:${port}`;
const fastly = (port: number) => `fastly+http://127.0.0.1:${port}/service/a1/purge`;
const cloudflare = (port: number) => `cloudflare+http://127.0.0.1:${port}/zones/z/purge_cache`;
const signed = (port: number) => `http://127.0.0.1:${port}/purge`;

const stars = (count: number): Tag[] => Array.from({ length: count }, (_, id) => `star:${id + 1}` as const);
const queued = async () => [
  ...(await connection()<{ state: string; data: object }[]>`
    select state, data from pgboss.job where name = 'purge-edge' and state <> 'completed'`),
];
const addressOf = (edge: EdgeStandIn | undefined) => `http://127.0.0.1:${edge?.port}/`;
const toldOf = (edge: EdgeStandIn | undefined) => edge?.calls.map(({ headers }) => headers.get('cache-tag'));

beforeAll(async () => {
  // The queue's tables.
  await startJobs([purgeJob]);
  await stopJobs();
});

beforeEach(() => {
  edges = [startEdge(), startEdge(), startEdge(), startEdge()];
  log = recordLog();
});

afterEach(async () => {
  setSystemTime();
  await settlePurges();
  await stopJobs();
  await connection()`delete from pgboss.job where name = 'purge-edge'`;
  setConfig({ ...getConfig({ NODE_ENV: 'test' }), databaseUrl: own.url });
  await Promise.all(edges.map((edge) => edge.stop()));
  log.stop();
});

test('every edge is told in its own way what the writes of a moment outdated, and once more for what was under way', async () => {
  usePurgeUrl(varnish, fastly, cloudflare, signed);
  const writtenAt = performance.now();
  // Both within the tenth of a second for which they are gathered, however slow the bus is.
  purge(['article:7', 'feed']);
  purge(['feed', 'star:3']);
  await until(() => edges.every(({ calls }) => calls.length === 2));
  for (const { calls } of edges) {
    expect((calls[0]?.at ?? Number.NaN) - writtenAt).toBeLessThan(10_000 * contention());
    expect(calls[1]).toMatchObject({ method: calls[0]?.method ?? '', body: calls[0]?.body ?? '' });
  }
  const [toVarnish, toFastly, toCloudflare, toSigned] = edges.map(({ calls }) => calls[0]);
  expect([toVarnish?.method, toVarnish?.path, toVarnish?.headers.get('cache-tag')]).toEqual([
    'PURGE',
    '/',
    'article:7,feed,star:3',
  ]);
  expect(toVarnish?.headers.get('authorization')).toBe(`Bearer ${token}`);
  expect([toFastly?.method, toFastly?.path, toFastly?.headers.get('surrogate-key')]).toEqual([
    'POST',
    '/service/a1/purge',
    'article:7 feed star:3',
  ]);
  expect(toFastly?.headers.get('fastly-key')).toBe(token);
  expect([toCloudflare?.method, toCloudflare?.path, toCloudflare?.body]).toEqual([
    'POST',
    '/zones/z/purge_cache',
    '{"tags":["article:7","feed","star:3"]}',
  ]);
  expect(toCloudflare?.headers.get('authorization')).toBe(`Bearer ${token}`);
  const { headers, body = '' } = toSigned ?? {};
  expect(body).toBe('{"tags":["article:7","feed","star:3"]}');
  const timestamp = headers?.get('byeol-timestamp') ?? '';
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(30);
  const signature = createHmac('sha256', token).update(`${timestamp}.${body}`).digest('hex');
  expect(headers?.get('byeol-signature')).toBe(`sha256=${signature}`);
  expect(JSON.stringify([...(headers ?? [])])).not.toContain(token);
  expect(await queued()).toEqual([]);
});

test('what was written again before an edge heard of it once more is told again after that', async () => {
  usePurgeUrl(varnish);
  await invalidate(['article:7']);
  await until(() => edges[0]?.calls.length === 1);
  await Bun.sleep(700);
  const writtenAt = performance.now();
  await invalidate(['article:7']);
  // Whatever came to the edge while the second write was under way is forgotten as well.
  await until(() => {
    const after = edges[0]?.calls.filter(({ at }) => at > writtenAt) ?? [];
    return (after.at(-1)?.at ?? 0) - (after[0]?.at ?? 0) > 1_400;
  });
});

test('calls are bounded: many tags are several, too many are everything', async () => {
  const call = (shape: 'varnish' | 'cloudflare', count: number) =>
    callsOf({ shape, address: '' }, stars(count));
  expect(call('cloudflare', 31).map(({ length }) => length)).toEqual([30, 1]);
  expect(call('cloudflare', 301)).toEqual(['everything']);
  expect(call('varnish', 200)).toEqual([stars(200)]);
  usePurgeUrl(varnish, fastly, cloudflare, signed);
  await invalidate(stars(5_001));
  await until(() => edges.every(({ calls }) => calls.length > 0));
  // Told once more after a while, it is told the same.
  const said = edges.map(({ calls }) => [
    ...new Set(calls.map(({ path, headers, body }) => headers.get('cache-tag') ?? (body || path))),
  ]);
  expect(said).toEqual([
    ['*'],
    ['/service/a1/purge_all'],
    ['{"purge_everything":true}'],
    ['{"everything":true}'],
  ]);
  expect(edges[1]?.calls[0]?.headers.get('surrogate-key')).toBeNull();
});

test('what an edge did not hear outlives the process and is told until it answers, while others hear at once', async () => {
  usePurgeUrl(varnish, varnish);
  edges[0]?.answers(503);
  await invalidate(['article:7']);
  await until(async () => (await queued()).length === 1);
  expect(await queued()).toEqual([
    {
      state: 'created',
      data: { address: addressOf(edges[0]), outdated: ['article:7'] },
    },
  ]);
  await until(() => (edges[1]?.calls.length ?? 0) > 0);
  expect(new Set(toldOf(edges[1]))).toEqual(new Set(['article:7']));
  await invalidate(['star:3']);
  // The process ends, before the edge was told of the second write.
  await settlePurges();
  await stopJobs();
  const owed = (await queued()).filter(({ data }) => Reflect.get(data, 'address') === addressOf(edges[0]));
  expect(owed).toHaveLength(2);
  // The next process tries, in vain, and then the edge is back.
  const before = edges[0]?.calls.length ?? 0;
  await startJobs([purgeJob]);
  await until(() => (edges[0]?.calls.length ?? 0) > before);
  edges[0]?.answers(200);
  await until(async () => (await queued()).length === 0);
  expect(toldOf(edges[0])?.slice(before)).toEqual(expect.arrayContaining(['article:7', 'star:3']));
  // By the process that ended or, where that had to give up on it, by the next.
  expect(toldOf(edges[1])?.some((tags) => tags?.includes('star:3'))).toBe(true);
  expect(log.text()).toContain('answers 503');
  expect(log.text()).not.toContain(token);
});

test('an edge that is away for long is owed one job, which has it forget everything', async () => {
  usePurgeUrl(varnish);
  edges[0]?.answers(503);
  await invalidate(['article:7']);
  await until(async () => (await queued()).length === 1);
  setSystemTime(Date.now() + 11_000);
  await invalidate(['article:8']);
  await until(async () => (await queued()).length === 2);
  await invalidate(['article:9']);
  await until(() => (edges[0]?.calls.length ?? 0) >= 3);
  const owed = (await queued()).map(({ data }) => data);
  expect(owed).toHaveLength(2);
  expect(owed).toContainEqual({ address: addressOf(edges[0]), outdated: 'everything' });
  // What the waiting job may not know of is told from here, too, once the edge is back.
  const inVain = edges[0]?.calls.length ?? 0;
  edges[0]?.answers(200);
  await until(() => (edges[0]?.calls.length ?? 0) > inVain);
  expect(toldOf(edges[0])?.at(-1)).toBe('article:9');
});

test('without an edge nothing is told and nothing is queued', async () => {
  expect(config().purge).toBeUndefined();
  await invalidate(['article:7']);
  await settlePurges();
  expect(edges.flatMap(({ calls }) => calls)).toEqual([]);
  expect(await queued()).toEqual([]);
});

test('a job for an edge that is no longer in the settings is over', async () => {
  usePurgeUrl(varnish);
  const run = { id: '', signal: new AbortController().signal };
  await purgeJob.handle({ address: 'http://127.0.0.1:1/', outdated: ['feed'] }, run);
  expect(edges[0]?.calls).toEqual([]);
});

test('a job is left to a process that has PURGE_URL', async () => {
  usePurgeUrl(varnish);
  edges[0]?.answers(503);
  await invalidate(['article:7']);
  await until(async () => (await queued()).length === 1);
  await settlePurges();
  edges[0]?.answers(200);
  const before = edges[0]?.calls.length ?? 0;
  setConfig({ ...getConfig({ NODE_ENV: 'test' }), databaseUrl: own.url });
  await startJobs([purgeJob]);
  await until(() => log.text().includes('PURGE_URL is not set in this process'));
  expect(await queued()).not.toEqual([]);
  usePurgeUrl(varnish);
  // The pauses between its tries have grown meanwhile.
  await until(async () => (await queued()).length === 0, 60_000);
  expect(toldOf(edges[0])?.slice(before)).toContain('article:7');
});

test('`bun run purge` has every edge forget everything, and says which one did not', async () => {
  const purgeAll = async () => {
    const PURGE_URL = `${varnish(edges[0]?.port ?? 0)}, ${fastly(edges[1]?.port ?? 0)}`;
    const typed = [process.execPath, 'site/command.ts', 'api/edge/purge-command.ts'];
    const { code, output, errors } = await runToEnd(typed, { PURGE_URL, PURGE_TOKEN: token });
    return { code, said: `${output}${errors}` };
  };
  expect((await purgeAll()).code).toBe(0);
  expect(edges.slice(0, 2).map(({ calls }) => calls.map(({ path }) => path))).toEqual([
    ['/'],
    ['/service/a1/purge_all'],
  ]);
  edges[1]?.answers(401);
  const refused = await purgeAll();
  expect(refused.code).toBe(1);
  expect(refused.said).toContain(`127.0.0.1:${edges[1]?.port} answers 401`);
  expect(refused.said).not.toContain(token);
});
