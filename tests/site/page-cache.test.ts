import { describe, expect, test } from 'bun:test';
import { brotliDecompressSync } from 'node:zlib';
import { markOutdated } from '#site/lib/cache/outdated.ts';
import { PageCache } from '#site/lib/cache/page-cache.ts';
import type { RenderedResponse } from '#site/lib/cache/page-entry.ts';
import { CriticalCss } from '#site/lib/pages/critical-css.ts';
import { pageKey, renderPublic } from '#site/lib/pages/public-pages.ts';
import { matchRoute } from '#site/lib/routes/match-route.ts';
import { until } from '#tests/kit/until.ts';

const page = (text: string, tags: string[] = ['article:1'], maxAge = 60, swr = 600): RenderedResponse => ({
  status: 200,
  body: new TextEncoder().encode(text.padEnd(2000, '.')),
  headers: { 'content-type': 'text/html' },
  life: { maxAge, swr, tags },
});

function cacheOf(render: (key: string) => Promise<RenderedResponse> | RenderedResponse, bytes = 1_000_000) {
  let now = 0;
  const renderedPaths: string[] = [];
  const cache = new PageCache(
    async (request) => {
      const path = new URL(request.url).pathname;
      renderedPaths.push(path);
      return render(path);
    },
    bytes,
    () => now,
  );
  const get = (path: string, headers: Record<string, string> = {}) =>
    cache.respond(new Request(`http://localhost${path}`, { headers }), path);
  return { cache, renderedPaths, get, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('the page cache', () => {
  test('renders a page once for everybody who asks at the same time', async () => {
    const { get, renderedPaths } = cacheOf(async () => {
      await Bun.sleep(5);
      return page('one');
    });
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/ko')));
    expect(renderedPaths).toEqual(['/ko']);
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  });

  test('answers from memory while fresh, stale while it renders anew, and waits when too old', async () => {
    let version = 0;
    const { get, pass, renderedPaths } = cacheOf(() => {
      version += 1;
      return page(`v${version}`);
    });
    const read = async () => (await (await get('/ko')).text()).slice(0, 2);
    expect(await read()).toBe('v1');
    pass(59_000);
    expect(await read()).toBe('v1');
    pass(2_000);
    expect(await read()).toBe('v1');
    await Bun.sleep(1);
    expect(await read()).toBe('v2');
    pass(700_000);
    expect(await read()).toBe('v3');
    expect(renderedPaths).toHaveLength(3);
  });

  test('says how much of its life a page has behind it, to whatever keeps it in front of us', async () => {
    const { get, pass } = cacheOf(() => page('one'));
    const ageOf = async (headers?: Record<string, string>) => (await get('/ko', headers)).headers.get('age');
    expect(await ageOf()).toBeNull();
    pass(59_000);
    const answer = await get('/ko');
    expect(answer.headers.get('age')).toBe('59');
    expect(await ageOf({ 'if-none-match': answer.headers.get('etag') ?? '' })).toBe('59');
    // A page is made anew meanwhile, and is young again.
    pass(2_000);
    expect(await ageOf()).toBe('61');
    await Bun.sleep(1);
    expect(await ageOf()).toBeNull();
  });

  test('forgets exactly the pages that carry a tag', async () => {
    const { get, cache, renderedPaths } = cacheOf((path) =>
      page(path, [path === '/a' ? 'star:1' : 'star:2', 'feed']),
    );
    await get('/a');
    await get('/b');
    cache.invalidate(['star:1']);
    await get('/a');
    await get('/b');
    expect(renderedPaths).toEqual(['/a', '/b', '/a']);
    cache.invalidate(['feed']);
    await get('/a');
    await get('/b');
    expect(renderedPaths).toHaveLength(5);
  });

  test('does not keep a page whose tag was invalidated while it was being rendered', async () => {
    let finishRender = () => {};
    const wait = new Promise<void>((resolve) => {
      finishRender = resolve;
    });
    const { get, cache, renderedPaths } = cacheOf(async () => {
      await wait;
      return page('old');
    });
    const first = get('/a');
    cache.invalidate(['article:1']);
    finishRender();
    await first;
    await get('/a');
    expect(renderedPaths).toEqual(['/a', '/a']);
  });

  test('makes a page anew for who asks after a write while the one before is under way, once for all of them', async () => {
    const renders: (() => void)[] = [];
    const { get, cache, renderedPaths } = cacheOf(async () => {
      const words = `version ${renders.length}`;
      await new Promise<void>((resolve) => renders.push(resolve));
      return page(words);
    });
    const before = [get('/a'), get('/a')];
    await until(() => renders.length === 1);
    cache.invalidate(['article:2']);
    const beside = get('/a');
    cache.invalidate(['article:1']);
    const after = [get('/a'), get('/a')];
    renders[0]?.();
    await until(() => renders.length === 2);
    cache.invalidate(['article:2']);
    renders[1]?.();
    const textOf = async (answer: Response | Promise<Response>) =>
      (await (await answer).text()).replace(/\.+$/, '');
    expect(await Promise.all([...before, beside].map(textOf))).toEqual(Array(3).fill('version 0'));
    expect(await Promise.all(after.map(textOf))).toEqual(['version 1', 'version 1']);
    expect(renderedPaths).toEqual(['/a', '/a']);
  });

  test('gives no 404 to who asks after a write that may have made a page of it', async () => {
    let wasMade = false;
    const renders: (() => void)[] = [];
    const { get, cache } = cacheOf(async () => {
      const answer = wasMade ? page('made') : { ...page('none'), status: 404, life: undefined };
      await new Promise<void>((resolve) => renders.push(resolve));
      return answer;
    });
    const before = get('/a');
    await until(() => renders.length === 1);
    wasMade = true;
    cache.invalidate(['article:1']);
    const after = get('/a');
    renders[0]?.();
    await until(() => renders.length === 2);
    renders[1]?.();
    expect([(await before).status, (await after).status]).toEqual([404, 200]);
  });

  test('stays under its limit in bytes', async () => {
    const { get, cache } = cacheOf((path) => page(path), 20_000);
    for (let index = 0; index < 50; index += 1) await get(`/${index}`, { 'accept-encoding': 'br' });
    expect(cache.bytes).toBeLessThanOrEqual(20_000);
    expect(cache.counts.evicted).toBeGreaterThan(30);
  });

  test('does not keep answers without a life, such as a 404', async () => {
    const { get, renderedPaths } = cacheOf(() => ({ ...page('gone'), status: 404, life: undefined }));
    expect((await get('/x')).status).toBe(404);
    await get('/x');
    expect(renderedPaths).toHaveLength(2);
  });

  test('speaks brotli, gzip and neither, with one ETag, and answers 304', async () => {
    const { get } = cacheOf(() => page('words'));
    const identityAnswer = await get('/a');
    const etag = identityAnswer.headers.get('etag') ?? '';
    expect(identityAnswer.headers.get('content-encoding')).toBeNull();
    expect((await get('/a', { 'accept-encoding': 'gzip, br' })).headers.get('content-encoding')).toBe('br');
    expect((await get('/a', { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
    expect((await get('/a', { 'accept-encoding': 'br;q=0, gzip' })).headers.get('content-encoding')).toBe(
      'gzip',
    );
    const again = await get('/a', { 'if-none-match': etag, 'accept-encoding': 'br' });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('answers whoever asked first before whoever asked later for a page that takes no compressing', async () => {
    const { get } = cacheOf((path) => page(path));
    const answered: string[] = [];
    const ask = async (name: string, headers?: Record<string, string>) => {
      await get(`/ko/${name}`, headers);
      answered.push(name);
    };
    await Promise.all([ask('first', { 'accept-encoding': 'br' }), ask('second')]);
    expect(answered).toEqual(['first', 'second']);
  });

  test('keeps a page compressed, and gives it whole in every encoding, however the first one was asked for', async () => {
    const { get, cache, renderedPaths } = cacheOf(() => page('words'));
    for (const first of ['br', 'gzip', 'identity']) {
      cache.clear();
      for (const encoding of [first, 'identity', 'gzip', 'br', first]) {
        const answer = await get('/a', { 'accept-encoding': encoding });
        expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
        const bytes = await answer.bytes();
        const decoded =
          encoding === 'br'
            ? brotliDecompressSync(bytes)
            : encoding === 'gzip'
              ? Bun.gunzipSync(bytes)
              : bytes;
        expect(new TextDecoder().decode(decoded)).toBe('words'.padEnd(2000, '.'));
      }
    }
    expect(renderedPaths).toHaveLength(3);
    cache.clear();
    await get('/a', { 'accept-encoding': 'br' });
    const onlyPressed = cache.bytes;
    cache.clear();
    await get('/a');
    expect(cache.bytes - onlyPressed).toBeGreaterThan(1900);
  });

  test('a page that comes out as it was before is not compressed anew, and has its new time', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `word${(at * at) % 97}`).join(' ');
    let text = words;
    const { get, pass } = cacheOf(() => page(text));
    const read = async () => {
      const answer = await get('/ko', { 'accept-encoding': 'br' });
      return { bytes: (await answer.bytes()).byteLength, age: answer.headers.get('age') };
    };
    const afterAMinute = async () => {
      pass(61_000);
      await read();
      await Bun.sleep(1);
      return read();
    };
    const quick = (await read()).bytes;
    await until(async () => (await read()).bytes < quick);
    const tight = (await read()).bytes;
    expect(await afterAMinute()).toEqual({ bytes: tight, age: null });
    expect(await (await get('/ko')).text()).toBe(words);
    text = `${words} and more`;
    expect((await afterAMinute()).bytes).toBeGreaterThan(tight);
  });

  test('a page that is over its time is better than none for a day, says so, and is not kept by others', async () => {
    let isAway = false;
    const { get, pass, cache } = cacheOf(() =>
      isAway ? { ...page('away'), status: 503, life: undefined } : page('page'),
    );
    const read = async (path = '/a') => {
      const answer = await get(path);
      return [answer.status, (await answer.text()).slice(0, 4), answer.headers.get('warning') !== null];
    };
    expect(await read()).toEqual([200, 'page', false]);
    isAway = true;
    pass(1_000_000);
    expect(await read()).toEqual([200, 'page', true]);
    expect((await get('/a')).headers.get('cache-control')).toBe('private, no-store');
    expect(await read('/b')).toEqual([503, 'away', false]);
    pass(86_400_000);
    expect(await read()).toEqual([503, 'away', false]);
    isAway = false;
    expect(await read()).toEqual([200, 'page', false]);
    isAway = true;
    pass(1_000_000);
    cache.invalidate(['article:1']);
    expect(await read()).toEqual([503, 'away', false]);
  });

  test('a failed render is an error for those who wait and leaves nothing behind', async () => {
    let isFailing = true;
    const { get } = cacheOf(() => {
      if (isFailing) throw new Error('no database');
      return page('back');
    });
    expect(get('/a')).rejects.toThrow('no database');
    isFailing = false;
    expect((await get('/a')).status).toBe(200);
  });
});

test('who asks too often is told so alone', async () => {
  const { get, renderedPaths } = cacheOf(async () => {
    await Bun.sleep(5);
    return { ...page('slow down'), status: renderedPaths.length > 1 ? 200 : 429, life: undefined };
  });
  const answers = await Promise.all([get('/ko/search'), get('/ko/search'), get('/ko/search')]);
  expect(answers.map(({ status }) => status)).toEqual([429, 200, 200]);
  expect(renderedPaths).toHaveLength(2);
});

/** The key of an address as the server makes it. */
function keyOf(address: string, acceptLanguage: string): string {
  const [path = '', query = ''] = address.split('?');
  return pageKey(path, query, matchRoute(path), acceptLanguage);
}

test('a page is the same page with a timestamp, a tracking parameter or another order of parameters', () => {
  const key = (address: string) => keyOf(address, 'vi');
  expect(key('/ko?t=1732181')).toBe('/ko');
  expect(key('/ko?utm_source=x&fbclid=1')).toBe('/ko');
  expect(key('/ko/search?tab=stars&page=2')).toBe(key('/ko/search?page=2&tab=stars&t=5'));
  expect(key('/ko?page=2')).not.toBe(key('/ko?page=3'));
});

test('a page is the same page with parameters that another page reads', () => {
  const key = (address: string) => keyOf(address, 'vi');
  expect(key('/ko/article/1?page=3&tab=photos')).toBe('/ko/article/1');
  expect(key('/ko?page=2&tab=photos')).toBe('/ko?page=2');
  expect(key('/ko/nowhere?page=2')).toBe('/ko/nowhere');
  expect(key('/ko/star/1?tab=photos&lang=vi&next=/en')).toBe('/ko/star/1?tab=photos');
});

test('a page is the same page with what it does not know and what it has without it, and another with what it refuses', () => {
  const key = (address: string) => keyOf(address, 'vi');
  for (const same of ['?page=1', '?page=1&page=2']) expect(key(`/ko${same}`)).toBe('/ko');
  for (const same of [
    '?tab=poison-1',
    '?tab=',
    '?tab=timeline',
    '?show=some',
    '?category=poison',
    '?show=%00',
  ])
    expect(key(`/ko/star/1${same}`)).toBe('/ko/star/1');
  for (const same of ['?sort=popular&page=1', '?sort=newest', '?q=', '?q=+%20', '?q=%00%E2%80%8B'])
    expect(key(`/ko/community${same}`)).toBe('/ko/community');
  for (const same of ['?tab=calendar', '?range=year&category=', '?offset=0', '?stars=&categories='])
    expect(key(`/ko/events${same}`)).toBe('/ko/events');
  expect(key('/ko/search?q=%20&tab=none')).toBe('/ko/search');
  expect(key('/search?tab=poison')).toBe('/search vi');
  // These are answered with 404, of which nothing is kept.
  for (const refused of ['?page=0', '?page=01', '?page=', '?page=9999999999'])
    expect(key(`/ko${refused}`)).toBe(`/ko${refused}`);
  expect(key('/ko/events?date=2026-11-26&month=2026-13')).not.toBe(key('/ko/events?date=2026-11-26'));
});

test('a parameter is read once, a list as often as it stands there, however they are written', () => {
  const key = (address: string) => keyOf(address, 'vi');
  expect(key('/ko?page=2&page=3')).toBe('/ko?page=2');
  expect(key('/ko?%70age=2&x=%20')).toBe('/ko?page=2');
  expect(key('/ko?page')).toBe(key('/ko?page='));
  expect(key('/ko?page')).toBe(key('/ko?page&x=%20'));
  expect(key('/ko/events?stars=3&tab=upcoming&stars=1')).toBe('/ko/events?tab=upcoming&stars=1%2C3');
  expect(key('/ko/events?stars=3,1,3')).toBe('/ko/events?stars=1%2C3');
  expect(key('/ko/search?q=a b&pager=2')).toBe(key('/ko/search?q=a+b'));
  expect(key('/ko/search?q=%EB%B3%84%20a')).toBe('/ko/search?q=%EB%B3%84+a');
});

test('a page whose address names no language is one for each language of readers', () => {
  expect(keyOf('/ko/nowhere', 'vi')).toBe(keyOf('/ko/nowhere', 'en'));
  expect(keyOf('/nowhere', 'vi,en;q=0.5')).toBe(keyOf('/nowhere', 'vi-VN'));
  expect(keyOf('/nowhere', 'vi')).not.toBe(keyOf('/nowhere', 'en'));
});

describe('rendering for everybody', () => {
  const render = async (path: string, headers: Record<string, string> = {}) => {
    let pageRequest: Request | undefined;
    await renderPublic(
      async (inner) => {
        pageRequest = inner;
        return new Response('page');
      },
      new Request('http://localhost/', { headers }),
      keyOf(path, headers['accept-language'] ?? ''),
      new CriticalCss(() => undefined),
    );
    const { pathname, search } = new URL(pageRequest?.url ?? '');
    return { path: pathname + search, headers: Object.fromEntries(pageRequest?.headers ?? []) };
  };

  test.each([
    [200, 'max-age=600, stale-while-revalidate=3600, stale-if-error=86400', 'stars'],
    [301, 'max-age=600, stale-while-revalidate=3600', 'stars'],
    [500, undefined, undefined],
    [503, undefined, undefined],
  ])('lets a CDN keep what lasts, and no failure: %d', async (status, control, tag) => {
    const { headers, life } = await renderPublic(
      async () =>
        new Response('page', {
          status,
          headers: {
            'cdn-cache-control': 'max-age=600, stale-while-revalidate=3600',
            'cache-tag': 'stars',
            'retry-after': '5',
          },
        }),
      new Request('http://localhost/'),
      keyOf('/sitemap.xml', ''),
      new CriticalCss(() => undefined),
    );
    expect([headers['cdn-cache-control'], headers['cache-tag']]).toEqual([control, tag]);
    expect(headers['retry-after']).toBe('5');
    expect(life !== undefined).toBe(status === 200);
  });

  test('knows nothing of who asks', async () => {
    const headers = { cookie: 'session=1', authorization: 'Bearer 1', 'accept-language': 'ms', 'x-own': '1' };
    expect(await render('/ko/article/1', headers)).toEqual({
      path: '/ko/article/1',
      headers: { 'accept-language': 'ko' },
    });
    expect((await render('/nowhere', headers)).headers).toEqual({ 'accept-language': 'ms' });
  });

  test('tells caches in front how long a page may be kept, stale, and instead of an error', async () => {
    const lifeOf = async (headers: Record<string, string>) => {
      const inner = async () => new Response('page', { headers });
      const critical = new CriticalCss(() => undefined);
      const request = new Request('http://localhost/ko');
      return (await renderPublic(inner, request, keyOf('/ko', ''), critical)).headers['cdn-cache-control'];
    };
    expect(await lifeOf({ 'cdn-cache-control': 'max-age=60, stale-while-revalidate=600' })).toBe(
      'max-age=60, stale-while-revalidate=600, stale-if-error=86400',
    );
    expect(await lifeOf({})).toBeUndefined();
  });

  test('knows of a query what its route declares', async () => {
    for (const [address, path] of [
      ['/ko?page=2&tab=photos&t=1', '/ko?page=2'],
      ['/ko/article/1?page=3&lang=vi', '/ko/article/1'],
      ['/en/category/k-pop%20group?utm_source=x&page=2', '/en/category/k-pop%20group?page=2'],
      ['/search?page=2&tab=stars&q=a%20b', '/search?q=a+b&tab=stars'],
      ['/nowhere?q=1', '/nowhere'],
    ] as const) {
      expect([address, (await render(address)).path]).toEqual([address, path]);
    }
  });

  test('shows no page under an address that is written in another way', async () => {
    for (const path of [
      '/',
      '/ko',
      '/ko/',
      '/ko/article/1',
      '/sitemap-ko-1.xml',
      '/ko/events.ics',
      '/a_b~c',
      '/ko/category/k-pop%20group',
      '/ko/%EB%B3%84',
    ]) {
      expect((await render(path)).path).toBe(path);
    }
    for (const path of [
      '//x/profile',
      '/%70rofile',
      '/%2570rofile',
      '/ko//article/1',
      '/ko/%2e%2e/profile',
      '/ko/../profile',
      '/ko/./article/1',
      '/\\x/ko',
      '/ko/article/1;x',
      '/500',
      '/_image',
      '/_server-islands/x',
    ]) {
      expect((await render(path, { 'accept-language': 'vi' })).path).toBe(
        path.startsWith('/ko/') ? '/ko/404' : '/vi/404',
      );
    }
  });
});

test('a page that is over its time says of when it is: with its day, once that is over in Seoul', () => {
  const renderedAt = new Date('2026-11-20T13:05:00Z');
  const noticeAt = (now: string, lang = 'ko') => {
    const html = `<!doctype html><html lang="${lang}"><body><p id="offline"></p></body></html>`;
    const marked = markOutdated(new TextEncoder().encode(html), renderedAt, new Date(now));
    return new TextDecoder()
      .decode(marked)
      .match(/<p class="offline" role="status">(.*?)<\/p><p id="offline"/)?.[1];
  };
  expect(noticeAt('2026-11-20T14:59:59Z')).toContain(' 22:05(한국 시간)에 저장된');
  expect(noticeAt('2026-11-20T14:59:59Z')).not.toContain('20일');
  expect(noticeAt('2026-11-20T15:00:00Z')).toContain(' 2026년 11월 20일 22:05(한국 시간)에 저장된');
  expect(noticeAt('2026-11-21T13:00:00Z', 'en')).toContain(' 20 November 2026 22:05 (Korea time).');
});
