import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { languages, translated } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { routeNames, routes } from '#site/routes.ts';
import { bearer, call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import {
  makeArticle,
  makeChannel,
  makeEvent,
  makeEventCategories,
  makeFan,
  makeStar,
} from '#tests/kit/make.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(600_000);

const database = useDatabase();
let server: TestServer;
beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer({ databaseUrl: database.url });
}, 300_000);
afterAll(() => server?.stop());

const name = /quillmoss|감춘별/i;
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);
const dateOf = (day: Date) => day.toISOString().slice(0, 10);

interface Sent {
  status: number;
  location: string | null;
  text: string;
  json: Record<string, unknown>;
}

async function ask(method: string, path: string, token?: string, body?: unknown): Promise<Sent> {
  const answer = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && bearer(token)),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = text !== '' && answer.headers.get('content-type')?.includes('json');
  const json = isJson ? Object(JSON.parse(text)) : {};
  return { status: answer.status, location: answer.headers.get('location'), text, json };
}

/** A star that stands wherever a star can stand, with somebody who follows it. */
async function makeWorld() {
  await makeEventCategories();
  const editor = await makeFan({ role: 'editor' });
  const fan = await makeFan();
  const names = { ...translated((lang) => `Quillmoss ${lang}`), ko: '감춘별' };
  const words = Object.fromEntries(languages.map((lang) => [lang, { name: names[lang] }]));
  const birthDate = `2001${dateOf(dayFromNow(5)).slice(4)}`;
  const made = await ask('POST', '/api/admin/stars', editor.token, { category: 'Idol', words, birthDate });
  expect([made.status, made.text]).toEqual([200, made.text]);
  const star = Number(made.json.id);
  const group = await makeChannel({ name: '보이는무리', names: translated(() => 'Shown Group') });
  const member = await ask('POST', `/api/admin/stars/${group}/members`, editor.token, {
    star: 'quillmoss-en',
    names: { ko: '감춘별', en: 'Quillmoss' },
  });
  expect([member.status, member.text]).toEqual([200, member.text]);
  const other = await makeStar({ names: translated(() => 'Shown Star') });
  const titles = translated(() => 'Told');
  const article = await makeArticle({ stars: [star, other], rewrites: titles });
  await makeArticle({ stars: [star], rewrites: titles });
  const event = await makeEvent({ star, stars: [other], article, titles, start: dayFromNow(2) });
  const otherEvent = await makeEvent({ star: other, stars: [star], titles, start: dayFromNow(3) });
  const past = await makeEvent({ star, titles: { en: 'Quillmoss’s past birthday' }, start: dayFromNow(-30) });
  await connection()`update events set anniversary_of = ${star}, anniversary_fact = 'birthday', anniversary_year = 2000
    where id = ${past}`;
  for (const each of [event, past])
    expect((await ask('POST', `/api/events/${each}/subscribe`, fan.token, {})).status).toBe(200);
  expect((await ask('POST', `/api/community/channels/${star}/join`, fan.token)).status).toBe(200);
  const said = await ask('POST', `/api/community/channels/${star}/messages`, fan.token, { content: 'Hi' });
  expect((await ask('POST', `/api/stars/${star}/follow`, fan.token, { following: true })).status).toBe(200);
  const link = await ask('POST', '/api/calendar/link', fan.token);
  const message = Number(Reflect.get(Object(said.json.message), 'id'));
  const calendar = new URL(String(link.json.url)).pathname;
  return { editor, fan, star, group, article, event, otherEvent, past, message, calendar };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

/** Every public address, of the star and of what stands beside it, and every call that reads. */
async function addressesOf({
  star,
  group,
  article,
  event,
  otherEvent,
  past,
  calendar,
}: World): Promise<string[]> {
  const pages = routeNames.flatMap((row) => {
    const { path, for: whom } = routes[row];
    if (whom !== 'everyone') return [];
    const ids = row.startsWith('article')
      ? [article]
      : row.startsWith('event')
        ? [event, otherEvent, past]
        : [star, group];
    return languages.flatMap((lang) =>
      ids.map((id) =>
        path
          .replace(':lang', lang)
          .replace(/:(id|starId)\b/, String(id))
          .replace(':slug', 'idol')
          .replace(':page', 'about')
          .replace(':area', 'chat')
          .replace(':number', '1'),
      ),
    );
  });
  const queried = languages.flatMap((lang) => [
    `/${lang}/search?q=quillm`,
    `/${lang}/events?tab=upcoming&range=month`,
    `/${lang}/events?tab=trending`,
    `/${lang}/events?stars=${star}`,
    `/${lang}/feed?stars=${star}`,
    `/${lang}/star/${group}?tab=articles`,
    `/${lang}/community?q=quillm`,
  ]);
  const { json } = await call('/api/openapi');
  const paths = Object.entries(Object(Reflect.get(Object(json), 'paths')));
  const [year, month] = dateOf(dayFromNow(2)).split('-');
  const queries: Record<string, string[]> = {
    '/api/articles': [`starIds=[${star}]`, `eventId=${event}`],
    '/api/stars': ['search=quillm', `starIds=[${star}]`],
    '/api/search': ['q=quillm'],
    '/api/search/suggestions': ['q=quillm', 'q=감춘'],
    '/api/community/channels': ['search=quillm'],
    '/api/events': [`starIds=[${star}]`],
    '/api/events/calendar/range': [
      `startDate=${dateOf(dayFromNow(-40))}T00:00:00Z&endDate=${dateOf(dayFromNow(20))}T00:00:00Z`,
    ],
  };
  const calls = paths.flatMap(([path, methods]) => {
    if (!('get' in Object(methods)) || path.startsWith('/api/admin') || path.endsWith('/stream')) return [];
    const ids = path.startsWith('/api/articles')
      ? [article]
      : path.startsWith('/api/events')
        ? [event, otherEvent, past]
        : [star, group];
    const filled = ids.map((id) =>
      path
        .replace(/\{(id|starId)\}/, String(id))
        .replace('{year}', String(year))
        .replace('{month}', String(month)),
    );
    return ['', ...(queries[path] ?? [])].flatMap((query) =>
      filled.map((each) => (query ? `${each}?${query}` : each)),
    );
  });
  const others = ['/sitemap.xml', '/news-sitemap.xml', `/sitemap-stars-0.xml`, calendar];
  return [...new Set([...pages, ...queried, ...calls, ...others])];
}

/** The addresses at which the name is read, by whoever follows the star and by nobody. */
async function naming(addresses: readonly string[], { fan }: World): Promise<string[]> {
  const found: string[] = [];
  for (const address of addresses)
    for (const token of address.startsWith('/api/') ? [undefined, fan.token] : [undefined])
      if (name.test((await ask('GET', address, token)).text))
        found.push(token ? `${address} (fan)` : address);
  return found;
}

test('a hidden star is named nowhere, and is there again when it is shown', async () => {
  const world = await makeWorld();
  const { editor, fan, star, message } = world;
  const addresses = await addressesOf(world);
  const before = await naming(addresses, world);
  expect(before.length).toBeGreaterThan(150);
  const hide = (method: 'POST' | 'DELETE') => ask(method, `/api/admin/stars/${star}/hide`, editor.token);
  // Every process is told within a moment, of all that is out of date at once.
  const homeNamesIt = async () => name.test((await ask('GET', '/ko')).text);
  expect((await hide('POST')).status).toBe(200);
  await until(async () => !(await homeNamesIt()));
  expect(await naming(addresses, world)).toEqual([]);

  const channel = `/api/community/channels/${star}`;
  for (const [method, path, body] of [
    ...['profile', 'photos', 'timeline', 'articles'].map(
      (part) => ['GET', `/api/stars/${star}/${part}`] as const,
    ),
    ...['', '/messages', '/messages?after=0', '/articles', '/stream'].map(
      (part) => ['GET', channel + part] as const,
    ),
    ['HEAD', `${channel}/stream`],
    ['POST', `${channel}/messages`, { content: 'Still here?' }],
    ['POST', `${channel}/messages/${message}/reports`, { reason: 'spam' }],
    ['POST', `${channel}/join`],
    ['POST', `${channel}/leave`],
    ['POST', `/api/stars/${star}/follow`, { following: true }],
    ['POST', `/api/stars/${star}/follow`, { following: false }],
    ...['star', 'community'].map((page) => ['GET', `/en/${page}/${star}`] as const),
    ['GET', `/en/star/${star}/events.ics`],
  ] as const)
    expect([method, path, (await ask(method, path, fan.token, body)).status]).toEqual([method, path, 404]);
  const follows = await ask('PUT', '/api/auth/follows', fan.token, { add: [star], remove: [] });
  expect(follows.text).not.toContain(String(star));
  const own = await ask('GET', '/api/auth/export', fan.token);
  expect(own.json).toMatchObject({
    follows: [{ starId: star, name: null }],
    channels: [{ starId: star, name: null }],
    messages: [{ starId: star, content: 'Hi' }],
  });

  expect((await hide('DELETE')).status).toBe(200);
  await until(homeNamesIt);
  expect(await naming(addresses, world)).toEqual(before);
  expect((await ask('GET', `${channel}/messages`)).text).toContain('"Hi"');
});

test('a merged star’s pages and calls lead to the other one, in every language', async () => {
  const editor = await makeFan({ role: 'editor' });
  const fan = await makeFan();
  const [from, into] = [
    await makeChannel({ members: [fan.id], names: translated(() => 'Twice') }),
    await makeStar({ names: translated(() => 'Two') }),
  ];
  const pages = languages.flatMap((lang) =>
    [
      '/star/ID',
      '/star/ID?tab=photos&category=casual',
      '/star/ID?tab=achievements',
      '/star/ID?tab=articles',
      '/star/ID?tab=timeline&show=all',
      '/star/ID/events.ics',
      '/community/ID',
    ].map((path) => `/${lang}${path}`),
  );
  const channel = '/api/community/channels/ID';
  const calls: [method: string, path: string, body?: object][] = [
    ...['profile?language=vi', 'photos', 'timeline', 'articles'].map((part): [string, string] => [
      'GET',
      `/api/stars/ID/${part}`,
    ]),
    ...['', '?language=ms', '/messages', '/messages?after=0', '/articles?limit=5', '/stream?after=0'].map(
      (part): [string, string] => ['GET', channel + part],
    ),
    ['HEAD', `${channel}/stream`],
    ['POST', `${channel}/join`],
    ['DELETE', `${channel}/join`],
    ['POST', `${channel}/messages`, { content: 'Still here?' }],
    ['PUT', `${channel}/slow-mode`, { seconds: 5 }],
    ['POST', '/api/stars/ID/follow', { following: true }],
  ];
  const of = (path: string, id: number) => path.replace('ID', String(id));
  // What was kept of the old address is out of date, too.
  for (const page of pages) expect([page, (await ask('GET', of(page, from))).status]).toEqual([page, 200]);
  const merged = await ask('POST', `/api/admin/stars/${from}/merge`, editor.token, { into });
  expect([merged.status, merged.text]).toEqual([200, merged.text]);
  await until(async () => (await ask('GET', of('/ko/star/ID', from))).status === 301);
  for (const page of pages) {
    const { status, location } = await ask('GET', of(page, from));
    expect([page, status, location]).toEqual([page, 301, of(page, into)]);
  }
  for (const [method, path, body] of calls) {
    const { token } = path.endsWith('slow-mode') ? editor : fan;
    const { status, location } = await ask(method, of(path, from), token, body);
    const code = method === 'GET' || method === 'HEAD' ? 301 : 308;
    expect([method, path, status, location]).toEqual([method, path, code, of(path, into)]);
  }
});
