import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import webpush from 'web-push';
import { config, setConfig } from '#api/config.ts';
import { sessionCookie } from '#api/plugins/session.ts';
import { findVapidKeys, vapidKeys } from '#api/push/keys.ts';
import { sendDueReminders } from '#api/reminders/reminders.ts';
import { connection } from '#db/client.ts';
import { takeDueReminders } from '#db/queries/reminders/reminders.ts';
import { refusal } from '#tests/kit/backups.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeFan } from '#tests/kit/make.ts';
import { type Browser, type PushService, startPushService } from '#tests/kit/push-service.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();
let service: PushService;
let folder: string;
let publicKey: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'byeol-push-'));
  setConfig({ ...config(), dataDir: folder });
  ({ publicKey } = await vapidKeys());
  service = startPushService(() => publicKey);
}, 300_000);
beforeEach(() => {
  service.received.length = 0;
  setConfig({ ...config(), fetchAllow: ['127.0.0.1/32'] });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

type Fan = Awaited<ReturnType<typeof makeFan>>;

const save = ({ token }: Fan, body: unknown) =>
  call('/api/push/subscriptions', {
    ...sending(body),
    headers: { ...bearer(token), 'content-type': 'application/json' },
  });
const end = ({ token }: Fan, endpoint: string) =>
  call('/api/push/subscriptions', {
    ...sending({ endpoint }, 'DELETE'),
    headers: { ...bearer(token), 'content-type': 'application/json' },
  });

/** Binds a browser of the stand-in, whose address on loopback the door refuses, whatever FETCH_ALLOW names. */
async function bind(fan: Fan, browser: Browser): Promise<void> {
  const { p256dh, auth } = browser.keys;
  await connection()`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
    select user_id, id, ${browser.endpoint}, ${p256dh}, ${auth} from sessions where user_id = ${fan.id} limit 1`;
}

async function remind(...fans: Fan[]): Promise<number> {
  const event = await makeEvent({
    start: new Date(Date.now() + 3 * 86_400_000),
    titles: { en: 'Sea Concert', ko: '바다 콘서트' },
  });
  for (const fan of fans)
    await call(`/api/events/${event}/subscribe`, {
      ...sending({ notificationSettings: { email: false, times: ['1d'] } }),
      headers: { ...bearer(fan.token), 'content-type': 'application/json' },
    });
  await due(event);
  return event;
}
const due = (event: number) =>
  connection()`update reminders set due_at = now(), next_at = now() where event_id = ${event} and state = 'planned'`;
async function stateOf(event: number): Promise<string[]> {
  const rows = await connection()<{ line: string }[]>`
    select concat_ws(' ', channel, state, reason) as line from reminders where event_id = ${event}`;
  return rows.map(({ line }) => line);
}
/** A push service that says nothing. */
async function startSilentService() {
  const open = new Set<Socket>();
  const server = createServer((socket) => void open.add(socket.on('error', () => {})));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    open,
    browser: (): Browser => {
      const browser = service.browser();
      return { ...browser, endpoint: `http://127.0.0.1:${port}${new URL(browser.endpoint).pathname}` };
    },
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
const countSubscriptions = async (fan: Fan) =>
  (await connection()`select from push_subscriptions where user_id = ${fan.id}`).length;

describe('our keys', () => {
  test('are made once, told to browsers, and readable by the owner of the machine alone', async () => {
    const { json } = await call('/api/push/key');
    expect(json).toEqual({ publicKey });
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
    const file = join(folder, 'vapid.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { privateKey } = JSON.parse(await readFile(file, 'utf8'));
    expect(JSON.stringify(json)).not.toContain(privateKey);
    setConfig({ ...config(), dataDir: `${folder}/.` });
    expect((await vapidKeys()).publicKey).toBe(publicKey);
    setConfig({ ...config(), dataDir: folder });
  });

  test('that a full disk does not take are made when it has room again', async () => {
    const full = await mkdtemp(join(tmpdir(), 'byeol-full-'));
    const draft = join(full, `vapid.json.${process.pid}.part`);
    await symlink('/dev/full', draft);
    setConfig({ ...config(), dataDir: full });
    expect(await vapidKeys().catch(({ code }) => code)).toBe('ENOSPC');
    expect(await readdir(full)).toEqual([]);
    expect(await vapidKeys()).toHaveProperty('publicKey');
    setConfig({ ...config(), dataDir: folder });
    await rm(full, { recursive: true });
  });
});

test('a file of keys that is damaged is named, and no new keys take its place', async () => {
  const damaged = await mkdtemp(join(tmpdir(), 'byeol-damaged-'));
  const file = join(damaged, 'vapid.json');
  setConfig({ ...config(), dataDir: damaged });
  for (const text of ['', '{"publicKey":"BJ', '{}', 'null', '{"publicKey":"BJ","privateKey":"x"}']) {
    await writeFile(file, text);
    const said = `${file} has no keys of web push that can be read: put it back from a backup, or move it away to have new ones made, which browsers take when their owner opens the profile.`;
    expect(await refusal(findVapidKeys())).toBe(said);
    expect(await refusal(vapidKeys())).toBe(said);
    expect(await readFile(file, 'utf8')).toBe(text);
  }
  setConfig({ ...config(), dataDir: folder });
  await rm(damaged, { recursive: true });
});

describe('keys that are changed', () => {
  const before = config();
  afterAll(async () => {
    setConfig({ ...config(), dataDir: folder, vapid: undefined, formerVapid: before.formerVapid });
    ({ publicKey } = await vapidKeys());
  });

  /** Reminds a fan whose browsers subscribed before and after. @returns how many of them took it */
  async function remindAll(fan: Fan, browsers: Browser[]): Promise<number> {
    for (const browser of browsers) await bind(fan, browser);
    const event = await remind(fan);
    await sendDueReminders();
    expect(await stateOf(event)).toEqual(['push sent']);
    return service.received.length;
  }

  test('in DATA_DIR leave those behind that browsers subscribed to, and nobody is signed out', async () => {
    const fan = await makeFan();
    const early = service.browser();
    // One that is damaged keeps nobody from the others.
    await writeFile(join(folder, 'vapid-2025.json'), '{"publicKey":');
    await rename(join(folder, 'vapid.json'), join(folder, 'vapid-2026.json'));
    // As another process reads them.
    setConfig({
      ...config(),
      dataDir: `${folder}/./.`,
      metricsToken: 'another one',
      fetchAllow: ['127.0.0.1/32'],
    });
    const now = await vapidKeys();
    expect(now.publicKey).not.toBe(publicKey);
    expect((await call('/api/push/key')).json).toEqual({ publicKey: now.publicKey });
    publicKey = now.publicKey;
    expect(await remindAll(fan, [early, service.browser()])).toBe(2);
    expect((await call('/api/auth/me', { headers: bearer(fan.token) })).status).toBe(200);
  });

  test('in the settings name the former ones, and what stood in DATA_DIR is one of them', async () => {
    const fan = await makeFan();
    const fromFolder = service.browser();
    const [former, now] = [webpush.generateVAPIDKeys(), webpush.generateVAPIDKeys()];
    ({ publicKey } = former);
    const fromSettings = service.browser();
    ({ publicKey } = now);
    setConfig({ ...config(), vapid: now, formerVapid: [former], fetchAllow: ['127.0.0.1/32'] });
    expect(await remindAll(fan, [fromFolder, fromSettings, service.browser()])).toBe(3);
    service.received.length = 0;
    setConfig({ ...config(), formerVapid: [] });
    const event = await remind(fan);
    await sendDueReminders();
    expect([service.received.length, await stateOf(event)]).toEqual([2, ['push sent']]);
  });
});

describe('a push reminder', () => {
  test('reaches every browser of the fan, sealed for it and signed by us, in the fan’s language', async () => {
    const fan = await makeFan();
    await connection()`update users set language = 'en' where id = ${fan.id}`;
    const browsers = [service.browser(), service.browser()];
    for (const browser of browsers) await bind(fan, browser);
    const event = await remind(fan);
    await Promise.all([sendDueReminders(), sendDueReminders()]);
    await sendDueReminders();
    expect(service.received).toHaveLength(2);
    const [first, second] = service.received;
    expect(first?.notice).toMatchObject({
      title: 'Sea Concert starts in 3 days',
      lang: 'en',
      url: `/en/events/${event}`,
      tag: expect.stringContaining('1d-push'),
    });
    expect(first?.notice.body).toStartWith('When: ');
    expect([first?.topic?.length, first?.topic]).toEqual([32, second?.topic]);
    expect(first?.ttl).toBeGreaterThan(2 * 86_400);
    expect(first?.claims.sub).toBe('mailto:no-reply@localhost');
    expect(await stateOf(event)).toEqual(['push sent']);
  });

  test('tries a browser again whose service was busy, and only that one', async () => {
    const fan = await makeFan();
    const [ready, busy] = [service.browser(), service.browser()];
    for (const browser of [ready, busy]) await bind(fan, browser);
    service.answer(busy, 503);
    const event = await remind(fan);
    await sendDueReminders();
    expect(await stateOf(event)).toEqual(['push planned']);
    service.answer(busy, undefined);
    await due(event);
    await sendDueReminders();
    expect(service.received.map(({ browser }) => browser)).toEqual(
      [ready, busy].map(({ endpoint }) => Number(endpoint.split('/').at(-1))),
    );
    expect(await stateOf(event)).toEqual(['push sent']);
  });

  test('to a push service that says nothing holds up nobody else’s', async () => {
    const [hanging, other] = [await makeFan(), await makeFan()];
    const silent = await startSilentService();
    await bind(hanging, silent.browser());
    await bind(other, service.browser());
    const stuck: number[] = [];
    for (let each = 0; each < 30; each += 1) stuck.push(await remind(hanging));
    const event = await remind(other);
    const began = new Date().toISOString();
    const sending = sendDueReminders();
    await until(async () => (await stateOf(event)).includes('push sent'));
    expect(service.received).toHaveLength(1);
    // The second after the first, where this machine was slow.
    expect([1, 2]).toContain(silent.open.size);
    silent.stop();
    await sending;
    const rows = await connection()<{ attempts: number; waits: boolean }[]>`
      select attempts, next_at > ${began}::timestamptz + interval '50 seconds' as waits from reminders
      where event_id = any(${stuck})`;
    expect(rows.every(({ waits }) => waits)).toBe(true);
    // The twenty that were taken first and the ten after them: of either, one was tried, and the others have lost no try.
    expect(rows.filter(({ attempts }) => attempts > 0).map(({ attempts }) => attempts)).toEqual([1, 1]);
    // They come again with what was tried, and not with first tries.
    await connection()`update reminders set next_at = now() where event_id = any(${stuck}) and attempts = 0`;
    const wish = { limit: 50, except: [] };
    expect(await takeDueReminders('push', { ...wish, withRepeats: false })).toEqual([]);
    expect(await takeDueReminders('push', { ...wish, withRepeats: true })).toHaveLength(28);
  });

  test('that is tried again goes after all first tries, and as many at once', async () => {
    const silent = await startSilentService();
    const hanging = await Promise.all(Array.from({ length: 25 }, () => makeFan()));
    for (const fan of hanging) await bind(fan, silent.browser());
    const stuck = await remind(...hanging);
    await connection()`update reminders set attempts = 1 where event_id = ${stuck}`;
    const others = await Promise.all(Array.from({ length: 22 }, () => makeFan()));
    for (const fan of others) await bind(fan, service.browser());
    const event = await remind(...others);
    const sending = sendDueReminders();
    await until(() => silent.open.size > 0, 60_000);
    const unsent = await connection()`select from reminders where event_id = ${event} and state = 'planned'`;
    expect(unsent).toHaveLength(0);
    await until(() => silent.open.size >= 20);
    silent.stop();
    await sending;
    expect(new Set(await stateOf(event))).toEqual(new Set(['push sent']));
    const given =
      await connection()`select from reminders where event_id = ${stuck} and state = 'planned' and attempts = 2`;
    expect(given).toHaveLength(25);
  }, 300_000);

  test('forgets a browser that has unsubscribed, and says that none is left', async () => {
    for (const status of [404, 410]) {
      const fan = await makeFan();
      const browser = service.browser();
      await bind(fan, browser);
      service.answer(browser, status);
      const event = await remind(fan);
      await sendDueReminders();
      expect([await countSubscriptions(fan), await stateOf(event)]).toEqual([0, ['push skipped no_device']]);
    }
    const without = await remind(await makeFan());
    await sendDueReminders();
    expect(await stateOf(without)).toEqual(['push skipped no_device']);
  });

  test('ends with the session that asked for it', async () => {
    const fan = await makeFan();
    await bind(fan, service.browser());
    expect((await call('/api/auth/logout', { method: 'POST', headers: bearer(fan.token) })).status).toBe(200);
    expect(await countSubscriptions(fan)).toBe(0);
  });

  test('never reaches our own network, whatever stands in the table', async () => {
    setConfig({ ...config(), fetchAllow: [] });
    const fan = await makeFan();
    await bind(fan, service.browser());
    const event = await remind(fan);
    await sendDueReminders();
    expect(service.received).toEqual([]);
    expect(await stateOf(event)).toEqual(['push skipped refused']);
  });
});

describe('a browser', () => {
  const input = (endpoint = 'https://93.184.215.14/push/abc') => ({ ...service.browser(), endpoint });

  test('is kept once, comes back for another account, and leaves', async () => {
    const [fan, other] = [await makeFan(), await makeFan()];
    const subscription = input('https://93.184.215.14/push/mine');
    expect((await save(fan, subscription)).json).toEqual({ subscribed: true });
    await save(fan, subscription);
    expect(await countSubscriptions(fan)).toBe(1);
    const thief = await save(other, { ...subscription, keys: service.browser().keys });
    expect([thief.status, thief.json]).toMatchObject([409, { field: 'endpoint' }]);
    await end(other, subscription.endpoint);
    expect(await countSubscriptions(fan)).toBe(1);
    await save(other, subscription);
    expect([await countSubscriptions(fan), await countSubscriptions(other)]).toEqual([0, 1]);
    for (let n = 0; n < 2; n += 1)
      expect((await end(other, subscription.endpoint)).json).toEqual({ subscribed: false });
    expect(await countSubscriptions(other)).toBe(0);
  });

  test('goes on to be notified when its fan logs in there again, and not when somebody else does', async () => {
    const [email, password] = ['again@byeol.example', '밤하늘의 별 72'];
    const input = { email, username: 'again_1', password, confirmPassword: password };
    const { json } = await call('/api/auth/register', sending(input));
    const { token, user } = json as { token: string; user: { id: number } };
    const fan = { id: user.id, token } as Fan;
    await save(fan, { ...service.browser(), endpoint: 'https://93.184.215.14/push/again' });
    const logInFrom = async (session: string) => {
      const login = sending({ email, password });
      return call('/api/auth/login', { ...login, headers: { ...login.headers, ...bearer(session) } });
    };
    const next = (await logInFrom(token)).json as { token: string };
    expect(await countSubscriptions(fan)).toBe(1);
    expect((await call('/api/auth/me', { headers: bearer(token) })).status).toBe(401);
    const other = await makeFan();
    await save(other, { ...service.browser(), endpoint: 'https://93.184.215.14/push/other' });
    await logInFrom(other.token);
    expect(await countSubscriptions(other)).toBe(0);
    await end({ ...fan, ...next }, 'https://93.184.215.14/push/again');
    expect(await countSubscriptions(fan)).toBe(0);
  });

  test('of an account is one of ten at most: a new one pushes the oldest out', async () => {
    const fan = await makeFan();
    for (let n = 0; n < 12; n += 1) await save(fan, input(`https://93.184.215.14/push/${fan.id}-${n}`));
    const rows = await connection()<{ endpoint: string }[]>`
      select endpoint from push_subscriptions where user_id = ${fan.id} order by id`;
    expect([rows.length, rows[0]?.endpoint.endsWith('-2')]).toEqual([10, true]);
  });

  test('is refused where it would make us knock at doors of our own', async () => {
    const fan = await makeFan();
    for (const endpoint of [
      'http://93.184.215.14/push',
      'https://127.0.0.1/push',
      'https://localhost/push',
      'https://[::1]/push',
      'https://10.0.0.7/push',
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:127.0.0.1]/push',
      'https://0x7f000001/push',
      'https://2130706433/',
      'https://database/push',
      'https://93.184.215.14:5432/push',
      'https://me:secret@93.184.215.14/push',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'push',
      '',
      `https://93.184.215.14/${'x'.repeat(1100)}`,
    ]) {
      const { status, json } = await save(fan, { ...service.browser(), endpoint });
      expect([endpoint.slice(0, 50), status, json]).toMatchObject([
        endpoint.slice(0, 50),
        400,
        { field: 'endpoint' },
      ]);
    }
    expect(await countSubscriptions(fan)).toBe(0);
  });

  test('needs keys that can be keys, and a session', async () => {
    const fan = await makeFan();
    const good = input();
    for (const [keys, field] of [
      [{ ...good.keys, auth: 'short' }, 'keys.auth'],
      [{ ...good.keys, p256dh: 'AAAA' }, 'keys.p256dh'],
      [{ ...good.keys, p256dh: `${'!'.repeat(87)}` }, 'keys.p256dh'],
      [{}, 'keys'],
      [undefined, 'keys'],
    ] as const) {
      const { status, json } = await save(fan, { endpoint: good.endpoint, keys });
      expect([status, json]).toMatchObject([400, { field: expect.stringContaining(field) }]);
    }
    expect((await call('/api/push/subscriptions', sending(good))).status).toBe(401);
    const foreign = await call('/api/push/subscriptions', {
      ...sending(good),
      headers: {
        'content-type': 'application/json',
        cookie: `${sessionCookie()}=${fan.token}`,
        origin: 'https://evil.example',
      },
    });
    expect(foreign.status).toBe(403);
  });
});
