import { describe, expect, test } from 'bun:test';
import { sharedKey } from '#api/plugins/reads.ts';
import { readCache } from '#site/lib/read-cache.ts';
import { bearer } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';

useDatabase();

const keyOf = (path: string, headers: Record<string, string> = {}) =>
  sharedKey(path, new Request(`http://localhost:4321${path}`, { headers }));

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
    const cache = readCache(1_000_000);
    const id = await makeArticle({ rewrites: { ko: '제목' } });
    const path = `/api/articles/${id}`;
    const head = await cache.respond(ask(path, { method: 'HEAD' }), path);
    expect(head.status).toBe(200);
    const full = await cache.respond(ask(path, { headers: { 'accept-encoding': 'gzip' } }), path);
    expect(full.headers.get('content-encoding')).toBe('gzip');
    expect(full.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(full.headers.get('x-content-type-options')).toBe('nosniff');
    expect(full.headers.get('cache-tag')).toBeNull();
    const again = await cache.respond(
      ask(path, { headers: { 'if-none-match': full.headers.get('etag') ?? '' } }),
      path,
    );
    expect(again.status).toBe(304);
    expect(cache.counts).toMatchObject({ miss: 1, hit: 2 });
  });

  test('forgets what a write outdated', async () => {
    const cache = readCache(1_000_000);
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
    const cache = readCache(1_000_000);
    const { token } = await makeFan();
    const missing = await cache.respond(ask('/api/articles/2147483647'), '/api/articles/2147483647');
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'private, no-store']);
    expect(cache.size).toBe(0);
    const path = '/api/articles?limit=1';
    const mine = await (await cache.respond(ask(path, { headers: bearer(token) }), path)).text();
    expect(await (await cache.respond(ask(path), path)).text()).toBe(mine);
  });
});
