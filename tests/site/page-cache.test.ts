import { describe, expect, test } from 'bun:test';
import { brotliDecompressSync } from 'node:zlib';
import { PageCache, pageKey, type Rendered } from '#site/lib/page-cache.ts';

const page = (text: string, tags: string[] = ['article:1'], maxAge = 60, swr = 600): Rendered => ({
  status: 200,
  body: new TextEncoder().encode(text.padEnd(2000, '.')),
  headers: { 'content-type': 'text/html' },
  life: { maxAge, swr, tags },
});

function cacheOf(render: (key: string) => Promise<Rendered> | Rendered, bytes = 1_000_000) {
  let now = 0;
  const asked: string[] = [];
  const cache = new PageCache(
    async (request) => {
      const path = new URL(request.url).pathname;
      asked.push(path);
      return render(path);
    },
    bytes,
    () => now,
  );
  const get = (path: string, headers: Record<string, string> = {}) =>
    cache.respond(new Request(`http://localhost${path}`, { headers }), path);
  return { cache, asked, get, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('the page cache', () => {
  test('renders a page once for everybody who asks at the same time', async () => {
    const { get, asked } = cacheOf(async () => {
      await Bun.sleep(5);
      return page('one');
    });
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/ko')));
    expect(asked).toEqual(['/ko']);
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  });

  test('answers from memory while fresh, stale while it renders anew, and waits when too old', async () => {
    let version = 0;
    const { get, pass, asked } = cacheOf(() => {
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
    expect(asked).toHaveLength(3);
  });

  test('forgets exactly the pages that carry a tag', async () => {
    const { get, cache, asked } = cacheOf((path) =>
      page(path, [path === '/a' ? 'star:1' : 'star:2', 'feed']),
    );
    await get('/a');
    await get('/b');
    cache.invalidate(['star:1']);
    await get('/a');
    await get('/b');
    expect(asked).toEqual(['/a', '/b', '/a']);
    cache.invalidate(['feed']);
    await get('/a');
    await get('/b');
    expect(asked).toHaveLength(5);
  });

  test('does not keep a page whose tag was invalidated while it was being rendered', async () => {
    let let_go = () => {};
    const wait = new Promise<void>((resolve) => {
      let_go = resolve;
    });
    const { get, cache, asked } = cacheOf(async () => {
      await wait;
      return page('old');
    });
    const first = get('/a');
    cache.invalidate(['article:1']);
    let_go();
    await first;
    await get('/a');
    expect(asked).toEqual(['/a', '/a']);
  });

  test('stays under its limit in bytes', async () => {
    const { get, cache } = cacheOf((path) => page(path), 20_000);
    for (let index = 0; index < 50; index += 1) await get(`/${index}`, { 'accept-encoding': 'br' });
    expect(cache.bytes).toBeLessThanOrEqual(20_000);
    expect(cache.counts.evicted).toBeGreaterThan(30);
  });

  test('does not keep answers without a life, such as a 404', async () => {
    const { get, asked } = cacheOf(() => ({ ...page('gone'), status: 404, life: undefined }));
    expect((await get('/x')).status).toBe(404);
    await get('/x');
    expect(asked).toHaveLength(2);
  });

  test('speaks brotli, gzip and neither, with one ETag, and answers 304', async () => {
    const { get } = cacheOf(() => page('words'));
    const plain = await get('/a');
    const etag = plain.headers.get('etag') ?? '';
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect((await get('/a', { 'accept-encoding': 'gzip, br' })).headers.get('content-encoding')).toBe('br');
    expect((await get('/a', { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
    expect((await get('/a', { 'accept-encoding': 'br;q=0, gzip' })).headers.get('content-encoding')).toBe(
      'gzip',
    );
    const again = await get('/a', { 'if-none-match': etag, 'accept-encoding': 'br' });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('holds a page pressed, and gives it whole in every encoding, however the first one was asked for', async () => {
    const { get, cache, asked } = cacheOf(() => page('words'));
    for (const first of ['br', 'gzip', 'identity']) {
      cache.clear();
      for (const encoding of [first, 'identity', 'gzip', 'br', first]) {
        const answer = await get('/a', { 'accept-encoding': encoding });
        expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
        const bytes = await answer.bytes();
        const plain =
          encoding === 'br'
            ? brotliDecompressSync(bytes)
            : encoding === 'gzip'
              ? Bun.gunzipSync(bytes)
              : bytes;
        expect(new TextDecoder().decode(plain)).toBe('words'.padEnd(2000, '.'));
      }
    }
    expect(asked).toHaveLength(3);
    cache.clear();
    await get('/a', { 'accept-encoding': 'br' });
    const onlyPressed = cache.bytes;
    cache.clear();
    await get('/a');
    expect(cache.bytes - onlyPressed).toBeGreaterThan(1900);
  });

  test('a failed render is an error for those who wait and leaves nothing behind', async () => {
    let fail = true;
    const { get } = cacheOf(() => {
      if (fail) throw new Error('no database');
      return page('back');
    });
    expect(get('/a')).rejects.toThrow('no database');
    fail = false;
    expect((await get('/a')).status).toBe(200);
  });
});

test('a page is the same page with a timestamp, a tracking parameter or another order of parameters', () => {
  expect(pageKey('/ko?t=1732181')).toBe('/ko');
  expect(pageKey('/ko?utm_source=x&fbclid=1')).toBe('/ko');
  expect(pageKey('/ko?tab=photos&page=2')).toBe(pageKey('/ko?page=2&tab=photos&t=5'));
  expect(pageKey('/ko?page=2')).not.toBe(pageKey('/ko?page=3'));
});
