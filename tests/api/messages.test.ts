import { describe, expect, test } from 'bun:test';
import postgres from 'postgres';
import type { Message, MessageAnswer, MessageList } from '#api/community/model.ts';
import { connection } from '#db/client.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel, makeFan, makeStar } from '#tests/kit/make.ts';
import { countBefore, untilWindowHas } from '#tests/kit/rate-windows.ts';
import { until } from '#tests/kit/until.ts';

const own = useDatabase();

const root = '/api/community/channels';
const send = (star: number, token: string, body: unknown, headers: Record<string, string> = {}) => {
  const init = sending(body);
  return call(`${root}/${star}/messages`, {
    ...init,
    headers: { ...init.headers, ...bearer(token), ...headers },
  });
};
const messageOf = ({ json }: Answer): Message => (json as MessageAnswer).message;
const read = (starId: number, query: { before?: number; after?: number; limit?: number } = {}) =>
  answerOf(typedCall('get', '/api/community/channels/:starId/messages', { params: { starId }, query }));
const contentsOf = ({ messages }: MessageList) => messages.map(({ content }) => content);
const problemOf = ({ status, json }: Answer) => [status, (json as { code?: string }).code];
const storedIn = async (star: number) => {
  const [row] = await connection()<{ n: number }[]>`
    select count(*)::int as n from messages m join channels c on c.id = m.channel_id where c.star_id = ${star}`;
  return row?.n;
};

async function makeRoom(options: { slowMode?: number } = {}) {
  const fan = await makeFan();
  return { fan, star: await makeChannel({ ...options, members: [fan.id] }) };
}

describe('a message', () => {
  test('is answered as it is stored: trimmed, NFC', async () => {
    const { fan, star } = await makeRoom();
    const answer = await send(star, fan.token, {
      content: `  ${'한글'.normalize('NFD')} 👩‍🚀\r\n둘째 줄\t `,
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      message: {
        id: expect.any(Number),
        content: '한글 👩‍🚀\n둘째 줄',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        clientId: null,
        user: {
          id: fan.id,
          username: expect.any(String),
          displayName: null,
          profileImageUrl: null,
          isModerator: false,
          isDeleted: false,
        },
      },
      nextMessageAt: null,
    });
    expect((await read(star)).messages).toEqual([messageOf(answer)]);
  });

  test('moves the last activity of its channel', async () => {
    const { fan, star } = await makeRoom();
    const { createdAt } = messageOf(await send(star, fan.token, { content: '안녕' }));
    const { json } = await call(`${root}/${star}`);
    expect(json).toMatchObject({ channel: { lastActivityAt: createdAt } });
  });

  for (const [what, content, code] of [
    ['nothing', '', 'empty'],
    ['spaces', ' \n\t\u3000 ', 'empty'],
    ['joiners and fillers', '\u200d\u3164\u2800\ufe0f', 'empty'],
    ['501 code points', '👍'.repeat(501), 'too_long'],
    ['an override of direction', 'a\u202eb', 'characters'],
    ['a control character', 'a\u0007b', 'characters'],
    ['words hidden in tags', 'a\u{e0068}\u{e0069}', 'characters'],
    ['marks piled on a letter', `a${'\u0301'.repeat(20)}`, 'characters'],
    ['very much', 'a'.repeat(50_000), 'invalid'],
  ] as const) {
    test(`of ${what} is refused`, async () => {
      const { fan, star } = await makeRoom();
      const answer = await send(star, fan.token, { content });
      expect(problemOf(answer)).toEqual([400, code]);
      expect((answer.json as { field?: string }).field).toBe('content');
      expect(await storedIn(star)).toBe(0);
    });
  }

  test('loses what a copied text carries unseen', async () => {
    const { fan, star } = await makeRoom();
    const { content } = messageOf(
      await send(star, fan.token, { content: '\ufeff안\u200b녕, ever\u00adgreen\u2060!' }),
    );
    expect(content).toBe('안녕, evergreen!');
    expect(problemOf(await send(star, fan.token, { content: '\u200b\ufeff' }))).toEqual([400, 'empty']);
  });

  test('may have flags made of tags, and letters with the marks that languages give them', async () => {
    const { fan, star } = await makeRoom();
    const content = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} Việt ปี้ ก็ क्षि 👩🏽‍❤️‍👨🏾';
    expect(messageOf(await send(star, fan.token, { content })).content).toBe(content.normalize('NFC'));
  });

  test('may have 500 code points, however many bytes', async () => {
    const { fan, star } = await makeRoom();
    expect((await send(star, fan.token, { content: ` ${'👍'.repeat(500)} ` })).status).toBe(200);
  });

  for (const body of [{}, { content: 5 }, { content: null }, { content: ['a'] }, 'a', null]) {
    test(`is not ${JSON.stringify(body)}`, async () => {
      const { fan, star } = await makeRoom();
      expect((await send(star, fan.token, body)).status).toBe(400);
    });
  }

  test('that cannot be read counts as a call', async () => {
    const { fan, star } = await makeRoom();
    await untilWindowHas(3, 60);
    // Two less than the limit: hundreds of calls take a slow machine more than the minute.
    await countBefore(`unread-messages:account:${fan.id}`, 238);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(star, fan.token, { content: 'a\u202e' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([400, 400, 429, 429, 429]);
    expect((await send(star, fan.token, { content: '안녕' })).status).toBe(200);
  });

  test('that is no text is told so, not that it is too long', async () => {
    const { fan, star } = await makeRoom();
    const { json } = await send(star, fan.token, { content: 5 });
    expect(json).toEqual({ error: 'Must be of type string.', code: 'invalid', field: 'content' });
  });

  test('of somebody who is no member is refused, also right after leaving', async () => {
    const { fan, star } = await makeRoom();
    const stranger = await makeFan();
    expect(problemOf(await send(star, stranger.token, { content: 'hi' }))).toEqual([403, 'not_member']);
    await call(`${root}/${star}/join`, { method: 'DELETE', headers: bearer(fan.token) });
    expect(problemOf(await send(star, fan.token, { content: 'hi' }))).toEqual([403, 'not_member']);
    expect(await storedIn(star)).toBe(0);
  });

  test('needs a session, a channel, and our own page when only the cookie vouches', async () => {
    const { fan, star } = await makeRoom();
    expect((await call(`${root}/${star}/messages`, sending({ content: 'hi' }))).status).toBe(401);
    expect((await send(await makeStar(), fan.token, { content: 'hi' })).status).toBe(404);
    const init = sending({ content: 'hi' });
    const foreign = await call(`${root}/${star}/messages`, {
      ...init,
      headers: { ...init.headers, cookie: `byeol_session=${fan.token}`, origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    expect(await storedIn(star)).toBe(0);
  });
});

describe('a repeat', () => {
  test('with the same key answers the stored message, thirty at once too', async () => {
    const { fan, star } = await makeRoom();
    const key = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 2
          ? send(star, fan.token, { content: '한 번만', clientId: key })
          : send(star, fan.token, { content: '한 번만' }, { 'idempotency-key': `"${key}"` }),
      ),
    );
    expect(new Set(answers.map((answer) => messageOf(answer).id)).size).toBe(1);
    expect(messageOf(answers[0] as Answer).clientId).toBe(key);
    expect(await storedIn(star)).toBe(1);
  });

  test('answers the stored message also to who may not send any more', async () => {
    const { fan, star } = await makeRoom();
    const body = { content: 'hi', clientId: 'one' };
    const first = messageOf(await send(star, fan.token, body));
    await call(`${root}/${star}/join`, { method: 'DELETE', headers: bearer(fan.token) });
    expect(messageOf(await send(star, fan.token, body))).toEqual(first);
  });

  test('with another text or in another channel is a conflict and sends nothing', async () => {
    const { fan, star } = await makeRoom();
    const other = await makeChannel({ members: [fan.id] });
    await send(star, fan.token, { content: 'hi', clientId: 'k' });
    expect(problemOf(await send(star, fan.token, { content: 'ho', clientId: 'k' }))).toEqual([
      409,
      'key_reused',
    ]);
    expect(problemOf(await send(other, fan.token, { content: 'hi', clientId: 'k' }))).toEqual([
      409,
      'key_reused',
    ]);
    expect(await storedIn(star)).toBe(1);
    expect(await storedIn(other)).toBe(0);
  });

  test('in two channels at once is sent to one of them', async () => {
    const { fan, star } = await makeRoom();
    const other = await makeChannel({ members: [fan.id] });
    for (let round = 0; round < 5; round += 1) {
      const body = { content: 'hi', clientId: `race ${round}`.replace(' ', '-') };
      const answers = await Promise.all([send(star, fan.token, body), send(other, fan.token, body)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test('of another person with the same key is another message', async () => {
    const { fan, star } = await makeRoom();
    const second = await makeFan();
    await call(`${root}/${star}/join`, { method: 'POST', headers: bearer(second.token) });
    const ids = await Promise.all(
      [fan, second].map(
        async ({ token }) => messageOf(await send(star, token, { content: 'hi', clientId: 'k' })).id,
      ),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('must name one key, of visible ASCII', async () => {
    const { fan, star } = await makeRoom();
    const odd = await send(star, fan.token, { content: 'hi', clientId: 'a' }, { 'idempotency-key': 'b' });
    expect(odd.status).toBe(400);
    for (const clientId of ['', ' ', 'a b', '가', 'a'.repeat(101)]) {
      expect((await send(star, fan.token, { content: 'hi', clientId })).status).toBe(400);
    }
  });
});

/**
 * Sends messages while another one waits for its lock, which it does for five seconds.
 * @returns all answers; undefined when the machine stood still for so long that the first was refused before the others had come: nothing
 * waited together then, and nothing is known
 */
async function sendBehind<Sent>(first: Promise<Sent>, others: () => Promise<Sent>[]) {
  const stranger = await makeFan();
  let isOver = false;
  const noted = first.finally(() => {
    isOver = true;
  });
  const isWaiting = async () =>
    (
      await connection()`select from pg_stat_activity where wait_event_type = 'Lock'
        and query ilike '%byeol_store_messages%' and datname = current_database()`
    ).length > 0;
  await until(async () => isOver || (await isWaiting()));
  const together = others();
  // Those before it need nothing but their sessions to come to where they wait; this one is counted besides.
  await send(await makeChannel(), stranger.token, { content: '' });
  const wereTogether = !isOver;
  const answers = await Promise.all([noted, ...together]);
  return wereTogether ? answers : undefined;
}

describe('messages that wait together', () => {
  test('are refused at once where somebody keeps their channel locked, and stored in others', async () => {
    const fans = await Promise.all(Array.from({ length: 4 }, () => makeFan()));
    const locked = await makeChannel({ members: fans.map(({ id }) => id) });
    const { fan, star: free } = await makeRoom();
    const operator = postgres(own.url, { max: 1, onnotice: () => {} });
    try {
      await operator.begin(async (tx) => {
        await tx`select from channels where star_id = ${locked} for update`;
        const sendTo = async (star: number, token = '') => {
          const { status } = await send(star, token, { content: 'hello' });
          return { status, at: performance.now() };
        };
        const [first, ...others] = fans.map(({ token }) => token);
        let answers: Awaited<ReturnType<typeof sendTo>>[] | undefined;
        while (!answers)
          answers = await sendBehind(sendTo(locked, first), () => [
            ...others.map((token) => sendTo(locked, token)),
            sendTo(free, fan.token),
          ]);
        expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 200]);
        const moments = answers.slice(1, 4).map(({ at }) => at);
        // One by one each would wait five seconds for the lock.
        expect(Math.max(...moments) - Math.min(...moments)).toBeLessThan(4_000);
      });
    } finally {
      await operator.end();
    }
    expect(await storedIn(locked)).toBe(0);
  }, 300_000);

  test('are stored where another process does the same at that moment, while somebody keeps another channel locked', async () => {
    const fans = await Promise.all(Array.from({ length: 4 }, () => makeFan()));
    const members = fans.map(({ id }) => id);
    const [locked, busy] = [await makeChannel({ members }), await makeChannel({ members })];
    const [operator, other] = [1, 2].map(() => postgres(own.url, { max: 1, onnotice: () => {} }));
    if (!operator || !other) throw new Error('two connections');
    let isOver = false;
    const holds: number[] = [];
    const storing = (async () => {
      while (!isOver) {
        const began = performance.now();
        await other.unsafe(
          `select from channels where star_id = ${busy} for no key update; select pg_sleep(0.03)`,
        );
        holds.push(performance.now() - began);
      }
    })();
    try {
      await operator.begin(async (tx) => {
        await tx`select from channels where star_id = ${locked} for update`;
        const sendTo = async (star: number, fan: number) =>
          (await send(star, fans[fan]?.token ?? '', { content: 'hello' })).status;
        /** Who is stopped by the machine keeps its lock for longer than messages wait for it then. */
        const wasStopped = async () => {
          const count = holds.length;
          await until(() => holds.length > count);
          return Math.max(...holds) > 150;
        };
        let answers: number[] | undefined;
        do {
          holds.length = 0;
          answers = await sendBehind(sendTo(locked, 0), () => [
            sendTo(locked, 1),
            sendTo(busy, 2),
            sendTo(busy, 3),
          ]);
        } while (!answers || (answers.slice(2).includes(503) && (await wasStopped())));
        expect(answers).toEqual([503, 503, 200, 200]);
      });
    } finally {
      isOver = true;
      await storing;
      await Promise.all([operator.end(), other.end()]);
    }
  }, 300_000);

  test('are stored but for those of an account that somebody keeps locked', async () => {
    const fans = await Promise.all(Array.from({ length: 3 }, () => makeFan()));
    const star = await makeChannel({ members: fans.map(({ id }) => id) });
    const operator = postgres(own.url, { max: 1, onnotice: () => {} });
    try {
      await operator.begin(async (tx) => {
        await tx`select from users where id = ${fans[0]?.id ?? 0} for update`;
        const sendOf = async (fan: number) =>
          (await send(star, fans[fan]?.token ?? '', { content: 'hello' })).status;
        let answers: number[] | undefined;
        while (!answers) answers = await sendBehind(sendOf(0), () => [sendOf(0), sendOf(1), sendOf(2)]);
        expect(answers).toEqual([503, 503, 200, 200]);
      });
    } finally {
      await operator.end();
    }
  }, 300_000);
});

describe('the limits of sending', () => {
  test('hold for an account over all channels, with Retry-After', async () => {
    const { fan, star } = await makeRoom();
    const other = await makeChannel({ members: [fan.id] });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => send(n % 2 ? star : other, fan.token, { content: `m${n}` })),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    // The window of ten seconds may end in between: what came before it counts in a window of its own.
    expect(passed).toBeWithin(20, 41);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(await storedIn(star)) + Number(await storedIn(other))).toBe(passed);
  });

  test('refuse a flood of one account at once: what it has waiting keeps nobody waiting', async () => {
    const { fan, star } = await makeRoom();
    const order: number[] = [];
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const answer = await send(star, fan.token, { content: `${index}` });
        order.push(index);
        return answer;
      }),
    );
    const ended = (status: number) => order.filter((index) => answers[index]?.status === status);
    expect(ended(200).length + ended(429).length).toBe(200);
    expect(ended(200).length).toBeWithin(20, 41);
    // One of the account's is stored every 40 ms: the others are answered long before the tenth of them.
    const tenth = order.indexOf(ended(200)[9] ?? 0);
    expect(order.slice(0, tenth).length).toBeGreaterThan(150);
  });

  test('leave members of a crowd behind one address alone, and count the calls of each that are refused', async () => {
    const fans = await Promise.all(Array.from({ length: 10 }, () => makeFan()));
    const star = await makeChannel({ members: fans.map(({ id }) => id) });
    const [noisy, stranger] = [fans[0] as { id: number; token: string }, await makeFan()];
    await untilWindowHas(5, 60);
    await countBefore('message:address:192.0.2.1', 1_000);
    for (const { id } of [noisy, stranger]) await countBefore(`message:call:${id}`, 238);
    const answers = await Promise.all(fans.map(({ token }) => send(star, token, { content: 'hi' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const repeat = { content: 'once', clientId: 'the-same' };
    expect((await send(star, noisy.token, repeat)).status).toBe(200);
    const refused = await send(star, noisy.token, repeat);
    expect(problemOf(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
    const knocks = [];
    for (let n = 0; n < 3; n += 1)
      knocks.push(problemOf(await send(star, stranger.token, { content: 'hi' })));
    expect(knocks).toEqual([
      [403, 'not_member'],
      [403, 'not_member'],
      [429, 'rate_limited'],
    ]);
    expect(await storedIn(star)).toBe(11);
    expect((await send(star, fans[1]?.token ?? '', { content: 'hi' })).status).toBe(200);
  });

  test('slow mode lets one message through, also of many at once and after leaving and joining', async () => {
    const { fan, star } = await makeRoom({ slowMode: 600 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(star, fan.token, { content: 'hi' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.find(({ status }) => status === 429);
    expect(problemOf(refused as Answer)).toEqual([429, 'slow_mode']);
    expect(Number(refused?.headers.get('retry-after'))).toBeWithin(450, 601);
    for (const method of ['DELETE', 'POST'])
      await call(`${root}/${star}/join`, { method, headers: bearer(fan.token) });
    expect(problemOf(await send(star, fan.token, { content: 'hi' }))).toEqual([429, 'slow_mode']);
    const own = (await call(`${root}/${star}`, { headers: bearer(fan.token) })).json;
    expect(own).toMatchObject({
      viewer: { nextMessageAt: expect.any(String) },
      channel: { slowModeSeconds: 600 },
    });
  });

  test('slow mode does not slow moderators', async () => {
    const editor = await makeFan({ role: 'editor' });
    const star = await makeChannel({ slowMode: 60, members: [editor.id] });
    for (const content of ['one', 'two'])
      expect((await send(star, editor.token, { content })).status).toBe(200);
  });

  test('a mute lasts until its end', async () => {
    const { fan, star } = await makeRoom();
    await connection()`insert into channel_mutes (channel_id, user_id, until)
      select id, ${fan.id}, now() + interval '900 seconds' from channels where star_id = ${star}`;
    const refused = await send(star, fan.token, { content: 'hi' });
    expect(problemOf(refused)).toEqual([403, 'muted']);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(750, 901);
    await connection()`update channel_mutes set until = now() - interval '1 second'`;
    expect((await send(star, fan.token, { content: 'hi' })).status).toBe(200);
  });
});

describe('reading', () => {
  async function filled(count: number) {
    const { fan, star } = await makeRoom();
    await connection()`insert into messages (channel_id, user_id, content)
      select c.id, ${fan.id}, 'm' || n from channels c, generate_series(1, ${count}) n where star_id = ${star} order by n`;
    return { fan, star };
  }

  test('starts with the newest fifty, oldest first, and goes back page by page without a gap', async () => {
    const { star } = await filled(120);
    const contents: string[] = [];
    let page = await read(star);
    expect(page.messages).toHaveLength(50);
    expect(page.lastEventId).toBe(page.messages.at(-1)?.id ?? 0);
    for (;;) {
      contents.unshift(...contentsOf(page));
      if (!page.hasMore) break;
      page = await read(star, { before: page.messages[0]?.id ?? 0 });
    }
    expect(contents).toEqual(Array.from({ length: 120 }, (_, n) => `m${n + 1}`));
  });

  test('after an event tells what happened since, deletions too', async () => {
    const { fan, star } = await makeRoom();
    const ids: number[] = [];
    for (const content of ['a', 'b', 'c']) ids.push(messageOf(await send(star, fan.token, { content })).id);
    const before = await read(star, { after: ids[0] });
    expect(contentsOf(before)).toEqual(['b', 'c']);
    expect(before).toMatchObject({ hasMore: false, deletedIds: [], lastEventId: ids[2] ?? 0 });
    const page = await read(star, { after: ids[0], limit: 1 });
    expect(page).toMatchObject({ hasMore: true, lastEventId: ids[1] ?? 0 });
  });

  test('of a star without a channel finds no messages, of no star nothing', async () => {
    expect(await read(await makeStar())).toEqual({
      messages: [],
      hasMore: false,
      deletedIds: [],
      lastEventId: 0,
    });
    expect((await call(`${root}/999999/messages`)).status).toBe(404);
  });

  test('shows no name of an account that is gone', async () => {
    const { fan, star } = await filled(1);
    await connection()`update users set deleted_at = now(), username = '~' || id where id = ${fan.id}`;
    expect((await read(star)).messages[0]?.user).toMatchObject({ username: '', isDeleted: true });
  });

  for (const query of [
    '?limit=0',
    '?limit=101',
    '?before=x',
    '?after=-1',
    '?before=1&after=1',
    '?after=1e9',
  ]) {
    test(`refuses ${query}`, async () => {
      expect((await call(`${root}/${await makeChannel()}/messages${query}`)).status).toBe(400);
    });
  }
});
