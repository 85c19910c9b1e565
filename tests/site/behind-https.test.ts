import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sending } from '#tests/kit/call.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

/** The site as it stands behind a proxy that speaks https: the process itself is asked by http. */
const origin = 'https://byeol.example';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ settings: { SITE_URL: origin } });
}, 300_000);
afterAll(() => server.stop());

const ask = (path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { redirect: 'manual', ...init, headers: { origin, ...init.headers } });
const form = (fields: Record<string, string>, cookie = ''): RequestInit => ({
  method: 'POST',
  headers: { cookie },
  body: new URLSearchParams(fields),
});
const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
const account = { email: 'https@mail.example', password: 'a long enough secret' };

test('a fan logs in, saves a form and logs out without JavaScript', async () => {
  const registered = await ask(
    '/api/auth/register',
    sending({ ...account, username: 'https_fan', confirmPassword: account.password }),
  );
  expect(registered.status).toBe(200);
  const entered = await ask('/login?lang=en', form(account));
  expect(entered.status).toBe(303);
  const cookie = cookiesOf(entered).join('; ');
  const saved = await ask('/profile?lang=en', form({ form: 'profile', displayName: 'Proxy' }, cookie));
  expect(saved.status).toBeLessThan(400);
  expect((await ask('/api/auth/me', { headers: { cookie } })).status).toBe(200);
  const { headers, ...rest } = form({});
  const foreign = await ask('/logout', { ...rest, headers: { ...headers, origin: 'https://evil.example' } });
  expect(cookiesOf(foreign)).toEqual([]);
  const loggedOut = await ask('/logout', form({}, cookie));
  expect([loggedOut.status, loggedOut.headers.get('location')]).toEqual([303, '/']);
  expect((await ask('/api/auth/me', { headers: { cookie } })).status).toBe(401);
}, 120_000);

test('the session is in a cookie that no sibling of the host can set', async () => {
  const [session = ''] = cookiesOf(await ask('/login', form(account)));
  expect(session).toStartWith('__Host-byeol_session=');
  const stranger = `byeol_session=${'0'.repeat(64)}`;
  const me = await ask('/api/auth/me', { headers: { cookie: `${stranger}; ${session}` } });
  expect(me.status).toBe(200);
});

test('an address that cannot be read is not there, and fills no log', async () => {
  const outputBefore = server.output();
  for (const path of ['/admin/articles/%zz', '/admin/stars/%E0%A4%A', '/admin/events/%'])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  // A letter of the tests before may be told of meanwhile, and a database that a busy machine keeps from answering.
  const told = server.output().slice(outputBefore.length).split('\n');
  expect(told.filter((line) => !/"msg":"the (?:database|bus) /.test(line)).join('\n')).not.toMatch(
    /admin|error/i,
  );
});
