import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { freePort } from '#db/embedded/postmaster.ts';
import { codeOf } from '#db/error-code.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { listenForScrapes } from '#site/lib/metrics/metrics-port.ts';
import { sending } from '#tests/kit/call.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { type Scrape, scrape } from '#tests/kit/metrics.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { listenTo } from '#tests/kit/sse.ts';
import { until } from '#tests/kit/until.ts';
import { startWorker, type Worker } from '#tests/kit/worker.ts';

setDefaultTimeout(300_000);

let server: TestServer;
let worker: Worker | undefined;
let scrapePort = 0;

beforeAll(async () => {
  await ensureBuilt();
  scrapePort = await freePort();
  server = await startTestServer({ settings: { METRICS_PORT: String(scrapePort), JOBS: 'off' } });
}, 300_000);
afterAll(async () => {
  await worker?.end('SIGTERM');
  await server?.stop();
});

const requests = (seen: Scrape, method: string, route: string, status: number): number =>
  seen.value('byeol_http_requests_total', { method, route, status: String(status) }) ?? 0;

test('requests are counted by route and status, however they are answered, and no address is in the labels', async () => {
  const ask = async (path: string, init?: RequestInit) => (await fetch(server.url + path, init)).status;
  const json = { 'content-type': 'application/json' };
  for (let time = 0; time < 3; time += 1) {
    expect(await ask('/ko/article/1')).toBe(200);
    expect(await ask('/api/articles/1')).toBe(200);
  }
  expect(await ask('/ko/article/2147483647')).toBe(404);
  expect(await ask('/nowhere')).toBe(404);
  expect(await ask('/favicon.svg')).toBe(200);
  expect(await ask('/login')).toBe(200);
  expect(await ask('/api/moons')).toBe(404);
  expect(await ask('/api/auth/login', { method: 'POST', headers: json, body: '{"email":"a"}' })).toBe(400);
  expect(await ask('/api/auth/login', { method: 'DELETE' })).toBe(405);
  expect(await ask('/calendar/0123456789.ics')).toBe(404);
  const seen = await scrape(server.url);
  expect(requests(seen, 'GET', '/:lang/article/:id', 200)).toBe(3);
  expect(requests(seen, 'GET', '/:lang/article/:id', 404)).toBe(1);
  expect(requests(seen, 'GET', '/api/articles/:id', 200)).toBe(3);
  expect(requests(seen, 'GET', 'unknown', 404)).toBe(1);
  expect(requests(seen, 'GET', 'file', 200)).toBe(1);
  expect(requests(seen, 'GET', '/login', 200)).toBe(1);
  expect(requests(seen, 'GET', '/api/*', 404)).toBe(1);
  expect(requests(seen, 'POST', '/api/auth/login', 400)).toBe(1);
  expect(requests(seen, 'DELETE', '/api/*', 405)).toBe(1);
  expect(requests(seen, 'GET', '/calendar/*', 404)).toBe(1);
  expect(seen.text).not.toMatch(/2147483647|nowhere|moons|0123456789/);
  // What was made, and what came from memory.
  expect(seen.value('byeol_page_render_seconds_count', { route: '/:lang/article/:id' })).toBe(2);
  expect(seen.value('byeol_page_cache_answers_total', { kind: 'hit' })).toBe(2);
  expect(seen.value('byeol_page_cache_bytes')).toBeGreaterThan(10_000);
  expect(seen.value('byeol_read_cache_answers_total', { kind: 'hit' })).toBe(2);
  expect(seen.value('byeol_http_request_seconds_count', { method: 'GET', route: '/api/articles/:id' })).toBe(
    1,
  );
  expect(seen.value('byeol_http_request_seconds_count', { method: 'POST', route: '/api/auth/login' })).toBe(
    1,
  );
  expect(seen.value('byeol_query_seconds_count', { pool: 'prepared', outcome: 'ok' })).toBeGreaterThan(2);
  expect(seen.value('byeol_queries_in_flight', { pool: 'prepared' })).toBeGreaterThanOrEqual(0);
});

test('the state of database, bus, loop and budget is told, and an open stream counts until it ends', async () => {
  const stream = await fetch(`${server.url}/api/community/channels/1/stream`);
  if (!stream.body) throw new Error('a stream has a body');
  const listening = listenTo(stream.body);
  await listening.until(({ event }) => event === 'hello');
  let seen = await scrape(server.url);
  // Where a busy machine keeps the database or the bus from answering for seconds, it is told that they do not.
  await until(async () => {
    seen = await scrape(server.url);
    return seen.value('byeol_database_up') === 1 && seen.value('byeol_bus_up') === 1;
  });
  expect(seen.value('byeol_streams_open')).toBe(1);
  expect(seen.value('byeol_database_up')).toBe(1);
  expect(seen.value('byeol_pool_connections', { pool: 'prepared' })).toBe(12);
  expect(seen.value('byeol_bus_up')).toBe(1);
  expect(seen.value('byeol_bus_lag_seconds')).toBeGreaterThan(0);
  // In seconds: after two it counts as lost.
  expect(seen.value('byeol_bus_lag_seconds')).toBeLessThan(20);
  expect(seen.value('byeol_event_loop_delay_seconds', { quantile: '0.99' })).toBeGreaterThan(0);
  expect(seen.value('byeol_stories', { stage: 'held' })).toBe(0);
  expect(seen.value('byeol_ai_tokens_today')).toBe(0);
  expect(seen.value('byeol_ai_tokens_limit')).toBeUndefined();
  await listening.close();
  await until(async () => (await scrape(server.url)).value('byeol_streams_open') === 0);
});

test('a job that nobody runs waits, and is late from when it could have run', async () => {
  const account = { email: 'fan@mail.example', username: 'waiting_fan', displayName: 'Fan', language: 'en' };
  const secret = { password: 'a-password-of-7-moons', confirmPassword: 'a-password-of-7-moons' };
  const registered = await fetch(`${server.url}/api/auth/register`, sending({ ...account, ...secret }));
  expect(registered.status).toBe(200);
  const seen = await scrape(server.url);
  expect(seen.value('byeol_jobs', { queue: 'account-letter', state: 'waiting' })).toBe(1);
  expect(seen.value('byeol_job_lateness_seconds', { queue: 'account-letter' })).toBeGreaterThan(0);
});

test('each process has metrics at a port of its own, a worker too, whose jobs are timed', async () => {
  const own = await scrape(`http://127.0.0.1:${scrapePort}`);
  expect(own.value('byeol_http_requests_total', { method: 'GET', route: '/login', status: '200' })).toBe(1);
  worker = await startWorker(server.databaseUrl, { METRICS_PORT: String(scrapePort) });
  const ofWorker = () => scrape(`http://127.0.0.1:${scrapePort + 1}`);
  await until(async () => /byeol_job_seconds_count\{.*outcome="done"\} [1-9]/.test((await ofWorker()).text));
  await until(async () => (await ofWorker()).value('byeol_bus_up') === 1);
  expect((await ofWorker()).text).not.toContain('byeol_http_requests_total');
});

/** The first of five free ports in a row: servers of other tests have some between. */
async function fivePorts(): Promise<number> {
  for (;;) {
    const first = await freePort();
    try {
      for (const port of [0, 1, 2, 3, 4].map((each) => first + each))
        await Bun.serve({ hostname: '127.0.0.1', port, fetch: () => new Response() }).stop(true);
      return first;
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
}

test('who takes the place of a process has its port once that is free, and all others keep what they found', async () => {
  const port = await fivePorts();
  // The next one is the site's, which comes to listen there only later.
  const settings = { host: 'localhost', port: port + 1, metricsPort: port };
  const [first, second, third] = [1, 2, 3].map(() => listenForScrapes(settings));
  expect([first, second, third].map((each) => each?.port)).toEqual([port, port + 2, port + 3]);
  const answers = (at: number) =>
    fetch(`http://127.0.0.1:${at}/`).then(
      ({ status }) => status === 404,
      () => false,
    );
  const all = () => Promise.all([0, 1, 2, 3, 4].map((each) => answers(port + each)));
  const heir = listenForScrapes(settings, second?.port);
  expect([heir.port, ...(await all())]).toEqual([port + 2, true, false, true, true, false]);
  await first?.stop();
  await second?.stop();
  await until(() => answers(port + 2));
  // It took a turn in which the third could have moved as well.
  expect(await all()).toEqual([false, false, true, true, false]);
  await heir.stop();
  await third?.stop();
  expect(await all()).toEqual([false, false, false, false, false]);
});

test('who finds that another program has the port of the process before takes the first that is free, and says so', async () => {
  const port = await fivePorts();
  const settings = { host: 'localhost', port: port + 1, metricsPort: port };
  const taken = port + 2;
  const program = Bun.serve({ hostname: '127.0.0.1', port: taken, fetch: () => new Response() });
  const log = recordLog();
  const heir = listenForScrapes(settings, taken, 0);
  expect(heir.port).toBe(taken);
  await until(() => heir.port === port);
  log.stop();
  const told = log.lines().flatMap(({ msg }) => (msg.includes('metrics') ? [msg] : []));
  expect(told).toEqual([
    'another program has the port for metrics of the process before',
    'metrics have a port of their own',
  ]);
  await heir.stop();
  await program.stop(true);
});

test('metrics are for this machine, and not for whom a proxy on it asks', async () => {
  for (const origin of [server.url, `http://127.0.0.1:${scrapePort}`]) {
    const forwarded = await fetch(`${origin}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect([forwarded.status, await forwarded.text()]).toEqual([404, 'Not Found']);
  }
});
