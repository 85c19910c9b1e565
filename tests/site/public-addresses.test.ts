import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { ensureBuilt } from '#site/launch/build.ts';
import { matchRoute } from '#site/lib/routes/match-route.ts';
import { routeNames, routes } from '#site/routes.ts';
import { publicAddresses } from '#tests/kit/addresses.ts';
import { askRaw } from '#tests/kit/raw.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

setDefaultTimeout(300_000);

let server: TestServer;

// The smallest page cache: by the time an address comes again, another page has taken its place.
beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer({ settings: { PAGE_CACHE_MB: '1' } });
}, 300_000);
afterAll(() => server?.stop());

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What changes with the moment and the connection alone. */
const fleeting = new Set(['age', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

async function ask(address: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(server.url + address, {
    redirect: 'manual',
    headers: { 'accept-encoding': 'identity', 'accept-language': 'ko', ...headers },
  });
  const stableHeaders = [...answer.headers].filter(([name]) => !fleeting.has(name));
  return { status: answer.status, headers: Object.fromEntries(stableHeaders), body: await answer.text() };
}

/** The session of somebody who has just registered, by its cookie and its token. */
async function register(): Promise<Record<string, string>> {
  const answer = await fetch(`${server.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({
      email: 'fan@mail.example',
      username: 'fan_of_addresses',
      displayName: 'Fan of Addresses',
      password: 'a long enough password 7',
      confirmPassword: 'a long enough password 7',
      language: 'vi',
    }),
  });
  expect(answer.status).toBe(200);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  const { token } = Object(await answer.json());
  return { cookie: [...cookies, 'language=vi', 'theme=dark'].join('; '), authorization: `Bearer ${token}` };
}

const everyParameter = new Set(routeNames.flatMap((name) => Object.keys(routes[name].query)));
const values: Record<string, string> = {
  page: '2',
  lang: 'vi',
  q: 'pado',
  offset: '20',
  tz: 'America/New_York',
};

/** An address with every parameter that it does not read: those of other pages, and some of nobody's. */
function withUnreadParameters(address: string): string {
  const url = new URL(address, server.url);
  const declared = matchRoute(url.pathname)?.query;
  for (const name of [...everyParameter, 't', 'utm_source', 'fbclid', 'callback'])
    if (!declared?.has(name)) url.searchParams.append(name, values[name] ?? '1');
  return url.pathname + url.search;
}

test('a page for everyone is the same bytes whoever asks, and whatever stands in an address that it does not read', async () => {
  const addresses = [
    ...publicAddresses(),
    ...['/ko?page=2', '/en/events?tab=upcoming&range=month', '/vi/star/1?tab=photos', '/en/search?q=pado'],
    ...['/en/article/2147483647', '/en/star/2147483647', '/nowhere', '/ko/nowhere/at/all'],
    ...[
      '/en/category/k-pop%20group?page=2',
      '/en/events/?tab=upcoming',
      '/ko/feed?offset=x',
      '/search?q=a&tab=stars',
    ],
  ];
  const rendersBefore = await renders();
  const someone = {
    ...(await register()),
    'user-agent': 'Mozilla/5.0 (iPhone) KAKAOTALK 10.0.0 Googlebot/2.1',
    referer: 'https://evil.example/',
    accept: 'application/json',
    'sec-ch-prefers-color-scheme': 'dark',
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'ftp',
    'x-original-url': '/en/admin',
    'x-rewrite-url': '/en/admin',
    'x-http-method-override': 'POST',
    'x-own': '<script>',
  };
  const plainAnswers = new Map<string, Answer>();
  /** Those of which the decorated answer is neither the plain one before it nor the one after it. */
  const askEach = async (asked: readonly string[]): Promise<string[]> => {
    const decoratedAnswers = new Map<string, string>();
    for (const address of asked) plainAnswers.set(address, await ask(address, {}));
    for (const address of asked)
      decoratedAnswers.set(address, JSON.stringify(await ask(withUnreadParameters(address), someone)));
    const different: string[] = [];
    for (const address of asked) {
      const around = [plainAnswers.get(address), await ask(address, {})].map((each) => JSON.stringify(each));
      if (!around.includes(decoratedAnswers.get(address) ?? '')) different.push(address);
    }
    return different;
  };
  // Ages move on meanwhile, on a busy machine twice between two answers: what differs by its address does so again.
  let different = await askEach(addresses);
  for (let round = 0; different.length > 0 && round < 2; round += 1) different = await askEach(different);
  expect(different).toEqual([]);
  expect(addresses.length).toBeGreaterThan(100);
  // Every one of them was rendered anew each time.
  expect((await renders()) - rendersBefore).toBeGreaterThanOrEqual(addresses.length * 3);
  const statuses = Map.groupBy(plainAnswers.values(), ({ status }) => status);
  expect([...statuses.keys()].sort()).toEqual([200, 301, 400, 404]);
});

async function renders(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(text.match(/byeol_page_renders_total (\d+)/)?.[1]);
}

test('what is far too long is neither looked for nor said again in every link', async () => {
  for (const path of ['/sitemap-en-1000000.xml', '/sitemap-ko-2147483647.xml'])
    expect((await fetch(server.url + path)).status).toBe(404);
  const long = 'a'.repeat(14_000);
  for (const path of [
    `/en/events?tab=upcoming&category=${long}`,
    `/en/search?q=${long}`,
    `/en/community?q=${long}`,
  ]) {
    const page = await (await fetch(server.url + path)).text();
    expect([path.slice(0, 30), page.split('a'.repeat(1_001)).length]).toEqual([path.slice(0, 30), 1]);
    expect(page.length).toBeLessThan(200_000);
  }
});

test('sitemaps name what their rows say, of each at least one page', async () => {
  const read = async (path: string) => (await ask(path, {})).body;
  const maps = [...(await read('/sitemap.xml')).matchAll(/<loc>[^<]*?(\/sitemap-[^<]*)<\/loc>/g)];
  const listedRoutes = new Set<string | undefined>();
  for (const [, map = ''] of maps) {
    for (const [, path = ''] of (await read(map)).matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g))
      listedRoutes.add(matchRoute(path)?.name);
  }
  const expectedRoutes = routeNames.filter((name) => routes[name].inSitemap);
  expect([...listedRoutes].sort()).toEqual([...expectedRoutes].sort());
});

test('what lies beside the files that are given away is not', async () => {
  const files = ['sbom.cdx.json', '.inputs', 'server/entry.mjs', 'package.json'];
  for (const path of files.flatMap((file) => [
    `/${file}`,
    `/../${file}`,
    `/%2e%2e/${file}`,
    `/_astro/../../${file}`,
  ])) {
    const { status, body } = await askRaw(server.url, path);
    expect([path, status, /CycloneDX|"dependencies"/.test(body)]).toEqual([path, 404, false]);
  }
});

test('a host that is none is refused, and leaves nothing behind for others', async () => {
  const asked = '/api/stars?language=en&limit=5';
  for (const host of [
    'x&y',
    'x?y',
    'x#y',
    'x\\en\\about?',
    'x/en',
    'a@b',
    'a, b',
    '[::1',
    'x:port',
    'x y',
    '%78',
  ])
    for (const path of ['/ko/about', asked])
      expect([host, path, (await askRaw(server.url, path, { headers: { host } })).status]).toEqual([
        host,
        path,
        400,
      ]);
  for (const host of ['localhost', 'byeol.example:4321', '[::1]:4321', '127.0.0.1', 'my_app'])
    expect([host, (await askRaw(server.url, '/ko/about', { headers: { host } })).status]).toEqual([
      host,
      200,
    ]);
});
