import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config, setConfig } from '#api/config.ts';
import { sendDueReminders } from '#api/reminders/reminders.ts';
import { connection } from '#db/client.ts';
import { root } from '#site/launch/root.ts';
import { bearer, call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { environment } from '#tests/kit/environment.ts';
import { type MailServer, type Received, startMailServer, textOf } from '#tests/kit/mail-server.ts';
import { makeEvent, makeFan } from '#tests/kit/make.ts';
import { until } from '#tests/kit/until.ts';

const database = useDatabase();
let mail: MailServer;
let folder: string;

beforeAll(async () => {
  mail = await startMailServer();
  folder = await mkdtemp(join(tmpdir(), 'byeol-reminders-'));
  setConfig({ ...config(), smtpUrl: mail.url, dataDir: folder });
}, 300_000);
beforeEach(async () => {
  mail.refuseWith(undefined);
  mail.hold(false);
  mail.received.length = 0;
  await connection()`delete from reminders`;
  await connection()`update event_changes set handled_at = now()`;
});
afterAll(async () => {
  await mail.stop();
  await rm(folder, { recursive: true, force: true });
});

const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const days = (count: number) => minutes(count * 1440);

interface Reader {
  id: number;
  token: string;
  email: string;
}

async function makeReader(language = 'en', isVerified = true): Promise<Reader> {
  const fan = await makeFan();
  const email = `reader${fan.id}@fans.example`;
  await connection()`update users set email = ${email}, email_key = ${email}, language = ${language},
    email_verified_at = ${isVerified ? new Date().toISOString() : null} where id = ${fan.id}`;
  return { ...fan, email };
}

async function subscribe(
  { token }: Reader,
  event: number,
  settings: object = {},
  method = 'POST',
): Promise<void> {
  const { status } = await call(`/api/events/${event}/subscribe`, {
    method,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ notificationSettings: { push: false, ...settings } }),
  });
  expect(status).toBe(200);
}

/** Lets the time come for which reminders were planned. */
async function letItBeTime(event: number, time = '%'): Promise<void> {
  await connection()`update reminders set due_at = now() - interval '1 second', next_at = now() - interval '1 second'
    where event_id = ${event} and state = 'planned' and time like ${time}`;
}

async function planOf(event: number): Promise<string[]> {
  const rows = await connection()<{ line: string }[]>`
    select concat_ws(' ', 'v' || version, time, channel, state, reason) as line from reminders
    where event_id = ${event} order by version, due_at, time, channel`;
  return rows.map(({ line }) => line);
}

const sweep = () => sendDueReminders();
const header = ({ text }: Received, name: string) =>
  text
    .replace(/\r?\n[ \t]+/g, ' ')
    .match(new RegExp(`^${name}: (.*)$`, 'im'))?.[1]
    ?.trim() ?? '';
const decoded = (text: string) =>
  text.replace(/=\?UTF-8\?([BQ])\?(.*?)\?=(?: (?==\?))?/gi, (_, kind: string, inner: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(inner, 'base64').toString('utf8')
      : Buffer.from(
          inner
            .replaceAll('_', ' ')
            .replace(/=([0-9A-F]{2})/gi, (__, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString('utf8'),
  );
const subjects = () => mail.received.map((letter) => decoded(header(letter, 'Subject')));

describe('reminders are planned', () => {
  test('with the subscription, for each time and channel; a time that has passed is skipped and says so', async () => {
    const [event, fan] = [await makeEvent({ start: minutes(180) }), await makeReader()];
    await subscribe(fan, event, { push: true, times: ['1d', '1h', '15m'] });
    expect(await planOf(event)).toEqual([
      'v1 1d email skipped past',
      'v1 1d push skipped past',
      'v1 1h email planned',
      'v1 1h push planned',
      'v1 15m email planned',
      'v1 15m push planned',
    ]);
  });

  test('anew with the settings, and not at all without a subscription', async () => {
    const [event, fan] = [await makeEvent({ start: days(9) }), await makeReader()];
    await subscribe(fan, event);
    await subscribe(fan, event, { push: true, email: false, times: ['1w', '1h'] }, 'PUT');
    expect(await planOf(event)).toEqual(['v1 1w push planned', 'v1 1h push planned']);
    await call(`/api/events/${event}/subscribe`, { method: 'DELETE', headers: bearer(fan.token) });
    expect(await planOf(event)).toEqual([]);
  });

  test('once, however many tabs subscribe and change at once', async () => {
    const [event, fan] = [await makeEvent({ start: days(9) }), await makeReader()];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => subscribe(fan, event, { times: n % 2 ? ['1d'] : ['1d', '1h'] })),
    );
    await subscribe(fan, event, { times: ['1d', '1h'] });
    expect(await planOf(event)).toEqual(['v1 1d email planned', 'v1 1h email planned']);
  });
});

describe('a reminder is sent', () => {
  test('when it is due, in the fan’s language, with time, place and the way out; and never again', async () => {
    const event = await makeEvent({
      start: new Date('2099-01-01T10:00:00Z'),
      titles: { en: 'Sea Concert', ko: '바다 콘서트' },
      venue: 'Hall 3',
      location: 'Busan',
    });
    const [english, korean] = [await makeReader('en'), await makeReader('ko')];
    for (const fan of [english, korean]) await subscribe(fan, event);
    await sweep();
    expect(mail.received).toEqual([]);
    await letItBeTime(event, '1d');
    await sweep();
    await sweep();
    expect(mail.received.map(({ to }) => to[0]).sort()).toEqual([english.email, korean.email].sort());
    const letter = mail.received.find(({ to }) => to[0] === english.email);
    const text = textOf(letter?.text ?? '');
    expect(text).toContain('When: Thursday, 1 January 2099 19:00 (Korean Standard Time)');
    expect(text).toContain('Where: Hall 3, Busan');
    expect(text).toContain(`http://localhost:4321/en/events/${event}`);
    expect(text).toContain('http://localhost:4321/profile?lang=en#my-events');
    const other = mail.received.find(({ to }) => to[0] === korean.email);
    expect(textOf(other?.text ?? '')).toContain('2099년 1월 1일 목요일 19:00 (한국 표준시)');
    expect(await planOf(event)).toContain('v1 1d email sent');
  });

  test('with how long it still is', async () => {
    const event = await makeEvent({
      // A slow machine has minutes until the reminder is due; an hour and a third is said to be an hour.
      start: minutes(80),
      titles: { en: 'Sea Concert', vi: 'Hòa nhạc biển' },
    });
    for (const language of ['en', 'vi'])
      await subscribe(await makeReader(language), event, { times: ['1h'] });
    await letItBeTime(event);
    await sweep();
    expect(subjects().sort()).toEqual([
      'Hòa nhạc biển bắt đầu sau 1 giờ nữa',
      'Sea Concert starts in 1 hour',
    ]);
  });

  test('once, also when the fan leaves and comes back or chooses the time again', async () => {
    const [event, fan] = [await makeEvent({ start: days(3) }), await makeReader()];
    await subscribe(fan, event, { times: ['2d'] });
    await letItBeTime(event);
    await sweep();
    await call(`/api/events/${event}/subscribe`, { method: 'DELETE', headers: bearer(fan.token) });
    await subscribe(fan, event, { times: ['1d'] });
    await subscribe(fan, event, { times: ['2d', '1d'] });
    await letItBeTime(event, '2d');
    await sweep();
    expect(mail.received).toHaveLength(1);
  });

  test('not to an address that nobody has proved, nor without one, nor after the start', async () => {
    const event = await makeEvent({ start: minutes(200) });
    const [unproved, without, late] = [await makeReader('en', false), await makeReader(), await makeReader()];
    await connection()`update users set email = null, email_key = null where id = ${without.id}`;
    for (const fan of [unproved, without]) await subscribe(fan, event, { times: ['1h'] });
    const begun = await makeEvent({ start: minutes(200) });
    await subscribe(late, begun, { times: ['1h'] });
    await connection()`alter table events disable trigger events_noticed`;
    await connection()`update events set start_time = now() - interval '1 minute' where id = ${begun}`;
    await connection()`alter table events enable trigger events_noticed`;
    for (const each of [event, begun]) await letItBeTime(each);
    await sweep();
    expect(mail.received).toEqual([]);
    expect((await planOf(event)).sort()).toEqual([
      'v1 1h email skipped no_address',
      'v1 1h email skipped unverified',
    ]);
    expect(await planOf(begun)).toEqual(['v1 1h email skipped late']);
  });

  test('alone when the site was away and two are due for the same start', async () => {
    const [event, fan] = [await makeEvent({ start: minutes(90) }), await makeReader()];
    await subscribe(fan, event, { times: ['1h', '15m'] });
    await connection()`update reminders set next_at = now(), due_at = now() - case time when '1h' then interval '9 minutes'
      else interval '1 minute' end where event_id = ${event}`;
    await sweep();
    expect(mail.received).toHaveLength(1);
    expect(await planOf(event)).toEqual(['v1 1h email skipped overtaken', 'v1 15m email sent']);
  });

  test('later when the mail server is busy, never when it refuses, and not for ever', async () => {
    const [event, fan] = [await makeEvent({ start: days(3) }), await makeReader()];
    await subscribe(fan, event, { times: ['1d', '1h'] });
    mail.refuseWith(451);
    await letItBeTime(event, '1d');
    await sweep();
    expect((await planOf(event))[0]).toBe('v1 1d email planned');
    await sweep();
    mail.refuseWith(undefined);
    await letItBeTime(event, '1d');
    await sweep();
    expect(mail.received).toHaveLength(1);
    mail.refuseWith(550);
    await letItBeTime(event, '1h');
    await sweep();
    expect(await planOf(event)).toEqual(['v1 1d email sent', 'v1 1h email skipped refused']);
    const other = await makeEvent({ start: days(3) });
    await subscribe(fan, other, { times: ['1h'] });
    mail.refuseWith(421);
    for (let n = 0; n < 6; n += 1) {
      await letItBeTime(other);
      await sweep();
    }
    expect(await planOf(other)).toEqual(['v1 1h email skipped failed']);
  });
});

describe('an event that changes', () => {
  test('takes its reminders along and tells its subscribers old and new time, once', async () => {
    const event = await makeEvent({ start: new Date('2099-01-01T10:00:00Z'), titles: { en: 'Sea Concert' } });
    const fan = await makeReader();
    await subscribe(fan, event, { times: ['1d', '1h'] });
    await letItBeTime(event, '1d');
    await sweep();
    await connection()`update events set start_time = '2099-01-08T11:30:00Z' where id = ${event}`;
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(mail.received).toHaveLength(2);
    expect(subjects()[1]).toBe('Sea Concert has a new date or time');
    const text = textOf(mail.received[1]?.text ?? '');
    expect(text).toContain('Before: Thursday, 1 January 2099 19:00 (Korean Standard Time)');
    expect(text).toContain('Now: Thursday, 8 January 2099 20:30 (Korean Standard Time)');
    expect((await planOf(event)).sort()).toEqual([
      'v1 1d email sent',
      'v1 1h email skipped moved',
      'v2 1d email planned',
      'v2 1h email planned',
      'v2 moved email sent',
    ]);
    const [row] = await connection()<{ due: string }[]>`
      select due_at as due from reminders where event_id = ${event} and version = 2 and time = '1h'`;
    expect(new Date(row?.due ?? '').toISOString()).toBe('2099-01-08T10:30:00.000Z');
  });

  test('several times before anybody is told is told once, from what they knew to what is true', async () => {
    const [event, fan] = [await makeEvent({ start: new Date('2099-01-01T10:00:00Z') }), await makeReader()];
    await subscribe(fan, event, { times: ['1d'] });
    await connection()`update events set start_time = '2099-02-01T10:00:00Z' where id = ${event}`;
    await connection()`update events set start_time = '2099-03-01T10:00:00Z' where id = ${event}`;
    await sweep();
    expect(mail.received).toHaveLength(1);
    const text = textOf(mail.received[0]?.text ?? '');
    expect(text).toContain('Before: Thursday, 1 January 2099');
    expect(text).toContain('Now: Sunday, 1 March 2099');
    await connection()`update events set start_time = '2099-04-01T10:00:00Z' where id = ${event}`;
    await connection()`update events set start_time = '2099-03-01T10:00:00Z' where id = ${event}`;
    await sweep();
    expect(mail.received).toHaveLength(1);
    expect((await planOf(event)).at(-1)).toBe('v5 1d email planned');
  });

  test('by being cancelled stops its reminders and says so; back on, it plans them again', async () => {
    const event = await makeEvent({ start: days(9), titles: { en: 'Sea Concert' } });
    await subscribe(await makeReader(), event, { times: ['1d'] });
    await connection()`update events set state = 'cancelled' where id = ${event}`;
    await letItBeTime(event);
    await sweep();
    expect(subjects()).toEqual(['Sea Concert has been cancelled']);
    expect(await planOf(event)).toEqual(['v1 1d email skipped cancelled', 'v2 cancelled email sent']);
    await connection()`update events set state = 'scheduled' where id = ${event}`;
    await sweep();
    expect(subjects()[1]).toBe('Sea Concert is back on');
    expect(await planOf(event)).toContain('v3 1d email planned');
  });

  test('by being withdrawn sends nothing any more, and nothing is said', async () => {
    const event = await makeEvent({ start: days(9) });
    await subscribe(await makeReader(), event, { times: ['1d'] });
    await connection()`update events set verification = 'rejected' where id = ${event}`;
    await letItBeTime(event);
    await sweep();
    expect(mail.received).toEqual([]);
    expect(await planOf(event)).toEqual(['v1 1d email skipped withdrawn']);
    await connection()`update events set verification = 'approved' where id = ${event}`;
    await sweep();
    expect([mail.received.length, (await planOf(event)).at(-1)]).toEqual([0, 'v3 1d email planned']);
  });

  test('while it is withdrawn is told of when it is back, however many sweeps ran meanwhile', async () => {
    const event = await makeEvent({ start: new Date('2099-01-01T10:00:00Z'), titles: { en: 'Sea Concert' } });
    await subscribe(await makeReader(), event, { times: ['1d'] });
    await connection()`update events set verification = 'pending' where id = ${event}`;
    await sweep();
    await connection()`update events set start_time = '2099-01-08T11:30:00Z' where id = ${event}`;
    await sweep();
    expect(mail.received).toEqual([]);
    await connection()`update events set verification = 'approved' where id = ${event}`;
    await sweep();
    expect(subjects()).toEqual(['Sea Concert has a new date or time']);
    expect(textOf(mail.received[0]?.text ?? '')).toContain('Before: Thursday, 1 January 2099 19:00');
  });

  test('and is withdrawn before anybody was told of it is told of when it is back', async () => {
    const event = await makeEvent({ start: new Date('2099-01-01T10:00:00Z'), titles: { en: 'Sea Concert' } });
    await subscribe(await makeReader(), event, { times: ['1d'] });
    const verify = (verification: string) =>
      connection()`update events set verification = ${verification} where id = ${event}`;
    await connection()`update events set start_time = '2099-01-08T11:30:00Z' where id = ${event}`;
    await verify('rejected');
    await sweep();
    expect(mail.received).toEqual([]);
    await verify('approved');
    await sweep();
    expect(subjects()).toEqual(['Sea Concert has a new date or time']);
    expect(textOf(mail.received[0]?.text ?? '')).toContain('Before: Thursday, 1 January 2099 19:00');
    // They know the new one now: leaving and coming back says nothing more.
    for (const verification of ['rejected', 'approved']) {
      await verify(verification);
      await sweep();
    }
    expect(mail.received).toHaveLength(1);
  });

  test('and cannot be handled keeps nobody else waiting', async () => {
    const [broken, event] = [await makeEvent({ start: days(9) }), await makeEvent({ start: days(9) })];
    for (const each of [broken, event]) await subscribe(await makeReader(), each, { times: ['1d'] });
    await connection()`update events set zone = 'US/Pacific-New' where id = ${broken}`;
    await connection()`update events set state = 'cancelled' where id = ${event}`;
    await sweep();
    expect(await planOf(event)).toContain('v2 cancelled email sent');
    expect(await planOf(broken)).toEqual(['v1 1d email planned']);
    await connection()`update events set zone = 'America/Los_Angeles' where id = ${broken}`;
    await sweep();
    expect(await planOf(broken)).toContain('v3 1d email planned');
  });

  test('long after it took place tells nobody; in its words alone, neither', async () => {
    const [past, coming] = [await makeEvent({ start: days(-3) }), await makeEvent({ start: days(9) })];
    const fan = await makeReader();
    for (const event of [past, coming]) await subscribe(fan, event, { times: ['1d'] });
    await connection()`update events set start_time = start_time + interval '1 hour' where id = ${past}`;
    await connection()`update event_translations set title = 'Another name' where event_id = ${coming}`;
    await sweep();
    expect(mail.received).toEqual([]);
    expect(await planOf(coming)).toEqual(['v1 1d email planned']);
  });
});

/** A process of its own that sends what is due and ends. */
function startSweeper() {
  const child = spawn(process.execPath, ['tests/kit/reminder-worker.ts'], {
    cwd: root,
    env: environment({ DATABASE_URL: database.url, SMTP_URL: mail.url, DATA_DIR: folder, NODE_ENV: 'test' }),
    stdio: 'ignore',
  });
  return { child, ended: new Promise<number | null>((resolve) => child.on('close', resolve)) };
}

describe('exactly one message', () => {
  test('for each fan, with three processes at work at once', async () => {
    const event = await makeEvent({ start: days(3) });
    const fans: Reader[] = [];
    for (let n = 0; n < 40; n += 1) fans.push(await makeReader());
    for (const fan of fans) await subscribe(fan, event, { times: ['1d'] });
    await letItBeTime(event);
    const others = [startSweeper(), startSweeper()];
    await sweep();
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(mail.received.map(({ to }) => to[0]).sort()).toEqual(fans.map(({ email }) => email).sort());
    expect(new Set(await planOf(event))).toEqual(new Set(['v1 1d email sent']));
  }, 300_000);

  test('when the process that took it is killed before the letter was accepted', async () => {
    const [event, fan] = [await makeEvent({ start: days(3) }), await makeReader()];
    await subscribe(fan, event, { times: ['1d'] });
    await letItBeTime(event);
    mail.hold(true);
    const before = mail.held();
    const { child, ended } = startSweeper();
    await until(() => mail.held() > before, 60_000);
    child.kill('SIGKILL');
    await ended;
    mail.hold(false);
    expect(await planOf(event)).toEqual(['v1 1d email sending']);
    await sweep();
    expect(mail.received).toEqual([]);
    // The lease of two minutes runs out.
    await connection()`update reminders set next_at = now() where event_id = ${event}`;
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(mail.received.map(({ to }) => to)).toEqual([[fan.email]]);
    expect(await planOf(event)).toEqual(['v1 1d email sent']);
  }, 300_000);

  test('is the same letter to a mailbox when the note of it was lost', async () => {
    const [event, fan] = [await makeEvent({ start: days(3) }), await makeReader()];
    await subscribe(fan, event, { times: ['1d'] });
    await letItBeTime(event);
    await sweep();
    await connection()`update reminders set state = 'sending', next_at = now(), sent_at = null where event_id = ${event}`;
    await sweep();
    const [first, second] = mail.received.map((letter) => header(letter, 'Message-ID'));
    expect(first).toMatch(/^<[0-9a-f]{32}@localhost>$/);
    expect(second).toBe(first ?? '');
  });
});
