import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { routeNames } from '#site/routes.ts';
import { publicAddresses, sampleAddress } from '#tests/kit/addresses.ts';
import { bearer } from '#tests/kit/call.ts';
import { makeArticle, makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';
import { askRaw } from '#tests/kit/raw.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

setDefaultTimeout(300_000);

const origin = 'https://byeol.example';
let server: TestServer;
let admin: { token: string };

beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer({
    settings: { SITE_URL: origin, TRUSTED_PROXIES: '127.0.0.0/8, ::1', JOBS: 'off' },
  });
  openDatabase(server.databaseUrl);
  admin = await makeFan({ role: 'admin' });
}, 300_000);
afterAll(async () => {
  await closeDatabase();
  await server?.stop();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { redirect: 'manual', headers });

/** Every GET of the API that ends, filled in with what the demo has. */
async function apiAddresses(): Promise<string[]> {
  const { paths } = Object(await (await ask('/api/openapi')).json());
  return Object.entries(Object(paths)).flatMap(([path, calls]) =>
    'get' in Object(calls) && !path.endsWith('/stream') ? [path.replace(/\{\w+\}/g, '1')] : [],
  );
}

const others = [
  '/api/nothing',
  '/api/auth/login',
  '/nothing',
  '/favicon.svg',
  '/robots.txt',
  '/sitemap.xml',
  '/healthz',
  '/readyz',
];
const pages = () => [...publicAddresses(), ...routeNames.map((name) => sampleAddress(name))];

test('every answer brings the headers that keep a browser from harm, whatever its status', async () => {
  const statuses = new Set<number>();
  for (const path of new Set([
    ...pages(),
    ...(await apiAddresses()),
    ...others,
    '/media/brand/1x1-224.png',
  ])) {
    const { status, headers } = await ask(path);
    statuses.add(status);
    const policy = headers.get('content-security-policy') ?? '';
    const scripts = policy.match(/(?:script-src|default-src) ([^;]*)/g)?.join(' ') ?? 'none';
    expect({
      path,
      scripts: /unsafe-inline|unsafe-eval|\*|none$/.test(scripts.replaceAll("'none'", ''))
        ? scripts
        : 'strict',
      frames: policy.includes("frame-ancestors 'none'"),
      sniffing: headers.get('x-content-type-options'),
      transport: headers.get('strict-transport-security'),
      referrer: headers.has('referrer-policy'),
      permissions: headers.has('permissions-policy'),
    }).toEqual({
      path,
      scripts: 'strict',
      frames: true,
      sniffing: 'nosniff',
      transport: 'max-age=63072000; includeSubDomains; preload',
      referrer: true,
      permissions: true,
    });
  }
  for (const status of [200, 401, 404]) expect(statuses).toContain(status);
});

test('no address is made of what a request says of the host', async () => {
  const evil = 'evil.example';
  const headers = {
    host: evil,
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'gopher',
    forwarded: `host=${evil}`,
  };
  const told: string[] = [];
  for (const path of [...publicAddresses(), ...others, '/ko/events/1.ics', '/login?lang=en']) {
    const { status, body, headers: answered } = await askRaw(server.url, path, { headers });
    if (`${JSON.stringify(answered)} ${body}`.includes(evil)) told.push(`${status} ${path}`);
  }
  expect(told).toEqual([]);
  const { body } = await askRaw(server.url, '/ko/article/48', { headers });
  expect(body).toContain(`${origin}/ko/article/48`);
});

/** How many elements of a page a selector finds, as a parser of HTML reads it. */
async function elementsIn(page: string, selector: string): Promise<number> {
  let count = 0;
  const rewriter = new HTMLRewriter().on(selector, {
    element() {
      count += 1;
    },
  });
  await rewriter.transform(new Response(page)).text();
  return count;
}

test('words of a story, an event or a star stay words, in a page and in what it tells machines', async () => {
  const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'';
  const star = await makeStar({ name: hostile, names: { ko: hostile }, biographies: { ko: hostile } });
  const article = await makeArticle({ stars: [star], rewrites: { ko: hostile } });
  // What markdown becomes is cleaned when it is stored, which tests of its own attack.
  await connection()`update article_rewrites set content_html = '<p>본문</p>' where article_id = ${article}`;
  const event = await makeEvent({ star, titles: { ko: hostile }, description: hostile, venue: hostile });
  for (const path of [`/ko/star/${star}`, `/ko/article/${article}`, `/ko/events/${event}`]) {
    const answer = await ask(path);
    const page = await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    expect([path, await elementsIn(page, 'img[src="x"], [onerror], script:not([type]):not([src])')]).toEqual([
      path,
      await elementsIn(
        await (await ask(path.replace(/\d+$/, '1'))).text(),
        '[onerror], script:not([type]):not([src])',
      ),
    ]);
    const data = [...page.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)].map(
      ([, json = '']) => JSON.stringify(JSON.parse(json)),
    );
    expect([path, data.join().includes('<script>alert(1)')]).toEqual([path, true]);
  }
});

/** What a look may leave: that somebody looked, and a channel that a person is the first to open (decision C1). */
const counting = new Set([
  'channels',
  'event_interest',
  'event_views',
  'open_streams',
  'rate_limits',
  'sessions',
  'stream_processes',
  'view_salts',
]);

test('whatever an admin looks at changes nothing', async () => {
  const contents = async () => {
    const sql = connection();
    const tables = await sql<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
    const sums: Record<string, string> = {};
    for (const { name } of tables.filter((table) => !counting.has(table.name))) {
      const [row] = await sql<{ sum: string }[]>`
        select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${sql(name)} t`;
      sums[name] = row?.sum ?? '';
    }
    return sums;
  };
  const before = await contents();
  const headers = { ...bearer(admin.token), cookie: `__Host-byeol_session=${admin.token}`, origin };
  const statuses = new Map<number, number>();
  for (const path of new Set([...pages(), ...(await apiAddresses()), '/logout', '/api/auth/logout'])) {
    const answer = await ask(path, headers);
    await answer.bytes();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  expect(statuses.get(200)).toBeGreaterThan(80);
  expect(statuses.get(401)).toBeUndefined();
  expect(await contents()).toEqual(before);
  expect((await ask('/api/auth/me', headers)).status).toBe(200);
});
