import { describe, expect, test } from 'bun:test';
import { config } from '#api/config.ts';
import { storageKey } from '#content/site.ts';
import { callApiFor } from '#site/lib/accounts/forms.ts';
import { requestOf } from '#site/lib/http/api-call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan } from '#tests/kit/make.ts';

useDatabase();

describe('a call to the API', () => {
  test('has its values in the address, whatever letters they have, and lists as JSON text', () => {
    const [address, init] = requestOf('get', '/api/stars/:id/photos', {
      params: { id: 'a/b?ㅎ' },
      query: { starIds: [1, 2], category: undefined, limit: 5 },
    });
    expect(address).toBe('/api/stars/a%2Fb%3F%E3%85%8E/photos?starIds=%5B1%2C2%5D&limit=5');
    expect(init).toEqual({ method: 'GET', headers: {} });
  });

  test('has its body as JSON', () => {
    expect(requestOf('put', '/api/auth/profile', { body: { displayName: '별' } })).toEqual([
      '/api/auth/profile',
      { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"displayName":"별"}' },
    ]);
  });
});

describe('a form without JavaScript', () => {
  const posted = (headers: Record<string, string>) =>
    new Request(new URL('/profile', config().siteUrl), { method: 'POST', headers });
  const cookieOf = async () => `${storageKey}_session=${(await makeFan()).token}`;

  test('calls the API with the cookie and the origin of the browser that sent it', async () => {
    const { origin } = new URL(config().siteUrl);
    const request = posted({ cookie: await cookieOf(), origin });
    const { status, answer } = await callApiFor(request, 'put', '/api/auth/profile', {
      body: { displayName: '별님' },
    });
    expect([status, answer?.user.displayName]).toEqual([200, '별님']);
  });

  test('is refused as that browser would be, and hears why', async () => {
    const body = { displayName: '별님' };
    const guest = await callApiFor(posted({}), 'put', '/api/auth/profile', { body });
    expect([guest.status, guest.error?.code]).toEqual([401, 'unauthenticated']);
    const request = posted({ cookie: await cookieOf(), origin: 'https://evil.example' });
    const stranger = await callApiFor(request, 'put', '/api/auth/profile', { body });
    expect([stranger.status, stranger.answer]).toEqual([403, undefined]);
  });

  test('may have any word where a list has a few: the API judges it', async () => {
    const { origin } = new URL(config().siteUrl);
    const request = posted({ cookie: await cookieOf(), origin });
    const { status, error } = await callApiFor(request, 'put', '/api/auth/profile', {
      body: { language: 'tlh' },
    });
    expect([status, error?.field]).toEqual([400, 'language']);
  });
});
