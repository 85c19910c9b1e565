import { describe, expect, test } from 'bun:test';
import { Elysia, t } from 'elysia';
import { bounds } from '#api/plugins/bounds.ts';
import { errors } from '#api/plugins/errors.ts';
import { integer, nullable } from '#api/shapes.ts';
import { connection } from '#db/client.ts';
import { call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { makeStar } from '#tests/kit/make.ts';

useDatabase();

/** The front part of the API with a route that takes a password, as an attacker would like to find it. */
const door = new Elysia({ prefix: '/api' })
  .use(errors)
  .use(bounds)
  .post('/login', ({ body }) => ({ hello: body.email }), {
    body: t.Object({
      email: t.String({ maxLength: 50 }),
      password: t.String({ minLength: 6 }),
      age: t.Optional(integer({ minimum: 0, maximum: 150 })),
      tags: t.Optional(t.Array(t.String(), { maxItems: 2 })),
      note: t.Optional(nullable(t.String({ maxLength: 5 }))),
      names: t.Optional(nullable(t.Record(t.String(), t.String({ maxLength: 5 })))),
    }),
  })
  .post('/join', () => ({ joined: true }), {
    body: t.Optional(t.Object({ following: t.Optional(t.Boolean()) })),
  })
  .get('/broken', () => {
    throw new Error('Failed query: select password_hash from users');
  })
  .get('/full', () => connection()`do $$ begin raise exception sqlstate '53100'; end $$`)
  .get('/lies', () => JSON.parse('{"id":"secret"}'), { response: { 200: t.Object({ id: integer() }) } });

async function knock(path: string, init?: RequestInit) {
  const response = await door.handle(new Request(`http://localhost${path}`, init));
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('what goes wrong is said in one shape', () => {
  test('a refused password never comes back, whatever is wrong with it', async () => {
    const secret = 'hunt3r';
    for (const body of [
      { email: 'a@b.c', password: 'h4x' },
      { email: 1, password: secret },
      { password: secret },
      { email: 'a@b.c', password: [secret] },
      [secret],
      secret,
    ]) {
      const { status, text } = await knock('/api/login', sending(body));
      expect(status).toBe(400);
      expect(text).not.toContain(secret);
      expect(text).not.toContain('h4x');
      expect(Object.keys(JSON.parse(text)).sort()).toEqual(['code', 'error', 'field']);
    }
  });

  test('a refused field is named with a sentence', async () => {
    const wrong = async (body: unknown) => JSON.parse((await knock('/api/login', sending(body))).text);
    expect(await wrong({ email: 'a', password: 'abc' })).toEqual({
      error: 'Must have at least 6 characters.',
      code: 'invalid',
      field: 'password',
    });
    expect(await wrong({ email: 'a' })).toMatchObject({ code: 'required', field: 'password' });
    expect(await wrong({ email: 'a', password: 'abcdef', age: 200 })).toMatchObject({ field: 'age' });
    expect(await wrong({ email: 'a', password: 'abcdef', age: '0x10' })).toMatchObject({ field: 'age' });
    expect(await wrong({ email: 'a', password: 'abcdef', tags: ['a', 'b', 'c'] })).toEqual({
      error: 'Must have at most 2 entries.',
      code: 'entries',
      field: 'tags',
      most: 2,
    });
    expect(await wrong({ email: 'a', password: 'abcdef', tags: [7] })).toMatchObject({ field: 'tags.0' });
  });

  test('a field that may be null is refused for the reason that one which may not has', async () => {
    const login = { email: 'a', password: 'abcdef' };
    const wrong = async (more: object) =>
      JSON.parse((await knock('/api/login', sending({ ...login, ...more }))).text);
    const refused = (field: string, error: string) => ({ error, code: 'invalid', field });
    expect(await wrong({ note: 'too long' })).toEqual({
      ...refused('note', 'Must have at most 5 characters.'),
      code: 'long',
      most: 5,
    });
    expect(await wrong({ note: 7 })).toEqual(refused('note', 'Must be of type string.'));
    expect(await wrong({ names: { ko: 'too long' } })).toEqual({
      ...refused('names.ko', 'Must have at most 5 characters.'),
      code: 'long',
      most: 5,
    });
    expect(await wrong({ note: null, names: null })).toEqual({ hello: 'a' });
  });

  test('a fault of ours says nothing about itself and is logged once', async () => {
    const log = recordLog();
    const { status, text } = await knock('/api/broken');
    expect(status).toBe(500);
    expect(JSON.parse(text)).toEqual({ error: 'Something went wrong.', code: 'internal' });
    // What else this process has to say is no matter of this test.
    expect(log.lines().filter((line) => JSON.stringify(line).includes('Failed query'))).toHaveLength(1);
    log.stop();
  });

  test('a database whose disk is full is one to be asked again, and is logged', async () => {
    const log = recordLog();
    const { status, text, headers } = await knock('/api/full');
    expect([status, JSON.parse(text).code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(log.text()).toContain('53100');
    log.stop();
  });

  test('an answer that breaks its contract is a fault of ours, and its values are not logged', async () => {
    const log = recordLog();
    const { status, text } = await knock('/api/lies');
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(log.text()).not.toContain('secret');
    log.stop();
  });

  test('in production, where Elysia would echo the body, nothing comes back either', () => {
    const script = `
      const { Elysia, t } = await import('elysia');
      const { errors } = await import('./api/plugins/errors.ts');
      const { bounds } = await import('./api/plugins/bounds.ts');
      const app = new Elysia().use(errors).use(bounds)
        .post('/login', () => 'in', { body: t.Object({ password: t.String({ minLength: 9 }) }) })
        .get('/broken', () => { throw new Error('Failed query') });
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"hunt3r"}' };
      for (const request of [new Request('http://localhost/login', post), new Request('http://localhost/broken'), new Request('http://localhost/none')])
        console.log(await (await app.handle(request)).text());`;
    const run = Bun.spawnSync([process.execPath, '-e', script], {
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const lines = run.stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { error: 'Must have at least 9 characters.', code: 'invalid', field: 'password' },
      { error: 'Something went wrong.', code: 'internal' },
      { error: 'Address not found.', code: 'not_found' },
    ]);
  });
});

describe('bodies', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    knock('/api/login', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const good = '{"email":"a@b.c","password":"abcdef"}';

  test('a good one is read, with or without a character set', async () => {
    expect((await post(good)).status).toBe(200);
    expect((await post(good, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  });

  test('more than 64 kB is 413, announced or not', async () => {
    const huge = JSON.stringify({ email: 'a', password: 'x'.repeat(70_000) });
    expect((await post(huge)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 20; n++) controller.enqueue(new TextEncoder().encode('x'.repeat(5000)));
        controller.close();
      },
    });
    expect((await post(stream)).status).toBe(413);
  });

  test('anything but JSON is 415: text, forms, nothing said', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      '',
    ]) {
      expect((await post(good, { 'content-type': type })).status).toBe(415);
    }
  });

  test('a coded body is 415', async () => {
    const { status, text } = await post(good, { 'content-encoding': 'gzip' });
    expect([status, JSON.parse(text).code]).toEqual([415, 'unsupported_encoding']);
  });

  test('broken JSON, bytes that are not UTF-8, NUL, half characters and prototype keys are 400', async () => {
    const notUtf8 = new Uint8Array([
      ...new TextEncoder().encode('{"email":"'),
      0xff,
      ...new TextEncoder().encode('"}'),
    ]);
    const bad: BodyInit[] = [
      '{bad',
      '{"email":"a","password":"abcdef"',
      notUtf8,
      '{"email":"a\\u0000","password":"abcdef"}',
      '{"email":"\\ud800","password":"abcdef"}',
      '{"email":"a","password":"abcdef","__proto__":{"role":"admin"}}',
      '{"email":"a","password":"abcdef","\\u005f_proto__":{}}',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
    ];
    for (const body of bad) {
      const { status, text } = await post(body);
      expect([status, JSON.parse(text).code]).toEqual([400, 'malformed']);
    }
    expect(Object.prototype).not.toHaveProperty('role');
  });

  test('fields nobody asked for are dropped', async () => {
    const app = new Elysia()
      .use(errors)
      .use(bounds)
      .post('/echo', ({ body }) => body, {
        body: t.Object({ email: t.String() }),
      });
    const answer = await app.handle(
      new Request('http://localhost/echo', sending({ email: 'a', role: 'admin' })),
    );
    expect(await answer.json()).toEqual({ email: 'a' });
  });

  test('JSON that is no object is 400, also where every field may be left out', async () => {
    for (const body of [[], [{ following: true }], 'x', 7, true]) {
      const { status, text } = await knock('/api/join', sending(body));
      expect([body, status, JSON.parse(text).code]).toEqual([body, 400, 'malformed']);
    }
    expect((await knock('/api/join', sending({}))).status).toBe(200);
  });

  test('a call that may have a body may also have none', async () => {
    expect((await knock('/api/join', { method: 'POST' })).status).toBe(200);
    expect((await knock('/api/join', sending({}))).status).toBe(200);
    expect(
      (await knock('/api/join', { method: 'POST', headers: { 'content-type': 'application/json' } })).status,
    ).toBe(200);
    expect((await knock('/api/join', sending({ following: 'yes' }))).status).toBe(400);
  });
});

describe('addresses', () => {
  test('unknown ones are JSON 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const { status, json } = await call('/api/nope', { method });
      expect([status, json]).toEqual([404, { error: 'Address not found.', code: 'not_found' }]);
    }
    expect((await call('/api')).status).toBe(404);
    expect((await call('/api/stars/1/profile/more')).status).toBe(404);
  });

  test('a wrong method on a known one is 405 with Allow', async () => {
    for (const [path, method, allow] of [
      ['/api/stars', 'DELETE', 'GET, HEAD, OPTIONS'],
      ['/api/articles/7', 'PATCH', 'GET, HEAD, OPTIONS'],
      ['/api/articles/7/search-youtube', 'GET', 'POST, OPTIONS'],
    ] as const) {
      const { status, headers, json } = await call(path, { method });
      expect([status, headers.get('allow')]).toEqual([405, allow]);
      expect(json).toMatchObject({ code: 'method_not_allowed' });
    }
  });

  test('OPTIONS names the methods and grants nothing to other origins', async () => {
    const { status, headers } = await call('/api/stars', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('HEAD answers what GET does without a body', async () => {
    const get = await call('/api/stars');
    const head = await call('/api/stars', { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', get.headers.get('etag')]);
  });

  test('ids that are not positive 32-bit integers in plain digits are 404', async () => {
    await makeStar();
    for (const id of [
      '0',
      '01',
      '-1',
      '+1',
      '1.0',
      '1e0',
      '0x1',
      '2147483648',
      '99999999999',
      'abc',
      '%FF',
      '%00',
      ' 1',
      '1%20',
      '१',
    ]) {
      const { status, json } = await call(`/api/stars/${id}/profile`);
      expect([id, status, json]).toEqual([id, 404, { error: 'Address not found.', code: 'not_found' }]);
    }
  });

  test('a host name of one letter finds the same addresses', async () => {
    const { api } = await import('#api/app.ts');
    expect((await api.handle(new Request('http://x/api/stars'))).status).toBe(200);
  });
});

describe('query parameters', () => {
  test('numbers that are not plain digits within bounds are 400 with the field', async () => {
    for (const [field, values] of [
      ['limit', ['0', '101', '1e309', '0x10', '%20', '%2B1', '1.5', '', '-1', 'NaN', '007']],
      ['page', ['0', '1000001', '1e3', '99999999999999999999']],
    ] as const) {
      for (const value of values) {
        const { status, json } = await call(`/api/stars?${field}=${value}`);
        expect([value, status]).toEqual([value, 400]);
        expect(json).toMatchObject({ field });
      }
    }
    expect((await call('/api/articles?offset=1000001')).json).toMatchObject({ field: 'offset' });
    expect((await call('/api/articles?offset=1000000')).status).toBe(200);
    expect((await call('/api/stars?page=20000&limit=100')).json).toMatchObject({ field: 'page' });
  });

  test('unknown languages and malformed star lists are 400', async () => {
    for (const language of ['de', 'KO', 'ko-KR', '', '__proto__']) {
      expect((await call(`/api/articles?language=${language}`)).json).toMatchObject({ field: 'language' });
    }
    const tooMany = `[${Array.from({ length: 101 }, (_, index) => index + 1).join(',')}]`;
    for (const list of [
      '1,2',
      '{}',
      '[1,',
      '["1"]',
      '[1.5]',
      '[0]',
      '[-1]',
      '[1e3]',
      '[null]',
      '[[1]]',
      'null',
      tooMany,
    ]) {
      const { status, json } = await call(`/api/articles?starIds=${encodeURIComponent(list)}`);
      expect([list, status]).toEqual([list, 400]);
      expect(json).toMatchObject({ field: 'starIds' });
    }
    expect((await call('/api/articles?starIds=[]')).status).toBe(200);
    expect((await call('/api/articles?starIds=[%201,%202%20]')).status).toBe(200);
  });

  test('unknown ones are ignored, also those named like parts of a prototype', async () => {
    const plain = await call('/api/stars');
    const busted = await call('/api/stars?_t=1700000000&__proto__=1&constructor=2&toString=3');
    expect(busted.text).toBe(plain.text);
  });

  test('repeated ones are 400, and a made-up name does not come back', async () => {
    expect((await call('/api/stars?limit=1&limit=2')).json).toMatchObject({
      code: 'repeated',
      field: 'limit',
    });
    const { status, text } = await call('/api/stars?%3Cscript%3E=1&%3Cscript%3E=2');
    expect(status).toBe(400);
    expect(text).not.toContain('script');
  });

  test('what is not UTF-8 or has a NUL is 400', async () => {
    for (const query of ['search=%FF', 'search=%C0%80', 'search=a%00b', '%FF=1', 'search=%']) {
      expect((await call(`/api/stars?${query}`)).json).toMatchObject({ code: 'malformed' });
    }
  });

  test('line breaks in a value make no header', async () => {
    const { headers } = await call('/api/stars?search=a%0d%0aset-cookie:%20x=1&x=%0d%0ax-evil:%201');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('x-evil')).toBeNull();
  });
});

describe('caching', () => {
  test('a public read carries a weak ETag and is 304 when nothing changed', async () => {
    const first = await call('/api/stars');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(etag).toMatch(/^W\/"[0-9a-z]+"$/);
    for (const sentEtag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await call('/api/stars', { headers: { 'if-none-match': sentEtag } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    await makeStar();
    expect((await call('/api/stars', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('errors and everything that is not a public read are private', async () => {
    for (const path of ['/api/nope', '/api/stars?limit=0', '/api/articles/999999', '/api/detect-language']) {
      const { headers } = await call(path);
      expect([path, headers.get('cache-control'), headers.get('etag')]).toEqual([
        path,
        'private, no-store',
        null,
      ]);
    }
  });
});
