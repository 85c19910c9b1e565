import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { ensureBuilt } from '#site/launch/build.ts';
import { type LogLine, logLines } from '#tests/kit/log-lines.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(300_000);

let server: TestServer;
let direct: TestServer;

beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer({ settings: { TRUSTED_PROXIES: '127.0.0.0/8, ::1' } });
  direct = await startTestServer({ databaseUrl: server.databaseUrl, settings: { JOBS: 'off' } });
}, 300_000);
afterAll(async () => {
  await direct?.stop();
  await server?.stop();
});

/** What must never be in a log, each of which is used below. */
const email = 'secret.fan@mail.example';
const password = 'a-password-of-7-moons';
const address = '203.0.113.77';
const message = 'my grandmother lives in Mapo';
const search = 'who-am-i-in-love-with';
const agent = 'CuriousPhone/7';

interface Session {
  token: string;
  user: { id: number };
}

const json = { 'content-type': 'application/json' };

async function ask(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { ...json, 'x-forwarded-for': address, 'user-agent': agent, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test('a log has lines of JSON with the route and the id of each call, and nothing of who made it', async () => {
  const registered = await ask('/api/auth/register', {
    email,
    username: 'secret_fan',
    displayName: 'Secret Fan',
    password,
    confirmPassword: password,
    language: 'en',
  });
  expect(registered.status).toBe(200);
  const { token, user }: Session = await registered.json();
  const bearer = { authorization: `Bearer ${token}` };
  expect((await ask('/api/auth/login', { email, password: `${password}!` })).status).toBe(401);
  expect((await ask('/api/community/channels/1/join', {}, bearer)).status).toBe(200);
  const sent = await ask('/api/community/channels/1/messages', { content: message, clientId: 'c1' }, bearer);
  expect(sent.status).toBeLessThan(300);
  expect((await ask(`/api/search?q=${search}`)).status).toBe(200);
  expect((await ask(`/en/search?q=${search}`)).status).toBe(200);
  expect((await ask('/api/auth/forgot', { email })).status).toBe(200);
  const link = await ask('/api/calendar/link', {}, bearer);
  const { url: calendar = '' }: { url?: string } = await link.json();
  const calendarPath = new URL(calendar).pathname;
  expect((await ask(calendarPath)).status).toBe(200);
  expect((await ask('/profile', undefined, { cookie: `byeol_session=${token}` })).status).toBe(200);

  // A letter with a link of its own goes out, and a failure of ours meets the words of a message in a statement of the database.
  const letters = async () => (await readdir(join(server.folder, 'outbox')).catch(() => [])).length;
  await until(async () => (await letters()) >= 2);
  const sql = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });
  await sql`alter table message_reports rename to reports_gone`;
  const [other] = await sql<{ id: number }[]>`
    select id from messages where user_id <> ${user.id} and channel_id = (select id from channels where star_id = 1) limit 1`;
  const report = `/api/community/channels/1/messages/${other?.id}/reports`;
  const reported = await ask(report, { reason: 'other', details: message }, bearer);
  await sql`alter table reports_gone rename to message_reports`;
  await sql.end();
  expect(reported.status).toBe(500);

  // What a process writes comes by another way than what it answers.
  const failureId = reported.headers.get('x-request-id') ?? 'none';
  const failureOf = (line: LogLine) => line.level === 'error' && line.requestId === failureId;
  await until(() => logLines(server.output()).some(failureOf));
  const lines = logLines(server.output());
  const called = lines.find(({ route }) => route === '/api/auth/register');
  expect(called).toMatchObject({ level: 'info', msg: 'answered', method: 'POST', status: 200 });
  expect(called?.requestId).toBe(registered.headers.get('x-request-id'));
  const failed = lines.find(failureOf);
  expect(failed).toMatchObject({ msg: 'a call failed' });
  expect(Object(failed?.err)).toMatchObject({ message: 'A query failed.', cause: { code: '42P01' } });
  expect(lines.map(({ route }) => route)).toContain('/calendar/*');
  const outbox = await readdir(join(server.folder, 'outbox'));
  const texts = await Promise.all(
    outbox.map((file) => readFile(join(server.folder, 'outbox', file), 'utf8')),
  );
  const mailed = texts.flatMap((text) => [
    ...text.replaceAll('=\n', '').matchAll(/token=(?:3D)?([0-9a-f]{64})/g),
  ]);
  expect(mailed.length).toBeGreaterThan(0);

  const everything = `${server.output()}\n${JSON.stringify(lines)}`;
  const secrets = [
    email,
    'secret.fan',
    'secret_fan',
    'Secret Fan',
    password,
    address,
    message,
    search,
    agent,
    token,
  ];
  const found = [...secrets, calendarPath, ...mailed.map(([, secret = 'none']) => secret)].filter((secret) =>
    everything.includes(secret),
  );
  expect(found).toEqual([]);
});

test('an id is taken from a trusted proxy, and from nobody else, and only if it looks like one', async () => {
  const idOf = async (origin: string, given: string) =>
    (await fetch(`${origin}/api/auth/me`, { headers: { 'x-request-id': given } })).headers.get(
      'x-request-id',
    );
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  expect(await idOf(server.url, 'proxy-0123456789')).toBe('proxy-0123456789');
  expect(await idOf(server.url, 'short')).toMatch(uuid);
  expect(await idOf(server.url, '"},{"level":"error"')).toMatch(uuid);
  expect(await idOf(direct.url, 'proxy-0123456789')).toMatch(uuid);
  expect(direct.output()).not.toContain('proxy-0123456789');
});

test('a page or a call for everyone has no id, which other caches would hand on, unless it failed', async () => {
  for (const path of ['/en/article/1', '/api/articles/1', '/api/events/1'])
    expect((await fetch(direct.url + path)).headers.get('x-request-id')).toBeNull();
  const sql = postgres(direct.databaseUrl, { max: 1, onnotice: () => {} });
  await sql`alter table star_aliases rename to star_aliases_gone`;
  await sql`alter table stars rename to stars_gone`;
  const failed = await fetch(`${direct.url}/en/star/2`);
  const failedCall = await fetch(`${direct.url}/api/articles/2`);
  await sql`alter table stars_gone rename to stars`;
  await sql`alter table star_aliases_gone rename to star_aliases`;
  await sql.end();
  expect([failed.status, failedCall.status]).toEqual([500, 500]);
  const lineOf = ({ headers }: Response) =>
    logLines(direct.output()).find(({ requestId }) => requestId === (headers.get('x-request-id') ?? 'none'));
  await until(() => lineOf(failed) !== undefined && lineOf(failedCall) !== undefined);
  expect(lineOf(failed)).toMatchObject({ level: 'error', msg: 'a page failed', route: '/:lang/star/:id' });
  expect(lineOf(failedCall)).toMatchObject({ msg: 'a call failed', route: '/api/articles/:id' });
});
