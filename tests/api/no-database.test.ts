import { afterAll, beforeAll, expect, test } from 'bun:test';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { bearer, call } from '#tests/kit/call.ts';
import { recordLog } from '#tests/kit/log-lines.ts';

beforeAll(() => {
  // The discard port: nothing answers there.
  openDatabase('postgres://nobody:secret@127.0.0.1:9/none');
});
afterAll(() => closeDatabase(0));

test('while the database is away every call that needs it is 503 with Retry-After, and says nothing about it', async () => {
  const log = recordLog();
  const calls: [string, RequestInit?][] = [
    ['/api/stars'],
    ['/api/articles/1'],
    ['/api/stars?search=x'],
    ['/api/stars/1/profile', { headers: bearer('f'.repeat(64)) }],
    ['/api/articles/1/search-youtube', { method: 'POST', headers: bearer('f'.repeat(64)) }],
  ];
  for (const [path, init] of calls) {
    const { status, headers, json, text } = await call(path, init);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5']);
    expect(json).toEqual({ error: 'The service is temporarily unavailable.', code: 'unavailable' });
    expect(text).not.toContain('127.0.0.1');
  }
  log.stop();
});

test('what needs no database still answers', async () => {
  expect((await call('/api/detect-language')).status).toBe(200);
  expect((await call('/api/stars?limit=x')).status).toBe(400);
  expect((await call('/api/nope')).status).toBe(404);
});
