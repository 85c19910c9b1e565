import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { enqueue, stopJobs } from '#api/jobs/jobs.ts';
import { writeStory } from '#api/newsroom/jobs.ts';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { makeTracer } from '#site/lib/tracing/otlp-tracer.ts';
import { type AiStandIn, startAi } from '#tests/kit/ai.ts';
import { bearer, sending } from '#tests/kit/call.ts';
import { type CollectedSpan, type Collector, startCollector } from '#tests/kit/collector.ts';
import { makeFan } from '#tests/kit/make.ts';
import { makeStory, storyState } from '#tests/kit/newsroom.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { listenTo, textsOf } from '#tests/kit/sse.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(300_000);

let collector: Collector;
let ai: AiStandIn;
/** Where fans write, and where others read. */
let writers: TestServer | undefined;
let readers: TestServer | undefined;

beforeAll(async () => {
  await ensureBuilt();
  collector = startCollector();
  ai = startAi();
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    JOBS: 'off',
    TRUSTED_PROXIES: '127.0.0.0/8, ::1',
  };
  writers = await startTestServer({
    settings: { ...traces, JOBS: 'on', AI_BASE_URL: ai.url, AI_MODEL: ai.model },
  });
  readers = await startTestServer({ settings: traces, databaseUrl: writers.databaseUrl });
  openDatabase(writers.databaseUrl);
}, 300_000);
afterAll(async () => {
  await closeDatabase();
  await readers?.stop();
  await writers?.stop();
  await ai.stop();
  await collector.stop();
});

/** The spans from the root of a trace to this one. */
function way(span: CollectedSpan): CollectedSpan[] {
  const parent = collector.spans.find(
    ({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId,
  );
  return parent ? [...way(parent), span] : [span];
}
/** Public addresses, and the traces in which a proxy asks for them. */
const proxied = {
  '/en/star/2': '1af7651916cd43dd8448eb211c80319c',
  '/api/articles/2': '2af7651916cd43dd8448eb211c80319c',
  '/api/events/2': '3af7651916cd43dd8448eb211c80319c',
};
const namesOf = (spans: readonly CollectedSpan[]) => spans.map(({ name }) => name);
const waysTo = (name: string | RegExp) =>
  collector.spans.filter((span) => span.name.match(name)).map((span) => namesOf(way(span)));

test('a stop sends the traces of a page to its query, of a call over the bus to a stream, of a job to its model', async () => {
  if (!writers || !readers) throw new Error('the servers run');
  const read = await fetch(`${writers.url}/en/article/1`);
  expect(read.status).toBe(200);
  expect((await fetch(`${writers.url}/en/article/1`)).status).toBe(200);
  for (const [path, trace] of Object.entries(proxied)) {
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    for (const time of [1, 2])
      expect([path, time, (await fetch(writers.url + path, { headers })).status]).toEqual([path, time, 200]);
  }

  const fan = await makeFan();
  const channel = '/api/community/channels/1';
  const stream = await fetch(`${readers.url}${channel}/stream`);
  if (!stream.body) throw new Error('a stream has a body');
  const listening = listenTo(stream.body);
  await listening.until(({ event }) => event === 'hello');
  const post = (path: string, body: object) => {
    const init = sending(body);
    return fetch(`${writers?.url}${channel}${path}`, {
      ...init,
      headers: { ...init.headers, ...bearer(fan.token) },
    });
  };
  // Not by a call: what it told might be told together with the message, which would be no trace of its own then.
  await connection()`insert into channel_members (channel_id, user_id)
    select id, ${fan.id} from channels where star_id = 1`;
  const secret = 'my grandmother lives in Mapo';
  const sent = await post('/messages', { content: secret });
  expect(sent.status).toBeLessThan(300);
  await listening.until(() => textsOf(listening).includes(secret));
  await listening.close();

  const storyId = await makeStory({
    title: '파도반, 새 앨범',
    text: '파도반이 새 앨범을 공개했다. '.repeat(12),
  });
  await enqueue(writeStory, { storyId });
  await stopJobs();
  await until(async () => (await storyState(storyId)).stage === 'published', 60_000);
  await closeDatabase();

  await readers.stop();
  await writers.stop();
  [readers, writers] = [undefined, undefined];

  const render = 'render /:lang/article/:id';
  expect(namesOf(collector.spans).filter((name) => name === render)).toHaveLength(1);
  expect(waysTo(/^(select|with)/).filter(([root]) => root === render).length).toBeGreaterThan(0);

  const ofProxy = (path: keyof typeof proxied) =>
    collector.spans.filter(({ traceId }) => traceId === proxied[path]).map((span) => namesOf(way(span)));
  for (const [path, root] of [
    ['/en/star/2', 'render /:lang/star/:id'],
    ['/api/articles/2', 'GET /api/articles/:id'],
    ['/api/events/2', 'GET /api/events/:id'],
  ] as const) {
    const ways = ofProxy(path);
    // The second answer came from memory.
    expect(ways.filter((names) => names.length === 1)).toEqual([[root]]);
    expect(ways.filter((names) => names[0] === root && names.length > 1)).not.toEqual([]);
  }

  const call = 'POST /api/community/channels/:starId/messages';
  expect(waysTo('deliver to streams')).toContainEqual([call, 'publish hints', 'deliver to streams']);
  const delivery = collector.spans.find(
    (span) => span.name === 'deliver to streams' && way(span)[1]?.name === 'publish hints',
  );
  if (!delivery) throw new Error('it was delivered');
  const [root] = way(delivery);
  expect(delivery.process).not.toBe(root?.process);
  expect(root?.attributes['byeol.request_id']).toBe(sent.headers.get('x-request-id'));
  // A stream lives long after the call that opened it: what is done for it is no part of that call.
  expect(
    waysTo(/./).filter((names) => /stream$/.test(names[0] ?? '') && names.includes('deliver to streams')),
  ).toEqual([]);

  expect(waysTo(/^model rewrite/)[0]?.[0]).toBe('job newsroom-story');
  expect(collector.text()).not.toContain(secret);
  expect(collector.text()).not.toContain(fan.token);
  expect(collector.text()).not.toContain('파도반');
});

test('a collector that is away costs what may wait for it, and what is lost is counted', async () => {
  const silent = startCollector();
  const released = Promise.withResolvers<void>();
  silent.answer = async () => {
    await released.promise;
    return new Response(null, { status: 400 });
  };
  const counts = { sent: 0, lost: 0, dropped: 0 };
  const { tracer, end } = makeTracer(silent.url, 1, (outcome, spans) => (counts[outcome] += spans));
  for (let made = 0; made < 5_000; made += 1) tracer('made', 'internal', {}, undefined).end();
  expect(counts).toEqual({ sent: 0, lost: 0, dropped: 904 });
  released.resolve();
  await end();
  expect(counts).toEqual({ sent: 0, lost: 4_096, dropped: 904 });
  await silent.stop();
});

test('of a share of traces a whole one is kept or none of it, and a proxy decides about its own', async () => {
  const kept = startCollector();
  const { tracer, end } = makeTracer(kept.url, 0, () => {});
  const root = tracer('ours', 'server', {}, undefined);
  tracer('below ours', 'client', {}, root.traceparent).end();
  root.end();
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const error = Object.assign(new Error('fan@mail.example'), { code: '57014' });
  tracer("the proxy's", 'server', {}, `00-${trace}-b7ad6b7169203331-01`).end(error);
  await end();
  expect(kept.spans).toMatchObject([
    { name: "the proxy's", traceId: trace, attributes: { 'error.type': '57014' } },
  ]);
  expect(kept.text()).not.toContain('fan@');
  await kept.stop();
});
