import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { brotliDecompressSync } from 'node:zlib';
import { api } from '#api/app.ts';
import { eventClock } from '#api/events/clock.ts';
import { onInvalidation } from '#api/invalidation.ts';
import { sharedKey } from '#api/plugins/reads.ts';
import { languages, translated } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { ReadCache } from '#site/lib/cache/read-cache.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeEvent, makeFan, makeStar, makeUpload } from '#tests/kit/make.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();

const keyOf = (path: string, headers: Record<string, string> = {}) =>
  sharedKey(path, new Request(`http://localhost:4321${path}`, { headers }));

/** All that an answer about events says of the time until they start. */
async function clocksOf(answer: Response): Promise<number[]> {
  const bytes = await answer.bytes();
  const coding = answer.headers.get('content-encoding');
  const json = new TextDecoder().decode(
    coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? Bun.gunzipSync(bytes) : bytes,
  );
  return [...json.matchAll(/[^\\]"timeUntilStart":(\d+)/g)].map(([, seconds]) => Number(seconds));
}

describe('what may be answered from memory', () => {
  test('is a public read with parameters that its route knows, in any order', () => {
    expect(keyOf('/api/articles')).toBe('/api/articles');
    expect(keyOf('/api/articles?limit=2&language=en')).toBe('/api/articles?language=en&limit=2');
    expect(keyOf('/api/articles/7/multimedia')).toBe('/api/articles/7/multimedia');
    expect(keyOf('/api/stars?page=2')).toBe('/api/stars?page=2');
  });

  test('is nothing that is limited, personal, unknown, or asked with something extra', () => {
    for (const address of [
      '/api/stars?search=x',
      '/api/search?q=x',
      '/api/stars/7/profile',
      '/api/detect-language',
      '/api/articles/7/search-youtube',
      '/api/nope',
      '/api/articles/new',
      '/api/articles?_t=1',
      '/api/articles?x=%FF',
      '/api/articles?__proto__=1',
    ]) {
      expect([address, keyOf(address)]).toEqual([address, undefined]);
    }
  });

  test('is what knows who asks only for nobody', () => {
    const month = '/api/events/calendar/month/2026/11';
    expect(keyOf(month)).toBe(month);
    expect(keyOf(month, bearer('0'.repeat(64)))).toBeUndefined();
    expect(keyOf(month, { cookie: `byeol_session=${'0'.repeat(64)}` })).toBeUndefined();
    expect(keyOf('/api/articles', bearer('0'.repeat(64)))).toBe('/api/articles');
  });
});

describe('the memory of reads', () => {
  const ask = (path: string, init?: RequestInit) => new Request(`http://localhost:4321${path}`, init);

  test('answers with the headers of the API, compressed, 304 when nothing changed, whole after a HEAD', async () => {
    const cache = new ReadCache(1_000_000);
    const id = await makeArticle({ rewrites: { ko: '제목' } });
    const path = `/api/articles/${id}`;
    const head = await cache.respond(ask(path, { method: 'HEAD' }), path);
    expect(head.status).toBe(200);
    const full = await cache.respond(ask(path, { headers: { 'accept-encoding': 'gzip' } }), path);
    expect(full.headers.get('content-encoding')).toBe('gzip');
    expect(full.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(full.headers.get('x-content-type-options')).toBe('nosniff');
    // What is kept in front of the site, and forgotten there by the same writes.
    expect(full.headers.get('cache-tag')).toBe(`article:${id},stars`);
    expect(full.headers.get('cdn-cache-control')).toBe(
      'max-age=60, stale-while-revalidate=600, stale-if-error=86400',
    );
    const again = await cache.respond(
      ask(path, { headers: { 'if-none-match': full.headers.get('etag') ?? '' } }),
      path,
    );
    expect(again.status).toBe(304);
    expect(cache.counts).toMatchObject({ miss: 1, hit: 2 });
  });

  test('keeps no list of nothing, of which there is one for every number', async () => {
    const cache = new ReadCache(1_000_000);
    const star = await makeStar();
    await makeArticle({ stars: [star], rewrites: { ko: '제목' } });
    const isKept = async (path: string) => {
      expect((await cache.respond(ask(path), path)).status).toBe(200);
      const { hit = 0 } = cache.counts;
      await cache.respond(ask(path), path);
      return (cache.counts.hit ?? 0) > hit;
    };
    expect(await isKept(`/api/articles?starIds=${encodeURIComponent(`[${star}]`)}`)).toBe(true);
    for (const path of [
      `/api/articles?starIds=${encodeURIComponent('[2147483000]')}`,
      '/api/articles?offset=999999',
      `/api/events?starIds=${encodeURIComponent('[2147483000]')}`,
    ])
      expect([path, await isKept(path)]).toEqual([path, false]);
  });

  describe('of events', () => {
    afterEach(() => setSystemTime());

    /** In the middle of a quarter of an hour that is not yet here. */
    const noon = Date.parse('2036-03-10T03:05:00.000Z');
    const inSeconds = (seconds: number) => new Date(noon + seconds * 1000);

    test('tells the time until a start as it is when it is sent, under one ETag', async () => {
      setSystemTime(noon);
      const cache = new ReadCache(1_000_000);
      const description = 'It said "startTime":"2036-03-10T03:06:00.000Z","timeUntilStart":7 and began.';
      const id = await makeEvent({ start: inSeconds(7200), description });
      const fan = await makeFan();
      await connection()`insert into event_subscriptions (user_id, event_id) values (${fan.id}, ${id})`;
      for (const path of [
        `/api/events/${id}`,
        '/api/events?limit=5',
        '/api/events/calendar/month/2036/3',
        '/api/events/calendar/range?startDate=2036-03-10T00:00:00Z&endDate=2036-03-11T00:00:00Z',
        '/api/events/trending',
      ]) {
        setSystemTime(noon);
        for (const coding of ['gzip', 'br', 'identity']) {
          const headers = { 'accept-encoding': coding };
          const first = await cache.respond(ask(path, { headers }), path);
          setSystemTime(noon + 7000);
          const second = await cache.respond(ask(path, { headers }), path);
          const etag = second.headers.get('etag') ?? '';
          expect(second.headers.get('cdn-cache-control')).toBeNull();
          expect(second.headers.get('age')).toBeNull();
          expect(etag).toBe(first.headers.get('etag') ?? 'none');
          expect((await api.handle(ask(path))).headers.get('etag')).toBe(etag);
          expect([path, coding, await clocksOf(first)]).toEqual([path, coding, [7200]]);
          expect([path, coding, await clocksOf(second)]).toEqual([path, coding, [7193]]);
          const third = await cache.respond(ask(path, { headers: { 'if-none-match': etag } }), path);
          expect(third.status).toBe(304);
          setSystemTime(noon);
        }
      }
      expect(cache.counts).toMatchObject({ miss: 5, stale: 0 });
      const answer = await cache.respond(ask(`/api/events/${id}`), `/api/events/${id}`);
      expect(await answer.json()).toMatchObject({ description });
    });

    test('tells what is on from the second in which it begins to the one in which it ends', async () => {
      setSystemTime(noon);
      const cache = new ReadCache(1_000_000);
      const id = await makeEvent({ start: inSeconds(20), end: inSeconds(40) });
      const path = `/api/events/${id}`;
      for (const [seconds, status] of [
        [0, 'upcoming'],
        [19, 'upcoming'],
        [20, 'live'],
        [39, 'live'],
        [40, 'completed'],
      ] as const) {
        setSystemTime(inSeconds(seconds));
        const answer = await cache.respond(ask(path), path);
        expect([seconds, await answer.json()]).toEqual([seconds, expect.objectContaining({ status })]);
      }
      expect(cache.counts).toMatchObject({ miss: 3, hit: 2 });
    });

    test('knows a new day at midnight of the zone that was asked for', async () => {
      const cache = new ReadCache(1_000_000);
      const path = '/api/events/calendar/month/2036/3?tz=Asia/Kathmandu';
      const todayAt = async (instant: string) => {
        setSystemTime(new Date(instant));
        const month: { days: { date: string; isToday: boolean }[] } = JSON.parse(
          await (await cache.respond(ask(path), keyOf(path) ?? '')).text(),
        );
        return month.days.find(({ isToday }) => isToday)?.date;
      };
      expect(await todayAt('2036-03-10T18:14:50Z')).toBe('2036-03-10');
      expect(await todayAt('2036-03-10T18:15:00Z')).toBe('2036-03-11');
    });
  });

  test('forgets what a write outdated', async () => {
    const cache = new ReadCache(1_000_000);
    const star = await makeStar();
    const id = await makeArticle({ stars: [star] });
    const paths = [`/api/articles/${id}`, '/api/articles?limit=5', `/api/stars/${star}/timeline`];
    for (const path of paths) await cache.respond(ask(path), path);
    expect(cache.size).toBe(3);
    cache.invalidate([`article:${id}`]);
    expect(cache.size).toBe(2);
    cache.invalidate(['feed']);
    expect(cache.size).toBe(1);
    cache.invalidate([`star:${star}`]);
    expect(cache.size).toBe(0);
  });

  test('keeps no errors, and nothing of whoever asked', async () => {
    const cache = new ReadCache(1_000_000);
    const { token } = await makeFan();
    const missing = await cache.respond(ask('/api/articles/2147483647'), '/api/articles/2147483647');
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'private, no-store']);
    expect(cache.size).toBe(0);
    const path = '/api/articles?limit=1';
    const mine = await (await cache.respond(ask(path, { headers: bearer(token) }), path)).text();
    expect(await (await cache.respond(ask(path), path)).text()).toBe(mine);
  });

  test('shows every write of an admin long before it would be made anew, wherever it is told', async () => {
    const cache = new ReadCache(4_000_000);
    const unsubscribe = await onInvalidation(
      (tags) => cache.invalidate(tags),
      () => cache.clear(),
    );
    const { token } = await makeFan({ role: 'admin' });
    const words = { ...translated(() => 'New'), ko: '새것', ms: 'Baharu', vi: 'Mới' };
    const star = await makeStar({ names: words });
    const otherStar = await makeStar({ names: words });
    const [article, relatedArticle] = [
      await makeArticle({ stars: [star], rewrites: words }),
      await makeArticle({ stars: [star, otherStar], rewrites: words }),
    ];
    const event = await makeEvent({ star, article, verification: 'pending' });
    const picture = await makeUpload();
    await connection()`insert into photos (star_id, picture_key, category, position)
      values (${star}, ${picture.key}, 'casual', 0)`;
    await connection()`update articles set picture_key = ${picture.key} where id = ${article}`;
    const addresses = [
      '/api/articles?limit=100',
      `/api/articles?limit=100&starIds=[${star}]`,
      `/api/articles/${article}`,
      `/api/articles/${relatedArticle}?language=en`,
      `/api/articles/related/${article}`,
      `/api/articles/related/${relatedArticle}`,
      `/api/articles/${article}/multimedia`,
      '/api/stars?limit=100',
      '/api/stars?limit=100&withCount=true',
      `/api/stars/${star}/photos`,
      `/api/stars/${star}/timeline`,
      `/api/stars/${star}/articles`,
      `/api/stars/${otherStar}/articles`,
      `/api/events/${event}`,
      '/api/events?limit=100',
      `/api/events?limit=100&starIds=[${star}]`,
      `/api/community/channels/${star}/articles`,
    ];
    const uncachedAnswer = async (path: string) =>
      eventClock.stop(await (await api.handle(ask(path))).text());
    const cachedAnswer = async (path: string) =>
      eventClock.stop(await (await cache.respond(ask(path), keyOf(path) ?? path)).text());

    const starWords = (name: string) =>
      Object.fromEntries(languages.map((lang) => [lang, { name: `${name} ${lang}` }]));
    let embed = 0;
    const writes: [method: string, path: () => string, body: object][] = [
      ['POST', () => '/embeds', { articleId: article, url: 'https://www.youtube.com/watch?v=abcdefghijk' }],
      ['PUT', () => `/embeds/${embed}`, { isActive: false }],
      ['POST', () => '/stars', { category: 'Idol', fandomColor: '#112233', words: starWords('Added') }],
      [
        'PUT',
        () => `/stars/${star}`,
        { category: 'Idol', fandomColor: '#112233', words: starWords('Renamed') },
      ],
      ['POST', () => `/events/${event}/verify/approve`, {}],
      ['POST', () => `/articles/${relatedArticle}/withdraw`, { note: words }],
      ['POST', () => `/articles/${relatedArticle}/restore`, { note: words }],
      ['PUT', () => `/articles/${relatedArticle}/picture`, { pictureKey: picture.key }],
      ['PUT', () => `/pictures/${picture.id}`, { credit: 'Kim Byeol' }],
      ['POST', () => `/pictures/${picture.id}/withdraw`, {}],
      ['DELETE', () => `/pictures/${picture.id}/withdraw`, {}],
      [
        'POST',
        () => `/stars/${star}/photos`,
        { picture: { key: picture.key }, category: 'event', words: { en: { title: 'Shot' } } },
      ],
      [
        'POST',
        () => `/stars/${star}/timeline`,
        { date: '2020-05', type: 'debut', words: { en: { title: 'Debut' } } },
      ],
      [
        'POST',
        () => `/stars/${star}/achievements`,
        { awardDate: '2021', result: 'won', words: { en: { achievement: 'Best', awardName: 'Award' } } },
      ],
      [
        'POST',
        () => `/stars/${star}/social-links`,
        { platform: 'youtube', profileUrl: 'https://www.youtube.com/@new', displayName: 'NEW' },
      ],
      ['POST', () => `/stars/${otherStar}/members`, { starId: star, names: { en: 'New' } }],
      ['POST', () => `/stars/${star}/revisions/1/restore`, {}],
      ['POST', () => `/stars/${star}/hide`, {}],
      ['DELETE', () => `/stars/${star}/hide`, {}],
      ['POST', () => `/stars/${star}/merge`, { into: otherStar }],
    ];
    let changed = 0;
    for (const [method, path, body] of writes) {
      const answersBefore = await Promise.all(addresses.map(cachedAnswer));
      const answer = await call(`/api/admin${path()}`, {
        ...sending(body, method),
        headers: { 'content-type': 'application/json', ...bearer(token) },
      });
      expect([path(), answer.status, answer.json]).toEqual([path(), 200, expect.anything()]);
      embed ||= Number(Reflect.get(Object(answer.json), 'id'));
      for (const [index, address] of addresses.entries()) {
        const currentAnswer = await uncachedAnswer(address);
        await until(async () => (await cachedAnswer(address)) === currentAnswer, 10_000).catch(() => {});
        expect([path(), address, await cachedAnswer(address)]).toEqual([path(), address, currentAnswer]);
        if (currentAnswer !== answersBefore[index]) changed += 1;
      }
    }
    // An embed shows at seven addresses, a name at ten: what changes nothing would prove nothing.
    expect(changed).toBeGreaterThan(60);
    await unsubscribe();
  }, 300_000);
});
