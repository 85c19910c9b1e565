import { describe, expect, test } from 'bun:test';
import { config, setConfig } from '#api/config.ts';
import { errors } from '#api/plugins/errors.ts';
import {
  hashToken,
  lucia,
  openSession,
  requireRole,
  session,
  sessionCookie,
  sessionCookiesFor,
  visitorOf,
} from '#api/plugins/session.ts';
import { connection } from '#db/client.ts';
import { bearer, call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeFan } from '#tests/kit/make.ts';

useDatabase();

const ask = (headers: Record<string, string>, method = 'GET') =>
  visitorOf(new Request('http://localhost:4321/api/stars', { method, headers }));

describe('who asks', () => {
  test('is known by the token as Bearer or as the cookie', async () => {
    const fan = await makeFan({ role: 'editor' });
    const expected = { id: fan.id, role: 'editor', sessionId: hashToken(fan.token) };
    expect(await ask(bearer(fan.token))).toMatchObject(expected);
    expect(await ask({ cookie: `theme=dark; ${sessionCookie()}=${fan.token}; x=1` })).toMatchObject(expected);
  });

  test('is nobody with a wrong, cut, foreign or empty token', async () => {
    const { token } = await makeFan();
    const wrong = [
      '',
      token.slice(1),
      `${token}0`,
      token.toUpperCase(),
      hashToken(token),
      'f'.repeat(64),
      "' or 1=1 --",
      `${token} x`,
    ];
    for (const each of wrong) expect(await ask({ authorization: `Bearer ${each}` })).toBeUndefined();
    for (const header of [token, `Basic ${token}`, 'Bearer'])
      expect(await ask({ authorization: header })).toBeUndefined();
    expect(await ask({ cookie: `x${sessionCookie()}=${token}` })).toBeUndefined();
  });

  test('is nobody after the session has ended or run out, or the account was deleted', async () => {
    const ended = await makeFan();
    await lucia().invalidateSession(hashToken(ended.token));
    expect(await ask(bearer(ended.token))).toBeUndefined();
    const late = await makeFan();
    await connection()`update sessions set expires_at = now() - interval '1 second' where user_id = ${late.id}`;
    expect(await ask(bearer(late.token))).toBeUndefined();
    expect(await ask(bearer((await makeFan({ deleted: true })).token))).toBeUndefined();
  });

  test('is not taken from the address', async () => {
    const { token } = await makeFan();
    const request = new Request(`http://localhost:4321/api/stars?token=${token}&${sessionCookie()}=${token}`);
    expect(await visitorOf(request)).toBeUndefined();
  });
});

describe('a session', () => {
  test('is kept as the SHA-256 of 256 random bits', async () => {
    const { id, token } = await makeFan();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const rows = await connection()<{ id: string }[]>`select id from sessions where user_id = ${id}`;
    expect(rows.map((row) => row.id)).toEqual([new Bun.CryptoHasher('sha256').update(token).digest('hex')]);
    expect((await openSession(id)).token).not.toBe(token);
  });

  test('grows while it is used', async () => {
    const { id, token } = await makeFan();
    await connection()`update sessions set expires_at = now() + interval '5 days' where user_id = ${id}`;
    await ask(bearer(token));
    const [row] = await connection()<{ days: number }[]>`
      select extract(day from expires_at - now())::int as days from sessions where user_id = ${id}`;
    expect(row?.days).toBeGreaterThanOrEqual(29);
  });

  test('travels in a cookie that scripts and other sites cannot use, beside a mark without a secret, over https only where the site is', () => {
    const before = config();
    const attributes = 'SameSite=Lax; Max-Age=2592000';
    expect(sessionCookiesFor('t')).toEqual([
      `byeol_session=t; Path=/; HttpOnly; ${attributes}`,
      `byeol_user=1; Path=/; ${attributes}`,
    ]);
    setConfig({ ...before, siteUrl: 'https://byeol.example' });
    for (const cookie of sessionCookiesFor('t')) expect(cookie).toEndWith('; Secure');
    for (const cookie of sessionCookiesFor(undefined)) expect(cookie).toMatch(/^[\w-]+=; .*Max-Age=0/);
    setConfig(before);
  });
});

describe('a writing call', () => {
  const path = async () => `/api/articles/${await makeArticle()}/search-youtube`;

  test('needs a session, then the role or a higher one', async () => {
    const to = await path();
    const status = async (headers: Record<string, string>) =>
      (await call(to, { method: 'POST', headers })).status;
    expect(await status({})).toBe(401);
    expect(await status(bearer('f'.repeat(64)))).toBe(401);
    expect(await status(bearer((await makeFan()).token))).toBe(403);
    expect(await status(bearer((await makeFan({ role: 'editor' })).token))).toBe(200);
    expect(await status(bearer((await makeFan({ role: 'admin' })).token))).toBe(200);
  });

  test('that only the cookie vouches for must come from our own pages', async () => {
    const to = await path();
    const { token } = await makeFan({ role: 'admin' });
    const cookie = `${sessionCookie()}=${token}`;
    const status = async (headers: Record<string, string>) =>
      (await call(to, { method: 'POST', headers })).status;
    expect(await status({ cookie })).toBe(403);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:4321.evil.example',
      'http://localhost',
      'https://localhost:4321',
    ]) {
      expect([origin, await status({ cookie, origin })]).toEqual([origin, 403]);
    }
    expect(await status({ cookie, origin: 'http://localhost:4321' })).toBe(200);
    expect(await status({ ...bearer(token), origin: 'https://evil.example' })).toBe(200);
    expect((await call('/api/stars', { headers: { cookie, origin: 'https://evil.example' } })).status).toBe(
      200,
    );
  });

  test('is refused before anything that was sent is judged', async () => {
    const { Elysia, t } = await import('elysia');
    const app = new Elysia()
      .use(errors)
      .use(session)
      .post('/rule', ({ visitor }) => visitor.role, { role: 'admin', body: t.Object({ notes: t.String() }) });
    const status = async (headers: Record<string, string>, body: unknown) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      return (await app.handle(new Request('http://localhost/rule', { ...init, body: JSON.stringify(body) })))
        .status;
    };
    expect(await status({}, {})).toBe(401);
    expect(await status(bearer((await makeFan()).token), {})).toBe(403);
    const admin = bearer((await makeFan({ role: 'admin' })).token);
    expect([await status(admin, {}), await status(admin, { notes: '' })]).toEqual([400, 200]);
  });

  test('asks for a login with a challenge', async () => {
    const { headers, json } = await call(await path(), { method: 'POST' });
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(json).toEqual({ error: 'Log in first.', code: 'unauthenticated' });
  });
});

test('roles are ranked: an admin may what an editor may', async () => {
  const asking = async (role: 'user' | 'editor' | 'admin') =>
    new Request('http://localhost:4321/', { headers: bearer((await makeFan({ role })).token) });
  expect((await requireRole(await asking('admin'), 'user')).role).toBe('admin');
  expect(requireRole(await asking('editor'), 'admin')).rejects.toMatchObject({ status: 403 });
});
