import { describe, expect, test } from 'bun:test';
import type { MessageList } from '#api/community/model.ts';
import type { Lang } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { makeParts, messageSeries } from '#db/partitions/by-id.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel, makeFan } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase();

const root = '/api/community';
const knock = (method: string, path: string, token?: string, body?: unknown) => {
  const init = body === undefined ? { method } : sending(body, method);
  return call(`${root}/${path}`, { ...init, headers: { ...init.headers, ...(token ? bearer(token) : {}) } });
};
const problemOf = ({ status, json }: Answer) => [status, (json as { code?: string }).code];
const messagesPath = '/api/community/channels/:starId/messages';
const say = async (starId: number, token: string, content: string): Promise<number> => {
  const message = { params: { starId }, body: { content }, headers: bearer(token) };
  return (await answerOf(typedCall('post', messagesPath, message))).message.id;
};
const read = (starId: number, token?: string, query: { after?: number; limit?: number } = {}) =>
  answerOf(
    typedCall('get', messagesPath, { params: { starId }, query, headers: token ? bearer(token) : undefined }),
  );
const readReports = (token: string, status?: 'removed') =>
  answerOf(typedCall('get', '/api/community/reports', { query: { status }, headers: bearer(token) }));
const contentsOf = ({ messages }: MessageList) => messages.map(({ content }) => content);
const decisions = async (action: string, subjectId: number) => [
  ...(await connection()<{ actor: number; notes: string | null; details: Record<string, unknown> }[]>`
    select actor_id as actor, notes, details from audit_log where action = ${action} and subject_id = ${subjectId} order by id`),
];

async function room() {
  const [fan, other, editor] = await Promise.all([makeFan(), makeFan(), makeFan({ role: 'editor' })]);
  return { fan, other, editor, star: await makeChannel({ members: [fan.id, other.id, editor.id] }) };
}

describe('deleting a message', () => {
  test('is for its author, once however often', async () => {
    const { fan, other, star } = await room();
    await say(star, fan.token, 'stays');
    const id = await say(star, fan.token, 'goes');
    const path = `channels/${star}/messages/${id}`;
    expect((await knock('DELETE', path)).status).toBe(401);
    expect((await knock('DELETE', path, other.token)).status).toBe(403);
    const answers = await Promise.all(Array.from({ length: 6 }, () => knock('DELETE', path, fan.token)));
    expect(answers.map(({ json }) => json)).toEqual(answers.map(() => ({ id, deleted: true })));
    expect(contentsOf(await read(star))).toEqual(['stays']);
    expect((await read(star, undefined, { after: id })).deletedIds).toEqual([id]);
    expect(await decisions('message.delete', id)).toEqual([]);
  });

  test('by a moderator is in the audit log and closes the reports about it', async () => {
    const { fan, other, editor, star } = await room();
    const id = await say(star, fan.token, '나쁜 말');
    await knock('POST', `channels/${star}/messages/${id}/reports`, other.token, { reason: 'abuse' });
    for (let n = 0; n < 3; n += 1) await knock('DELETE', `channels/${star}/messages/${id}`, editor.token);
    expect(await decisions('message.delete', id)).toEqual([
      {
        actor: editor.id,
        notes: null,
        details: { starId: star, authorId: fan.id, content: '나쁜 말', reports: [expect.any(Number)] },
      },
    ]);
    const { reports } = await readReports(editor.token, 'removed');
    expect(reports.filter(({ message }) => message.id === id)).toHaveLength(1);
  });

  test('of another channel or of none is not found', async () => {
    const { fan, editor, star } = await room();
    const id = await say(await makeChannel({ members: [fan.id] }), fan.token, 'elsewhere');
    for (const path of [`${star}/messages/${id}`, `${star}/messages/999999`, `999999/messages/${id}`])
      expect((await knock('DELETE', `channels/${path}`, editor.token)).status).toBe(404);
  });

  test('moves the last activity back to what is left', async () => {
    const { fan, star } = await room();
    const id = await say(star, fan.token, 'only one');
    await knock('DELETE', `channels/${star}/messages/${id}`, fan.token);
    expect((await knock('GET', `channels/${star}`)).json).toMatchObject({
      channel: { lastActivityAt: null },
    });
  });
});

describe('reports', () => {
  test('count once per person, and one decision closes all of a message', async () => {
    const { fan, other, editor, star } = await room();
    const third = await makeFan();
    const id = await say(star, fan.token, '광고');
    const path = `channels/${star}/messages/${id}/reports`;
    for (const token of [other.token, other.token, third.token])
      expect((await knock('POST', path, token, { reason: 'spam', details: ' 도배 ' })).json).toEqual({
        reported: true,
      });
    const list = await readReports(editor.token);
    const reports = list.reports.filter(({ message }) => message.id === id);
    expect(reports).toHaveLength(2);
    expect(reports[0]).toMatchObject({
      status: 'open',
      reason: 'spam',
      details: '도배',
      starId: star,
      decidedAt: null,
    });
    const [first, second] = reports;
    const decide = (report: number | undefined, decision: string, token = editor.token) =>
      knock('POST', `reports/${report}/decide`, token, { decision, notes: ' 스팸 ' });
    const answers = await Promise.all([decide(first?.id, 'remove'), decide(second?.id, 'dismiss')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(problemOf(await decide(first?.id, 'dismiss'))).toEqual([409, 'already_decided']);
    const removed = answers[0]?.status === 200;
    expect(contentsOf(await read(star))).toEqual(removed ? [] : ['광고']);
    const [decision, ...others] = await decisions(removed ? 'report.remove' : 'report.dismiss', id);
    expect(decision).toMatchObject({ actor: editor.id, notes: '스팸' });
    expect(others).toEqual([]);
  });

  test('name the star in the language asked for, else in English', async () => {
    const { fan, other, editor } = await room();
    const star = await makeChannel({
      name: '하루치',
      names: { ko: '하루치', en: 'HARUCHI' },
      members: [fan.id, other.id],
    });
    const id = await say(star, fan.token, '광고');
    await knock('POST', `channels/${star}/messages/${id}/reports`, other.token, { reason: 'spam' });
    const nameIn = async (language?: Lang) => {
      const asked = { query: { language }, headers: bearer(editor.token) };
      const { reports } = await answerOf(typedCall('get', '/api/community/reports', asked));
      return reports.find(({ message }) => message.id === id)?.starName;
    };
    expect([await nameIn('en'), await nameIn(), await nameIn('vi')]).toEqual([
      'HARUCHI',
      '하루치',
      'HARUCHI',
    ]);
  });

  test('are refused for own, deleted and unknown messages and for unknown reasons', async () => {
    const { fan, other, star } = await room();
    const id = await say(star, fan.token, 'hi');
    const report = (message: number, token: string, body: unknown = { reason: 'spam' }) =>
      knock('POST', `channels/${star}/messages/${message}/reports`, token, body);
    expect(problemOf(await report(id, fan.token))).toEqual([409, 'own_message']);
    expect((await report(999_999, other.token)).status).toBe(404);
    for (const body of [
      {},
      { reason: 'boring' },
      { reason: 'spam', details: '가'.repeat(501) },
      { reason: 'spam', details: 'a\u202eb' },
    ])
      expect((await report(id, other.token, body)).status).toBe(400);
    await knock('DELETE', `channels/${star}/messages/${id}`, fan.token);
    expect((await report(id, other.token)).status).toBe(404);
  });

  test('of one person are limited', async () => {
    const { fan, star } = await room();
    const reporter = await makeFan();
    const id = await say(star, fan.token, 'hi');
    const path = `channels/${star}/messages/${id}/reports`;
    const statuses: number[] = [];
    await untilWindowHas(5, 3600);
    for (let n = 0; n < 31; n += 1)
      statuses.push((await knock('POST', path, reporter.token, { reason: 'spam' })).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
  });
});

describe('blocking', () => {
  test('hides somebody’s messages from oneself alone, in pages and in what happened since', async () => {
    const { fan, other, star } = await room();
    await say(star, fan.token, 'one');
    await say(star, other.token, 'two');
    for (let n = 0; n < 2; n += 1)
      expect((await knock('PUT', `blocks/${other.id}`, fan.token)).json).toEqual({
        userId: other.id,
        blocked: true,
      });
    expect(contentsOf(await read(star, fan.token))).toEqual(['one']);
    expect(contentsOf(await read(star, fan.token, { after: 0 }))).toEqual(['one']);
    expect(contentsOf(await read(star, other.token))).toEqual(['one', 'two']);
    expect(contentsOf(await read(star))).toEqual(['one', 'two']);
    const blocks = typedCall('get', '/api/community/blocks', { headers: bearer(fan.token) });
    const { users } = await answerOf(blocks);
    expect(users.map(({ id }) => id)).toEqual([other.id]);
    await knock('DELETE', `blocks/${other.id}`, fan.token);
    expect(contentsOf(await read(star, fan.token))).toEqual(['one', 'two']);
  });

  test('fills a page with the messages of others', async () => {
    const { fan, other, star } = await room();
    await say(star, fan.token, 'old');
    for (let n = 0; n < 4; n += 1) await say(star, other.token, `new ${n}`);
    await knock('PUT', `blocks/${other.id}`, fan.token);
    expect(contentsOf(await read(star, fan.token, { limit: 2 }))).toEqual(['old']);
  });

  test('is refused for oneself, for nobody, and without a session', async () => {
    const { fan, other } = await room();
    expect(problemOf(await knock('PUT', `blocks/${fan.id}`, fan.token))).toEqual([409, 'own_account']);
    expect((await knock('PUT', 'blocks/999999', fan.token)).status).toBe(404);
    expect((await knock('PUT', `blocks/${other.id}`)).status).toBe(401);
    expect((await knock('GET', 'blocks')).status).toBe(401);
  });
});

describe('muting and slow mode', () => {
  test('keep a member from sending, and are in the audit log', async () => {
    const { fan, editor, star } = await room();
    const muted = await knock('POST', `channels/${star}/mutes`, editor.token, {
      userId: fan.id,
      minutes: 10,
      reason: ' 욕설 ',
    });
    expect(muted.json).toEqual({ userId: fan.id, mutedUntil: expect.any(String) });
    expect(problemOf(await knock('POST', `channels/${star}/messages`, fan.token, { content: 'hi' }))).toEqual(
      [403, 'muted'],
    );
    expect((await knock('GET', `channels/${star}`, fan.token)).json).toMatchObject({
      viewer: { mutedUntil: expect.any(String) },
    });
    const list = (await knock('GET', `channels/${star}/mutes`, editor.token)).json;
    expect(list).toMatchObject({ mutes: [{ userId: fan.id, reason: '욕설' }] });
    for (let n = 0; n < 2; n += 1) await knock('DELETE', `channels/${star}/mutes/${fan.id}`, editor.token);
    await say(star, fan.token, 'again');
    expect(await decisions('user.mute', fan.id)).toEqual([
      { actor: editor.id, notes: '욕설', details: { starId: star, minutes: 10 } },
    ]);
    expect(await decisions('user.unmute', fan.id)).toHaveLength(1);
    for (const seconds of [30, 30, 0])
      expect((await knock('PUT', `channels/${star}/slow-mode`, editor.token, { seconds })).json).toEqual({
        seconds,
      });
    const [channel] = await connection()<{ id: number }[]>`select id from channels where star_id = ${star}`;
    expect((await decisions('channel.slow_mode', channel?.id ?? 0)).map(({ details }) => details)).toEqual([
      { starId: star, seconds: 30, before: 0 },
      { starId: star, seconds: 0, before: 30 },
    ]);
  });

  test('do not reach moderators', async () => {
    const { editor, star } = await room();
    const admin = await makeFan({ role: 'admin' });
    const body = { userId: admin.id, minutes: 5 };
    expect(problemOf(await knock('POST', `channels/${star}/mutes`, editor.token, body))).toEqual([
      409,
      'is_moderator',
    ]);
  });

  test('refuse odd times', async () => {
    const { fan, editor, star } = await room();
    for (const minutes of [0, -1, 1.5, 43_201, '10', null])
      expect(
        (await knock('POST', `channels/${star}/mutes`, editor.token, { userId: fan.id, minutes })).status,
      ).toBe(400);
    for (const seconds of [-1, 3_601, 0.5, '30'])
      expect((await knock('PUT', `channels/${star}/slow-mode`, editor.token, { seconds })).status).toBe(400);
    expect((await knock('PUT', 'channels/999999/slow-mode', editor.token, { seconds: 5 })).status).toBe(404);
    const nobody = { userId: 999_999, minutes: 5 };
    expect((await knock('POST', `channels/${star}/mutes`, editor.token, nobody)).status).toBe(404);
    for (const [method, path] of [
      ['GET', 'channels/999999/mutes'],
      ['DELETE', `channels/999999/mutes/${fan.id}`],
    ] as const)
      expect((await knock(method, path, editor.token)).status).toBe(404);
  });
});

describe('moderators’ calls', () => {
  const calls: [string, string, unknown?][] = [
    ['GET', 'channels/1/mutes'],
    ['POST', 'channels/1/mutes', { userId: 1, minutes: 5 }],
    ['DELETE', 'channels/1/mutes/1'],
    ['PUT', 'channels/1/slow-mode', { seconds: 5 }],
    ['GET', 'reports'],
    ['POST', 'reports/1/decide', { decision: 'remove' }],
  ];
  for (const [method, path, body] of calls) {
    test(`${method} ${path} is refused to guests and to fans who say they are admins`, async () => {
      const fan = await makeFan();
      expect((await knock(method, path, undefined, body)).status).toBe(401);
      const boast = body === undefined ? undefined : { ...(body as object), role: 'admin', isAdmin: true };
      expect((await knock(method, path, fan.token, boast)).status).toBe(403);
    });
  }
});

test('messages are removed and decided about when there were more of them than an integer counts', async () => {
  await makeParts(messageSeries, 3_000_000_000);
  await connection()`select setval(pg_get_serial_sequence('messages', 'id'), 2999999999)`;
  const { fan, other, editor, star } = await room();
  const removed = await say(star, fan.token, 'the three thousand millionth');
  expect(removed).toBe(3_000_000_000);
  expect((await knock('DELETE', `channels/${star}/messages/${removed}`, editor.token)).status).toBe(200);
  const kept = await say(star, fan.token, 'another one');
  await knock('POST', `channels/${star}/messages/${kept}/reports`, other.token, { reason: 'abuse' });
  const [report] = (await readReports(editor.token)).reports.filter(({ message }) => message.id === kept);
  const decided = await knock('POST', `reports/${report?.id}/decide`, editor.token, { decision: 'dismiss' });
  expect(decided.status).toBe(200);
  const { token } = await makeFan({ role: 'admin' });
  for (const [subjectId, action] of [
    [removed, 'message.delete'],
    [kept, 'report.dismiss'],
  ] as const) {
    const query = { subjectId };
    const { entries } = await answerOf(
      typedCall('get', '/api/admin/audit', { query, headers: bearer(token) }),
    );
    expect(entries).toMatchObject([{ action, subject: 'message', subjectId }]);
  }
  const { decisions: own } = await answerOf(
    typedCall('get', '/api/auth/export', { headers: bearer(editor.token) }),
  );
  expect(own).toMatchObject([{ subjectId: removed }, { subjectId: kept }]);
});
