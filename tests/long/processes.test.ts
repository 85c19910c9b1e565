import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { enqueue } from '#api/jobs/jobs.ts';
import { reminderJobs } from '#api/reminders/jobs.ts';
import { connection } from '#db/client.ts';
import { isAlive, listProcesses, parentOf } from '#db/embedded/processes.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { bearer, sending } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { logLines } from '#tests/kit/log-lines.ts';
import { makeArticle, makeChannel, makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';
import { fileForm, makeFile } from '#tests/kit/pictures.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';
import { askRaw } from '#tests/kit/raw.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { openChannelStream, SiteLoad } from '#tests/kit/site-load.ts';
import { until } from '#tests/kit/until.ts';
import { startBus, type TestBus } from '#tests/kit/valkey.ts';

setDefaultTimeout(300_000);

/** Three processes behind one port, by `PROCESSES=3`, over Valkey: `chat-processes.test.ts` has LISTEN/NOTIFY as well. */
const database = useDatabase();
let bus: TestBus;
let site: TestServer;

beforeAll(async () => {
  await ensureBuilt();
  bus = await startBus();
  site = await startTestServer({
    databaseUrl: database.url,
    settings: { PROCESSES: '3', BUS_URL: bus.url, DATABASE_CONNECTIONS: '48' },
  });
  await until(() => site.output().includes('All processes serve'), 120_000);
}, 360_000);
afterAll(async () => {
  await site.kill();
  await bus.kill();
}, 300_000);

const processes = () => listProcesses().filter((pid) => parentOf(pid) === site.pid && isAlive(pid));
/** So many connections that each of the processes has some of them, but for once in ten thousand times. */
const times = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 30 }, ask));
/** Each on a connection of its own. */
const request = (path: string, init: RequestInit = {}) =>
  fetch(site.url + path, { ...init, keepalive: false });
const distinct = (values: readonly unknown[]) => [...new Set(values)];

test('say once where the site is, and that there are three of them', () => {
  expect(site.output().match(/is running at/g)).toHaveLength(1);
  expect(site.output()).toContain(`\`kill -HUP ${site.pid}\` restarts them one after another`);
  expect(processes()).toHaveLength(3);
});

describe('three processes are one site:', () => {
  test('a session that one of them opened is known to all, and its end as well', async () => {
    const fan = await makeFan();
    const statuses = async () =>
      distinct(
        (await times(() => request('/api/auth/me', { headers: bearer(fan.token) }))).map(
          ({ status }) => status,
        ),
      );
    expect(await statuses()).toEqual([200]);
    await request('/api/auth/logout', { method: 'POST', headers: bearer(fan.token) });
    expect(await statuses()).toEqual([401]);
  });

  test('a limit counts what all of them were asked', async () => {
    const editor = await makeFan({ role: 'editor' });
    const article = await makeArticle({ rewrites: { en: 'Title' } });
    // Thirty seconds, in which a machine that stalls asks, too.
    await untilWindowHas(30, 60);
    const answers = await times(() =>
      request(`/api/articles/${article}/search-youtube`, { method: 'POST', headers: bearer(editor.token) }),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test('people at any of them are present', async () => {
    const fans = await Promise.all(Array.from({ length: 9 }, () => makeFan()));
    const star = await makeChannel({});
    const listening = await Promise.all(
      fans.map(({ token }) => openChannelStream(site.url, star, { token })),
    );
    await Promise.all(listening.map((each) => each.until(({ data }) => data.activeUsers === 9)));
    await Promise.all(listening.map((each) => each.close()));
  });

  test('a picture that one of them took is shown by all, and taken down everywhere with the pages that show it', async () => {
    const editor = await makeFan({ role: 'editor' });
    const star = await makeStar({ names: { en: 'Star' } });
    const sent = await request('/api/admin/pictures', {
      method: 'POST',
      body: fileForm(await makeFile('jpeg')),
      headers: bearer(editor.token),
    });
    const { id, key } = (await sent.json()) as { id: number; key: string };
    await connection()`update stars set hero_key = ${key} where id = ${star}`;
    const showing = async () =>
      distinct(
        (await times(() => askRaw(site.url, `/en/star/${star}`))).map(({ status, body }) =>
          [status, body.includes(key)].join(),
        ),
      );
    const statuses = async () =>
      distinct(
        (await times(() => askRaw(site.url, `/media/${key}/3x2-400.webp`))).map(({ status }) => status),
      );
    expect(await statuses()).toEqual([200]);
    expect(await showing()).toEqual(['200,true']);
    await request(`/api/admin/pictures/${id}/withdraw`, { method: 'POST', headers: bearer(editor.token) });
    expect(await statuses()).toEqual([410]);
    await until(async () => (await showing()).join() === '200,false', 10_000);
  });

  test('a reminder is sent once, however many of them look for what is due', async () => {
    const event = await makeEvent({ start: new Date(Date.now() + 86_400_000) });
    const fans = await Promise.all(Array.from({ length: 12 }, () => makeFan()));
    for (const { id, token } of fans) {
      const email = `reader${id}@fans.example`;
      await connection()`update users set email = ${email}, email_key = ${email}, email_verified_at = now() where id = ${id}`;
      const { headers, ...init } = sending({ notificationSettings: { push: false, times: ['1h'] } });
      await request(`/api/events/${event}/subscribe`, { ...init, headers: { ...headers, ...bearer(token) } });
    }
    await connection()`update reminders set due_at = now() - interval '1 second', next_at = now() - interval '1 second'
      where event_id = ${event}`;
    const [sweep] = reminderJobs;
    if (!sweep) throw new Error('the job has gone');
    await Promise.all(Array.from({ length: 6 }, () => enqueue(sweep, {})));
    const letters = () =>
      logLines(site.output()).flatMap(({ msg, file }) => (msg === 'a letter is in the outbox' ? [file] : []));
    await until(() => distinct(letters()).length === 12, 60_000);
    const isWorking = async () =>
      (await connection()`select 1 from pgboss.job where name = 'reminders' and state < 'completed'`).length >
      0;
    await until(async () => !(await isWorking()), 60_000);
    expect(letters()).toHaveLength(12);
  });
});

describe('under load', () => {
  let load: SiteLoad;
  let star: number;

  beforeAll(async () => {
    const fans = await Promise.all(Array.from({ length: 8 }, () => makeFan()));
    star = await makeChannel({ members: fans.map(({ id }) => id) });
    load = new SiteLoad({
      url: site.url,
      paths: ['/ko', '/api/stars', '/en/events'],
      askers: { fresh: 6, kept: 3 },
      pauses: { question: 40, message: 550 },
      star,
      fans,
      readers: 3,
    });
  });

  test('a rolling restart replaces all three, and neither a request nor a message is lost', async () => {
    await until(() => load.answered > 200, 60_000);
    const before = processes();
    process.kill(site.pid, 'SIGHUP');
    await until(() => site.output().includes('All are restarted'), 120_000);
    const after = processes();
    expect(after).toHaveLength(3);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    expect(load.failures).toEqual([]);
  });

  test('one that is killed is started again, which the log tells with the reason, and no message is lost or doubled', async () => {
    const [victim = 0] = processes();
    process.kill(victim, 'SIGKILL');
    await until(() => / serves again /.test(site.output()), 60_000);
    expect(site.output()).toMatch(
      new RegExp(
        `\\(${victim}\\) is gone, and is started again (?:at once|in 1 s): it was ended by SIGKILL\\.`,
      ),
    );
    expect(processes()).toHaveLength(3);
    const readTexts = await load.end();
    const stored = await connection()<{ content: string }[]>`
      select m.content from messages m join channels c on c.id = m.channel_id where c.star_id = ${star} order by m.id`;
    const texts = stored.map(({ content }) => content);
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.toSorted()).toEqual(load.acknowledged.toSorted());
    for (const reader of readTexts) expect(reader).toEqual(texts);
  });

  test('one that hangs is ended and started again', async () => {
    const [victim = 0] = processes();
    process.kill(victim, 'SIGSTOP');
    await until(() => site.output().includes(`(${victim}) is gone, and is started again`), 60_000);
    expect(site.output()).toContain(`started again at once: it gave no sign of life for 20 s.`);
    await until(() => processes().length === 3, 60_000);
    expect(processes()).not.toContain(victim);
  }, 300_000);

  test('all stop within twenty seconds when their supervisor is told to', async () => {
    const pids = processes();
    const began = performance.now();
    expect(await site.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(20_000 * contention());
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
  });
});
