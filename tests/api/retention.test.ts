import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { api } from '#api/app.ts';
import type { MessageAnswer } from '#api/community/model.ts';
import { getConfig, setConfig } from '#api/config.ts';
import { onInvalidation } from '#api/invalidation.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { keepInTime } from '#api/retention/retention.ts';
import { connection, database } from '#db/client.ts';
import { recordDecision } from '#db/queries/admin/audit.ts';
import { listMessagesOf } from '#db/queries/community/messages.ts';
import { routes } from '#site/routes.ts';
import { answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel, makeEvent, makeFan } from '#tests/kit/make.ts';
import { plansOf } from '#tests/kit/plans.ts';
import { listenTo } from '#tests/kit/sse.ts';

const own = useDatabase();
setDefaultTimeout(300_000);

const root = '/api/community/channels';
const say = async (star: number, token: string, content: string, key?: string) => {
  const answer = await call(`${root}/${star}/messages`, {
    ...sending({ content, clientId: key }),
    headers: { ...new Headers(sending({}).headers).toJSON(), ...bearer(token) },
  });
  expect([answer.status, answer.json]).toEqual([200, expect.anything()]);
  return (answer.json as MessageAnswer).message;
};
const read = (starId: number, query: { before?: number; after?: number; limit?: number } = {}) =>
  answerOf(typedCall('get', '/api/community/channels/:starId/messages', { params: { starId }, query }));
const contentsOf = async (star: number, query = {}) =>
  (await read(star, query)).messages.map(({ content }) => content);

async function listen(star: number, after: number) {
  const request = new Request(`http://localhost:4321${root}/${star}/stream`, {
    headers: { 'last-event-id': String(after) },
  });
  registerConnection(request, '192.0.2.7');
  const { body } = await api.handle(request);
  if (!body) throw new Error('no stream');
  return listenTo(body);
}

const partsOf = async (table: string) =>
  (
    await connection()<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass`
  ).map(({ name }) => name);
const goOnFrom = (table: string, id: number) =>
  connection()`select setval(pg_get_serial_sequence(${table}, 'id'), ${id}::int8)`;
const setKeptDays = (messagesKeptDays?: number, auditKeptDays?: number) =>
  setConfig({ ...getConfig({ NODE_ENV: 'test' }), databaseUrl: own.url, messagesKeptDays, auditKeptDays });

let fan: Awaited<ReturnType<typeof makeFan>>;
let star: number;
beforeAll(async () => {
  fan = await makeFan();
  star = await makeChannel({ members: [fan.id] });
});

describe('messages over the border of a partition', () => {
  /** The first part ends there. */
  const border = 4_000_000;

  test('are a page, a stream and a key as any others, though no job made the part behind it', async () => {
    expect(await partsOf('messages')).toEqual(['messages_first']);
    await goOnFrom('messages', border - 3);
    const one = await say(star, fan.token, 'one');
    const two = await say(star, fan.token, 'two', 'key-of-two');
    expect([one.id, two.id]).toEqual([border - 2, border - 1]);
    const three = await say(star, fan.token, 'three', 'key-of-three');
    expect(three.id).toBeGreaterThanOrEqual(border);
    expect(await say(star, fan.token, 'two', 'key-of-two')).toEqual(two);
    expect(await say(star, fan.token, 'three', 'key-of-three')).toEqual(three);

    expect(await contentsOf(star)).toEqual(['one', 'two', 'three']);
    expect(await contentsOf(star, { before: three.id, limit: 1 })).toEqual(['two']);
    const stream = await listen(star, one.id);
    await stream.until(({ data }) => data.content === 'three');
    const seen = stream.events.filter(({ event }) => event === 'message');
    expect(seen.map(({ data }) => data.content)).toEqual(['two', 'three']);
    await stream.close();
  });

  test('have a next part ready after the job, which makes up for weeks that it missed', async () => {
    const isReady = async () => {
      const [last] = await connection()<{ id: string }[]>`select last_value as id from messages_id_seq`;
      const names = await partsOf('messages');
      return names.some((name) => Number(name.split('_').at(-1)) > Number(last?.id));
    };
    await keepInTime();
    expect(await isReady()).toBe(true);
    await goOnFrom('messages', 400_000_000);
    const late = await say(star, fan.token, 'weeks later');
    expect(late.id).toBeGreaterThan(400_000_000);
    await keepInTime();
    expect(await isReady()).toBe(true);
    expect((await partsOf('messages')).length).toBeLessThan(8);
  });

  test('cost a page of the newest no look into older parts', async () => {
    for (let n = 0; n < 3; n += 1) await say(star, fan.token, `newest ${n}`);
    const [plan] = await plansOf(() => listMessagesOf(star, { limit: 2 }));
    const { messages_first = 0, ...others } = plan?.rowsOf ?? {};
    expect(messages_first).toBe(0);
    expect(others.messages_from_4000000).toBe(0);
  });
});

/** What is told to be out of date while messages are kept for so many days. */
async function toldWhileKept(days: number): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  const end = await onInvalidation(
    (tags) => {
      for (const tag of tags) told.add(tag);
    },
    () => {},
  );
  setKeptDays(days);
  await keepInTime();
  await end();
  return told;
}

describe('what is kept for some days', () => {
  test('messages go with their part, their reports too: the channel ends there, and a stream begins anew', async () => {
    const sql = connection();
    const reporter = await makeFan();
    const [old] = (await read(star)).messages;
    await sql`insert into message_reports (message_id, reporter_id, reason) values (${old?.id ?? 0}, ${reporter.id}, 'spam')`;
    await sql`update messages set created_at = now() - interval '61 days' where id < 4000000`;
    const told = await toldWhileKept(60);
    expect(await partsOf('messages')).not.toContain('messages_first');
    expect(await contentsOf(star)).toEqual(['three', 'weeks later', 'newest 0', 'newest 1', 'newest 2']);
    expect((await read(star, { limit: 100 })).hasMore).toBe(false);
    expect((await sql`select from message_reports`).length).toBe(0);
    const stream = await listen(star, old?.id ?? 0);
    await stream.until(({ event }) => event === 'reset');
    expect(stream.events.some(({ event }) => event === 'message')).toBe(false);
    await stream.close();
    for (const page of ['channel', 'community', 'home'] as const)
      expect([page, routes[page].tags.some((tag) => told.has(tag))]).toEqual([page, true]);
  });

  test('a part that lasts loses its old rows, a month late at most: only channels that had them are told', async () => {
    const makeOld = async (ages: Record<string, number>) => {
      for (const [content, days] of Object.entries(ages))
        await connection()`update messages set created_at = now() - make_interval(days => ${days}) where content = ${content}`;
    };
    await makeOld({ three: 92, 'weeks later': 92, 'newest 0': 90 });
    expect(await toldWhileKept(60)).toContain('retention');
    expect(await contentsOf(star)).toEqual(['newest 0', 'newest 1', 'newest 2']);
    await makeOld({ 'newest 0': 92 });
    const told = await toldWhileKept(60);
    expect(await contentsOf(star)).toEqual(['newest 1', 'newest 2']);
    expect(told).toContain(`channel:${star}`);
    expect(told).not.toContain('retention');
    expect(await toldWhileKept(60)).not.toContain('talk');
  });

  test('nothing goes unless it is said how long it is kept', async () => {
    const before = await contentsOf(star);
    await connection()`update messages set created_at = now() - interval '10 years'`;
    setKeptDays();
    await keepInTime();
    expect(await contentsOf(star)).toEqual(before);
  });

  test('decisions of the audit log', async () => {
    const decide = () =>
      recordDecision(database(), {
        actorId: fan.id,
        action: 'user.mute',
        subject: 'user',
        subjectId: fan.id,
      });
    const old = await decide();
    await goOnFrom('audit_log', 1_000_000);
    const next = await decide();
    expect(next).toBe(1_000_001);
    await connection()`update audit_log set created_at = now() - interval '40 days' where id = ${old}`;
    setKeptDays(undefined, 30);
    await keepInTime();
    expect(await partsOf('audit_log')).not.toContain('audit_log_first');
    const left = await connection()<{ id: number }[]>`select id from audit_log`;
    expect(left.map(({ id }) => id)).toEqual([next]);
  });

  test('a key of a message lasts a week, in which it may be sent again', async () => {
    const keys = async () => (await connection()`select from message_keys`).length;
    expect(await keys()).toBe(2);
    await connection()`update message_keys set created_at = now() - interval '169 hours' where client_id = 'key-of-two'`;
    await keepInTime();
    expect(await keys()).toBe(1);
  });
});

test('salts of views go with their day, also on days on which nobody sees anything', async () => {
  const sql = connection();
  for (const day of ['2029-12-30', '2029-12-31', '2030-01-01'])
    await sql`insert into view_salts (day, salt) values (${day}, ${Buffer.alloc(32)})`;
  await keepInTime(new Date('2030-01-01T12:00:00Z'));
  const left = await sql<{ day: string }[]>`select day::text from view_salts order by day`;
  expect(left.map(({ day }) => day)).toEqual(['2029-12-31', '2030-01-01']);
});

test('views of events have a part for each day to come, which goes with the day, and a rest for days without one', async () => {
  const sql = connection();
  const event = await makeEvent();
  const see = (day: string) => sql`
    insert into event_views (event_id, day, visitor) values (${event}, ${day}, ${Buffer.from(crypto.getRandomValues(new Uint8Array(16)))})`;
  const at = (day: string) => new Date(`${day}T12:00:00Z`);
  await keepInTime(at('2030-01-01'));
  const days = (await partsOf('event_views')).filter((name) => name.startsWith('event_views_2030'));
  expect(days).toHaveLength(7);
  await see('2030-01-01');
  await see('2030-01-02');
  // Nobody made a part for this one.
  await see('2030-01-20');
  const placed = await sql<
    { part: string }[]
  >`select tableoid::regclass::text as part from event_views order by day`;
  expect(placed.map(({ part }) => part)).toEqual([
    'event_views_rest',
    'event_views_20300102',
    'event_views_rest',
  ]);
  const [interest] = await sql<
    { views: number }[]
  >`select views from event_interest where event_id = ${event}`;
  expect(interest?.views).toBe(3);
  await keepInTime(at('2030-01-21'));
  expect((await sql`select from event_views`).length).toBe(1);
  expect((await partsOf('event_views')).filter((name) => name < 'event_views_20300122')).toEqual([]);
  await keepInTime(at('2030-01-22'));
  expect((await sql`select from event_views`).length).toBe(0);
});
