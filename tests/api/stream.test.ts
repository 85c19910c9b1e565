import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { api } from '#api/app.ts';
import { hintChannel, sendPendingHints } from '#api/community/live/hints.ts';
import { acceptStreams, endStreams, publishEvents } from '#api/community/live/live.ts';
import { config, setConfig } from '#api/config.ts';
import { hideStar, mergeStar } from '#api/directory/merge.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { isBusConnected, subscribe } from '#db/bus.ts';
import { connection } from '#db/client.ts';
import { answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel, makeFan, makeStar } from '#tests/kit/make.ts';
import { type Listening, listenTo, textsOf } from '#tests/kit/sse.ts';
import { until } from '#tests/kit/until.ts';

useDatabase({ patient: true });
setDefaultTimeout(300_000);

/** Milliseconds for which a slow machine may stand still meanwhile. */
const stall = 10_000;

const root = 'http://localhost:4321/api/community/channels';
const open = new Set<Listening>();
afterEach(async () => {
  for (const each of open) await each.close();
  open.clear();
});

async function knock(path: string, init: RequestInit & { from?: string } = {}): Promise<Response> {
  const { from = '192.0.2.7', ...requestInit } = init;
  const request = new Request(`${root}/${path}`, requestInit);
  registerConnection(request, from);
  return api.handle(request);
}

async function listen(
  star: number,
  query = '',
  init: RequestInit & { from?: string } = {},
): Promise<Listening> {
  const answer = await knock(`${star}/stream${query}`, init);
  expect(answer.status).toBe(200);
  if (!answer.body) throw new Error('no stream');
  const listening = listenTo(answer.body);
  open.add(listening);
  await listening.until(({ event }) => event === 'hello');
  return listening;
}

async function makeRoom(options: { slowMode?: number } = {}) {
  const fan = await makeFan();
  return { fan, star: await makeChannel({ ...options, members: [fan.id] }) };
}

const say = async (starId: number, token: string, content: string): Promise<number> => {
  const message = { params: { starId }, body: { content }, headers: bearer(token) };
  const answer = await answerOf(typedCall('post', '/api/community/channels/:starId/messages', message));
  return answer.message.id;
};
const isText = (text: string) => (event: { data: Record<string, unknown> }) => event.data.content === text;

/** Messages of one author, stored without a rate. */
const store = (star: number, fan: number, count: number, prefix = 'm') => connection()`
  insert into messages (channel_id, user_id, content)
  select c.id, ${fan}, ${prefix} || n from channels c, generate_series(1, ${count}) n where star_id = ${star} order by n`;

describe('a stream', () => {
  test('ends within two seconds once an editor hides the star, and is not there then; others go on', async () => {
    const { star } = await makeRoom();
    const other = await makeRoom();
    const editor = await makeFan({ role: 'editor' });
    const reading = await listen(star);
    const elsewhere = await listen(other.star);
    const began = performance.now();
    await hideStar(star, true, editor.id);
    await reading.ended;
    expect(performance.now() - began).toBeLessThan(2_000 * contention() + stall);
    expect(reading.events.at(-1)).toMatchObject({ event: 'reconnect' });
    expect((await knock(`${star}/stream`)).status).toBe(404);
    await say(other.star, other.fan.token, 'still here');
    await elsewhere.until(isText('still here'));
    await hideStar(star, false, editor.id);
    await listen(star);
  });

  test('ends when its star is merged, and leads to the channel of the other', async () => {
    const [star, into] = [
      await makeChannel({ names: { en: 'Twice there' } }),
      await makeChannel({ names: { en: 'Twice There' } }),
    ];
    const editor = await makeFan({ role: 'editor' });
    const reading = await listen(star);
    const began = performance.now();
    await mergeStar(star, into, editor.id);
    await reading.ended;
    expect(performance.now() - began).toBeLessThan(3_000 * contention() + stall);
    expect((await knock(`${star}/stream`)).status).toBe(301);
  });

  test('greets a guest and brings what members say, with ids that grow', async () => {
    const { fan, star } = await makeRoom();
    const listening = await listen(star);
    expect(listening.events[0]).toEqual({
      event: 'hello',
      id: undefined,
      data: { lastEventId: 0, memberCount: 1, activeUsers: 1, slowModeSeconds: 0 },
    });
    const ids = [await say(star, fan.token, '안녕'), await say(star, fan.token, '하나\n둘')];
    await listening.until(isText('하나\n둘'));
    const messages = listening.events.filter(({ event }) => event === 'message');
    expect(messages.map(({ id }) => id)).toEqual(ids);
    expect(messages[0]?.data).toMatchObject({ id: ids[0], content: '안녕', user: { id: fan.id } });
  });

  test('begins behind a deletion, which is an event of the channel as a message is', async () => {
    const { fan, star } = await makeRoom();
    const ids = [await say(star, fan.token, 'one'), await say(star, fan.token, 'two')];
    await call(`/api/community/channels/${star}/messages/${ids[0]}`, {
      ...sending(undefined, 'DELETE'),
      headers: bearer(fan.token),
    });
    const hello = (await listen(star)).events[0]?.data;
    expect(hello?.lastEventId).toBeGreaterThan(ids[1] ?? 0);
  });

  test('says what it is and is kept by nobody', async () => {
    const { star } = await makeRoom();
    const answer = await knock(`${star}/stream`);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toContain('no-store');
    await answer.body?.cancel();
  });

  test('of nobody’s channel is not there, and HEAD says the same as GET and ends at once', async () => {
    const { star } = await makeRoom();
    const empty = await makeStar();
    for (const method of ['GET', 'HEAD']) {
      for (const path of ['999999/stream', `${empty}/stream`, '0/stream', 'abc/stream', '1e3/stream'])
        expect((await knock(path, { method })).status).toBe(404);
      for (const [query, id] of [
        ['?after=x'],
        ['?after=-1'],
        ['', 'abc'],
        ['', '1e3'],
        ['', '9'.repeat(20)],
      ] as const) {
        const headers: Record<string, string> = id ? { 'last-event-id': id } : {};
        const answer = await knock(`${star}/stream${query}`, { method, headers });
        expect([query, id, answer.status]).toEqual([query, id, 400]);
      }
    }
    const head = await knock(`${star}/stream`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await knock(`${star}/stream`, { method })).status).toBe(405);
    expect((await call(`/api/community/channels/${star}`)).json).toMatchObject({
      channel: { activeUsers: 0 },
    });
  });

  test('replays what was missed, by Last-Event-ID before after, and goes on', async () => {
    const { fan, star } = await makeRoom();
    await store(star, fan.id, 1_200);
    const [first] = await connection()<{ id: number }[]>`
      select min(m.id)::int as id from messages m join channels c on c.id = m.channel_id where star_id = ${star}`;
    const after = first?.id ?? 0;
    const all = await listen(star, '?after=0', { headers: bearer(fan.token) });
    const some = await listen(star, '?after=0', {
      headers: { ...bearer(fan.token), 'last-event-id': String(after + 99) },
    });
    await say(star, fan.token, 'last');
    await Promise.all([all, some].map((each) => each.until(isText('last'))));
    const texts = Array.from({ length: 1_200 }, (_, n) => `m${n + 1}`);
    expect(textsOf(all)).toEqual([...texts, 'last']);
    expect(textsOf(some)).toEqual([...texts.slice(100), 'last']);
  });

  test('tells who missed too much to read anew, and goes on', async () => {
    const { fan, star } = await makeRoom();
    await store(star, fan.id, 6_000);
    const listening = await listen(star, '?after=0', { headers: bearer(fan.token) });
    const { data } = await listening.until(({ event }) => event === 'reset');
    await say(star, fan.token, 'after all');
    await listening.until(isText('after all'));
    expect(textsOf(listening).length).toBeLessThan(5_600);
    expect(Number(data.lastEventId)).toBeGreaterThan(5_999);
  });

  test('tells who missed long messages to read anew, a guest after far fewer than a member, and keeps no more than a page for who does not read', async () => {
    const { fan, star } = await makeRoom();
    await store(star, fan.id, 1_500, '🙂'.repeat(480));
    const [member, guest] = [
      await listen(star, '?after=0', { headers: bearer(fan.token) }),
      await listen(star, '?after=0'),
    ];
    for (const each of [member, guest]) await each.until(({ event }) => event === 'reset');
    expect(textsOf(member).length).toBeWithin(800, 1_300);
    expect(textsOf(guest).length).toBeWithin(100, 300);
    const answers = await Promise.all(Array.from({ length: 100 }, () => knock(`${star}/stream?after=0`)));
    const before = performance.now();
    expect((await call(`/api/community/channels/${star}`)).status).toBe(200);
    // Behind those who do not read it would wait for half a minute.
    expect(performance.now() - before).toBeLessThan(15_000);
    for (const { body } of answers) await body?.cancel();
  });

  test('of an id from another database begins anew', async () => {
    const { fan, star } = await makeRoom();
    const listening = await listen(star, '?after=999999999');
    await listening.until(({ event }) => event === 'reset');
    await say(star, fan.token, 'hello');
    await listening.until(isText('hello'));
  });

  test('brings deletions, and to who comes later only those, never the text', async () => {
    const { fan, star } = await makeRoom();
    const live = await listen(star);
    const id = await say(star, fan.token, '지울 말');
    await live.until(isText('지울 말'));
    const path = `/api/community/channels/${star}/messages/${id}`;
    const deletion = await call(path, { method: 'DELETE', headers: bearer(fan.token) });
    expect(deletion.json).toEqual({ id, deleted: true });
    const deleted = await live.until(({ event }) => event === 'deleted');
    expect(deleted.data).toEqual({ id });
    expect(Number(deleted.id)).toBeGreaterThan(id);
    const late = await listen(star, '?after=0');
    await late.until(({ event, id: event_id }) => event === 'deleted' && event_id === deleted.id);
    expect(textsOf(late)).toEqual([]);
  });

  test('tells changed counts and slow mode', async () => {
    const { star } = await makeRoom();
    const editor = await makeFan({ role: 'editor' });
    const listening = await listen(star);
    await call(`/api/community/channels/${star}/join`, { method: 'POST', headers: bearer(editor.token) });
    await listening.until(({ event, data }) => event === 'counts' && data.memberCount === 2);
    const init = sending({ seconds: 30 }, 'PUT');
    await call(`/api/community/channels/${star}/slow-mode`, {
      ...init,
      headers: { ...init.headers, ...bearer(editor.token) },
    });
    const { data } = await listening.until(({ event }) => event === 'slowmode');
    expect(data).toEqual({ seconds: 30 });
  });

  test('beats while nothing happens', async () => {
    const { star } = await makeRoom();
    const listening = await listen(star);
    await listening.until(({ event }) => event === 'heartbeat');
  }, 300_000);

  test('asks to reconnect when the server stops, which takes no others then', async () => {
    const { star } = await makeRoom();
    const listening = await listen(star);
    await endStreams();
    await listening.ended;
    expect(listening.events.at(-1)).toMatchObject({
      event: 'reconnect',
      data: { afterMs: expect.any(Number) },
    });
    const refused = await knock(`${star}/stream`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    acceptStreams();
    await listen(star);
  });
});

describe('the order of events', () => {
  test('is that of commits: nothing is skipped while a sender holds the channel, and nothing comes twice', async () => {
    const { fan, star } = await makeRoom();
    const listening = await listen(star);
    // Another process that has locked the channel and taken its id, and commits late.
    const other = await connection().reserve();
    await other`begin`;
    await other`select id from channels where star_id = ${star} for no key update`;
    await other`insert into messages (channel_id, user_id, content)
      select id, ${fan.id}, 'slow' from channels where star_id = ${star}`;
    const fast = say(star, fan.token, 'fast');
    const pause = Bun.sleep(300);
    await pause;
    expect(textsOf(listening)).toEqual([]);
    await other`commit`;
    other.release();
    await fast;
    await listening.until(isText('fast'));
    expect(textsOf(listening)).toEqual(['slow', 'fast']);
    const ids = listening.events.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test('has what others stored meanwhile before what this process stores next', async () => {
    const { fan, star } = await makeRoom();
    const listening = await listen(star);
    for (let round = 0; round < 5; round += 1) {
      await say(star, fan.token, `ours ${round}`);
      await store(star, fan.id, 2, `theirs ${round} `);
    }
    await say(star, fan.token, 'end');
    await listening.until(isText('end'));
    const rounds = [0, 1, 2, 3, 4].flatMap((n) => [`ours ${n}`, `theirs ${n} 1`, `theirs ${n} 2`]);
    expect(textsOf(listening)).toEqual([...rounds, 'end']);
  });

  test('is the same for all who come and go while many talk', async () => {
    const fans = await Promise.all(Array.from({ length: 10 }, () => makeFan()));
    const star = await makeChannel({ members: fans.map(({ id }) => id) });
    const texts = fans.flatMap((_, fan) => Array.from({ length: 15 }, (__, n) => `${fan}-${n}`));
    const talking = Promise.all(
      fans.map(async ({ token }, fan) => {
        for (let n = 0; n < 15; n += 1) await say(star, token, `${fan}-${n}`);
      }),
    );
    const followers = Promise.all(Array.from({ length: 4 }, () => follow(star, texts.length)));
    await talking;
    const received = await followers;
    for (const each of received) expect(each.toSorted()).toEqual(texts.toSorted());
    expect(new Set(received.map((each) => each.join())).size).toBe(1);
  }, 300_000);
});

/** Reads the whole talk with a connection that is cut after every few events. */
async function follow(star: number, count: number): Promise<string[]> {
  const texts: string[] = [];
  let last = '0';
  while (texts.length < count) {
    const listening = await listen(star, '?after=0', { headers: { 'last-event-id': last } });
    const expectedCount = Math.min(count - texts.length, 1 + ((texts.length * 7) % 12));
    await listening.until(() => textsOf(listening).length >= expectedCount);
    await listening.close();
    open.delete(listening);
    texts.push(...textsOf(listening));
    last = String(listening.events.findLast(({ id }) => id !== undefined)?.id ?? last);
  }
  return texts;
}

test('other processes hear of a message at once, and of those right behind it together', async () => {
  const heard: string[] = [];
  const unsubscribe = await subscribe(hintChannel, (payload) => {
    heard.push(payload.split(' ').slice(1).join(' '));
  });
  try {
    // What came before is told, and that was longer ago than the time between two batches.
    await sendPendingHints();
    await Bun.sleep(30);
    publishEvents(900_001);
    // Less than the time between two batches.
    await Bun.sleep(5);
    publishEvents(900_002);
    publishEvents(900_003);
    await until(() => heard.join(' ').includes('e900003'));
    expect(heard.filter((each) => each.includes('e90000')).sort()).toEqual(['e900001', 'e900002 e900003']);
  } finally {
    await unsubscribe();
  }
});

test('a process knows while it hears nothing of the others, and when it hears them again', async () => {
  let ready = 0;
  const unsubscribe = await subscribe(
    'byeol_test',
    () => {},
    () => {
      ready += 1;
    },
  );
  try {
    expect(isBusConnected()).toBe(true);
    await connection()`
      select pg_terminate_backend(pid) from pg_stat_activity
      where query ilike 'listen %' and datname = current_database()`;
    await until(() => !isBusConnected());
    await until(() => isBusConnected());
    // What was missed meanwhile is caught up with before anything counts on hearing.
    expect(ready).toBeGreaterThan(1);
  } finally {
    await unsubscribe();
  }
});

const readChannel = (starId: number) =>
  answerOf(typedCall('get', '/api/community/channels/:starId', { params: { starId } }));

describe('presence', () => {
  test('counts people, not streams: tabs of one account once, guests by their network', async () => {
    const { fan, star } = await makeRoom();
    const own = { headers: bearer(fan.token) };
    const first = await listen(star, '', own);
    const others = [
      await listen(star, '', own),
      await listen(star, '', { from: '198.51.100.1' }),
      await listen(star, '', { from: '198.51.100.1' }),
      await listen(star, '', { from: '2001:db8:1:2::3' }),
      await listen(star, '', { from: '2001:db8:1:2::4' }),
    ];
    await first.until(({ event, data }) => event === 'counts' && data.activeUsers === 3);
    // Those of a process that stood still for six seconds count again once it has said that it lives.
    await until(async () => (await readChannel(star)).channel.activeUsers === 3);
    for (const each of others.slice(1)) await each.close();
    await first.until(({ event, data }) => event === 'counts' && data.activeUsers === 1);
  });

  test('comes back after the database lost it in a crash', async () => {
    const { fan, star } = await makeRoom();
    const listening = await listen(star, '', { headers: bearer(fan.token) });
    await listening.until(({ data }) => data.activeUsers === 1);
    await connection()`truncate open_streams, stream_processes`;
    await listen(star, '', { from: '198.51.100.9' });
    await listening.until(({ event, data }) => event === 'counts' && data.activeUsers === 2);
  });

  test('counts a process no more that is not seen', async () => {
    const { star } = await makeRoom();
    const dead = crypto.randomUUID();
    await connection()`insert into stream_processes (id, seen_at) values (${dead}, now() - interval '7 seconds')`;
    await connection()`insert into open_streams (id, process_id, channel_id, person, network)
      select gen_random_uuid(), ${dead}, id, 77, 'x' from channels where star_id = ${star}`;
    expect((await call(`/api/community/channels/${star}`)).json).toMatchObject({
      channel: { activeUsers: 0 },
    });
    await connection()`update stream_processes set seen_at = now() + interval '10 minutes' where id = ${dead}`;
    expect((await call(`/api/community/channels/${star}`)).json).toMatchObject({
      channel: { activeUsers: 1 },
    });
  });
});

/** Another process that holds streams of guests of an address; @returns its id */
async function holdElsewhere(network: string, count: number): Promise<string> {
  const id = crypto.randomUUID();
  await connection()`insert into stream_processes (id, seen_at) values (${id}, now() + interval '10 minutes')`;
  await connection()`insert into open_streams (id, process_id, channel_id, person, network)
    select gen_random_uuid(), ${id}, 1, -n, ${network} from generate_series(1, ${count}) n`;
  return id;
}

describe('the caps', () => {
  test('are eight streams for an account, wherever it comes from, and free again when one ends', async () => {
    const { fan, star } = await makeRoom();
    const streams: Listening[] = [];
    for (let n = 0; n < 8; n += 1)
      streams.push(await listen(star, '', { headers: bearer(fan.token), from: `198.51.100.${n}` }));
    const refused = await knock(`${star}/stream`, { headers: bearer(fan.token), from: '203.0.113.5' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await streams[0]?.close();
    await listen(star, '', { headers: bearer(fan.token) });
  });

  test('leave an account its streams where guests or a crowd of members hold theirs', async () => {
    const { fan, star } = await makeRoom();
    const from = '203.0.113.76';
    const other = await holdElsewhere(from, 1_000);
    expect((await knock(`${star}/stream`, { from })).status).toBe(429);
    await listen(star, '', { headers: bearer(fan.token), from });
    await connection()`update open_streams set person = -person + 1000000 where process_id = ${other}`;
    await listen(star, '', { headers: bearer(fan.token), from });
    await listen(star, '', { from });
    await connection()`delete from open_streams where process_id = ${other}`;
  });

  test('are a thousand for the guests of an address, over all processes, or as many as the operator allows', async () => {
    const { star } = await makeRoom();
    const from = '203.0.113.77';
    const other = await holdElsewhere(from, 960);
    const answers = await Promise.all(Array.from({ length: 60 }, () => knock(`${star}/stream`, { from })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const before = config();
    try {
      setConfig({ ...before, addressLimits: 2 });
      await listen(star, '', { from });
    } finally {
      setConfig(before);
    }
    for (const { body } of answers) await body?.cancel();
    await connection()`delete from open_streams where process_id = ${other}`;
  });

  test('count nobody who was refused', async () => {
    const { star } = await makeRoom();
    const from = '203.0.113.78';
    const other = await holdElsewhere(from, 1_000);
    for (let time = 0; time < 3; time += 1)
      expect((await knock(`${star}/stream`, { from })).status).toBe(429);
    await until(async () => {
      const [row] = await connection()<{ count: number }[]>`
        select count(*)::int from open_streams where network = ${from} and process_id <> ${other}`;
      return row?.count === 0;
    });
    await connection()`delete from open_streams where process_id = ${other}`;
    expect((await call(`/api/community/channels/${star}`)).json).toMatchObject({
      channel: { activeUsers: 0 },
    });
  });
});

test('a reader who does not read is dropped before it costs memory, and others go on', async () => {
  const { fan, star } = await makeRoom();
  const answer = await knock(`${star}/stream`);
  const listening = await listen(star);
  for (let round = 0; round < 6; round += 1) {
    await connection()`insert into messages (channel_id, user_id, content)
      select c.id, ${fan.id}, repeat('가', 500) from channels c, generate_series(1, 80) where star_id = ${star}`;
    await say(star, fan.token, `round ${round}`);
    await listening.until(isText(`round ${round}`));
  }
  const slow = listenTo(answer.body ?? new ReadableStream());
  await slow.ended;
  expect(textsOf(slow)).not.toContain('round 5');
}, 300_000);
