import { beforeAll, describe, expect, test } from 'bun:test';
import { onInvalidation } from '#api/invalidation.ts';
import { connection } from '#db/client.ts';
import type { Role } from '#db/schema/accounts.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';
import { makePendingEvent } from '#tests/kit/pending.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();

let editor = { id: 0, token: '' };
beforeAll(async () => {
  editor = await makeFan({ role: 'editor' });
});

/** Each from an address of its own: only what is under test counts. */
let addresses = 0;
const from = () => `10.3.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const get = (path: string, token = editor.token) =>
  call(`/api/admin${path}`, { headers: bearer(token), from: from() });
const post = (path: string, body?: unknown, { token = editor.token, method = 'POST' } = {}) => {
  const init = body === undefined ? { method } : sending(body, method);
  return call(`/api/admin${path}`, { ...init, headers: { ...init.headers, ...bearer(token) }, from: from() });
};
const put = (path: string, body: unknown) => post(path, body, { method: 'PUT' });
const stateOf = async (id: number) =>
  (
    await connection()<{ verification: string; notes: string | null; by: number | null }[]>`
    select verification, decision_notes as notes, decided_by as by from events where id = ${id}`
  )[0];
const auditOf = (id: number) =>
  connection()<{ id: number; action: string; actor: number; notes: string | null }[]>`
    select id, action, actor_id as actor, notes from audit_log where subject = 'event' and subject_id = ${id} order by id`;
const problem = ({ status, json }: Answer) => [
  status,
  Reflect.get(Object(json), 'code'),
  Reflect.get(Object(json), 'field'),
];
const field = ({ json }: Answer, name: string): unknown => Reflect.get(Object(json), name);
const pendingIds = async (query = 'limit=100') =>
  (field(await get(`/events/verification/pending?${query}`), 'events') as { id: number }[]).map(
    ({ id }) => id,
  );

const calls: [string, string, unknown?][] = [
  ['GET', '/stats'],
  ['GET', '/events/verification/stats'],
  ['GET', '/events/verification/pending'],
  ['GET', '/events/1'],
  ['GET', '/events/1/verification'],
  ['PUT', '/events/1', {}],
  ['POST', '/events/1/verify/approve', { notes: 'x' }],
  ['POST', '/events/1/verify/reject', { reason: 'x' }],
  ['POST', '/events/1/verify/undo'],
  ['POST', '/events/1/verify/merge', { into: 2 }],
  ['POST', '/events/verify/bulk-approve', { eventIds: [1] }],
  ['POST', '/events/verify/bulk-reject', { eventIds: [1] }],
  ['GET', ''],
  ['GET', '/no/such/thing'],
  ['POST', '/no/such/thing'],
  ['DELETE', '/events/1'],
];

describe('every call of the administration', () => {
  for (const [method, path, body] of calls) {
    test(`${method} ${path || '/'} answers 401 to nobody and to a wrong token, 403 to a fan`, async () => {
      const ask = (headers: Record<string, string>) => {
        const init = body === undefined ? { method } : sending(body, method);
        return call(`/api/admin${path}`, { ...init, headers: { ...init.headers, ...headers }, from: from() });
      };
      const fan = await makeFan();
      const deletedAdmin = await makeFan({ role: 'admin', deleted: true });
      expect(problem(await ask({}))).toEqual([401, 'unauthenticated', undefined]);
      expect((await ask(bearer('f'.repeat(64)))).status).toBe(401);
      expect((await ask(bearer(deletedAdmin.token))).status).toBe(401);
      expect(problem(await ask(bearer(fan.token)))).toEqual([403, 'forbidden', undefined]);
      // A role in the request is nobody's role.
      expect((await ask({ ...bearer(fan.token), 'x-role': 'admin', role: 'admin' })).status).toBe(403);
    });
  }

  test('tells who may that there is no such address, or which methods it takes', async () => {
    expect((await get('/no/such/thing')).status).toBe(404);
    const wrong = await post('/events/verification/pending', {});
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    for (const id of ['0', '-1', 'abc', '1.5', '2147483648', '1e3', '%00'])
      expect([id, (await post(`/events/${id}/verify/approve`, {})).status]).toEqual([id, 404]);
  });

  test('tells nobody who may not ask what is wrong with a body', async () => {
    const fan = await makeFan();
    for (const [type, body] of [
      ['application/json', '{"note":'],
      ['text/plain', 'note'],
      ['application/json', `"${'a'.repeat(70_000)}"`],
    ] as const) {
      const ask = (headers: Record<string, string>) =>
        call('/api/admin/events/1/verify/reject', {
          method: 'POST',
          body,
          headers: { 'content-type': type, ...headers },
          from: from(),
        });
      expect([type, (await ask({})).status]).toEqual([type, 401]);
      expect([type, (await ask(bearer(fan.token))).status]).toEqual([type, 403]);
    }
  });

  test('lets editors and admins verify, and is kept by nobody', async () => {
    for (const role of ['editor', 'admin'] satisfies Role[]) {
      const { token } = await makeFan({ role });
      const answer = await get('/events/verification/stats', token);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    }
  });

  test('that only the cookie vouches for must come from our own pages', async () => {
    const id = await makePendingEvent();
    const init = sending({});
    const answer = await call(`/api/admin/events/${id}/verify/approve`, {
      ...init,
      headers: { ...init.headers, cookie: `byeol_session=${editor.token}`, origin: 'https://evil.example' },
    });
    expect([answer.status, (await stateOf(id))?.verification]).toEqual([403, 'pending']);
  });
});

describe('the list of events that wait', () => {
  test('has the fields of the specification, in the words of who asks, with evidence and source', async () => {
    const star = await makeStar({ name: '파도반', names: { en: 'PADOBAN', ko: '파도반' } });
    const articleId = await makeArticle({ rewrites: { en: 'First listening' }, originalTitle: '밀물 발매' });
    const evidence = { startTime: '오는 29일 오후 7시', venue: '등대 아래 홀에서 연다.' };
    const id = await makePendingEvent({ starId: star, articleId, confidence: 96, evidence });
    const publicEvent = await makePendingEvent({ starId: star, verification: 'approved', inHours: 50 });
    const find = async (language: string) => {
      const events = field(
        await get(`/events/verification/pending?limit=100&language=${language}`),
        'events',
      );
      return (events as { id: number }[]).find((event) => event.id === id);
    };
    expect(await find('en')).toMatchObject({
      id,
      verification: 'pending',
      eventType: 'concert',
      title: expect.stringMatching(/^Event \d+$/),
      description: null,
      venue: 'Hall under the lighthouse',
      startTime: expect.stringMatching(/^\d{4}-.*Z$/),
      zone: 'Asia/Seoul',
      precision: 'minute',
      extractionConfidence: 96,
      evidence,
      category: { name: 'concert', color: '#2f6bff' },
      primaryStar: { id: star, name: 'PADOBAN' },
      sourceArticle: {
        id: articleId,
        title: 'First listening',
        originalTitle: '밀물 발매',
        outlet: '무대뒤뉴스',
      },
      similar: [{ id: publicEvent }],
      updateOf: null,
      mergedInto: null,
      checks: {},
    });
    expect(await find('ko')).toMatchObject({
      primaryStar: { name: '파도반' },
      sourceArticle: { title: '밀물 발매' },
    });
    expect(await find('vi')).toMatchObject({ language: 'en' });
  });

  test('comes in pages of ten with their number', async () => {
    for (let n = 0; n < 23; n += 1) await makePendingEvent({ title: `쪽매김 ${n}` });
    const page = async (number: number) => {
      const answer = await get(`/events/verification/pending?page=${number}&search=쪽매김`);
      return [(field(answer, 'events') as unknown[]).length, field(answer, 'pagination')];
    };
    const total = { total: 23, totalPages: 3 };
    expect(await page(1)).toEqual([10, { page: 1, ...total, hasPrevious: false, hasNext: true }]);
    expect(await page(3)).toEqual([3, { page: 3, ...total, hasPrevious: true, hasNext: false }]);
    expect(await page(4)).toEqual([0, { page: 4, ...total, hasPrevious: true, hasNext: false }]);
    const none = await get('/events/verification/pending?search=없는말');
    expect(field(none, 'pagination')).toEqual({
      page: 1,
      total: 0,
      totalPages: 1,
      hasPrevious: false,
      hasNext: false,
    });
  });

  test('is searched by title, place, star and source, trimmed; signs of LIKE are plain signs', async () => {
    const star = await makeStar({ name: '탁이레', names: { en: 'TAK IRE' } });
    const articleId = await makeArticle({ originalTitle: '국자의 무대 확정' });
    const id = await makePendingEvent({ starId: star, articleId, title: '100% 라이브', venue: '나루 극장' });
    for (const search of ['라이브', '  나루   극장 ', 'tak ire', '국자의', '100%', '무대뒤뉴스'])
      expect([search, await pendingIds(`limit=100&search=${encodeURIComponent(search)}`)]).toEqual([
        search,
        expect.arrayContaining([id]),
      ]);
    expect(await pendingIds(`search=${encodeURIComponent('1_0')}`)).toEqual([]);
    expect(await pendingIds('limit=100&search=%20%20')).toEqual(expect.arrayContaining([id]));
  });

  test('refuses pages and numbers that are none', async () => {
    for (const query of [
      'page=0',
      'page=-1',
      'page=1e3',
      'limit=0',
      'limit=101',
      'limit=0x10',
      'page=',
      'language=ja',
      'verification=x',
      `search=${'ㅋ'.repeat(101)}`,
      'page=1&page=2',
    ])
      expect([query, (await get(`/events/verification/pending?${query}`)).status]).toEqual([query, 400]);
  });
});

describe('a decision', () => {
  test('makes an event public or not, says who and why, and stands in the audit log', async () => {
    const [good, bad] = [await makePendingEvent(), await makePendingEvent()];
    const approved = await post(`/events/${good}/verify/approve`, { notes: '  공식 계정에서 확인  ' });
    expect([approved.status, approved.json]).toEqual([
      200,
      { id: good, verification: 'approved', decision: expect.any(Number) },
    ]);
    expect(await stateOf(good)).toEqual({
      verification: 'approved',
      notes: '공식 계정에서 확인',
      by: editor.id,
    });
    expect((await post(`/events/${bad}/verify/reject`, { reason: '\n \t' })).status).toBe(200);
    expect(await stateOf(bad)).toEqual({ verification: 'rejected', notes: null, by: editor.id });
    expect([...(await auditOf(good))]).toEqual([
      {
        id: expect.any(Number),
        action: 'event.approve',
        actor: editor.id,
        notes: '공식 계정에서 확인',
      } as never,
    ]);
    expect((await auditOf(bad))[0]).toMatchObject({ action: 'event.reject', notes: null });
    expect(await pendingIds()).not.toContain(good);
    expect(await pendingIds('limit=100&verification=approved')).toContain(good);
    expect(await pendingIds('limit=100&verification=rejected')).toContain(bad);
  });

  test('may come without a body, and takes no field that it does not know', async () => {
    const id = await makePendingEvent();
    expect((await post(`/events/${id}/verify/approve`)).status).toBe(200);
    const other = await makePendingEvent();
    const fields = { notes: 'ok', verification: 'rejected', decidedBy: 1, id: 1, actorId: 1, role: 'admin' };
    await post(`/events/${other}/verify/approve`, fields);
    expect(await stateOf(other)).toEqual({ verification: 'approved', notes: 'ok', by: editor.id });
  });

  test('is refused when it was made already, or there is nothing to decide', async () => {
    const id = await makePendingEvent();
    await post(`/events/${id}/verify/reject`, { reason: '중복' });
    for (const path of ['approve', 'reject'])
      expect(problem(await post(`/events/${id}/verify/${path}`, {}))).toEqual([
        409,
        'already_decided',
        undefined,
      ]);
    expect((await stateOf(id))?.notes).toBe('중복');
    expect((await auditOf(id)).length).toBe(1);
    expect((await post('/events/2147483647/verify/approve', {})).status).toBe(404);
  });

  test('is refused with notes that are none', async () => {
    const id = await makePendingEvent();
    expect(problem(await post(`/events/${id}/verify/approve`, { notes: 5 }))).toEqual([
      400,
      'invalid',
      'notes',
    ]);
    expect(problem(await post(`/events/${id}/verify/approve`, { notes: 'ㅋ'.repeat(1001) }))).toEqual([
      400,
      'long',
      'notes',
    ]);
    expect(problem(await post(`/events/${id}/verify/reject`, { reason: 'a\u202eb' }))).toEqual([
      400,
      'characters',
      'reason',
    ]);
    expect((await post(`/events/${id}/verify/approve`, [])).status).toBe(400);
    expect((await stateOf(id))?.verification).toBe('pending');
    expect((await post(`/events/${id}/verify/approve`, { notes: `${'가'.repeat(999)}\n` })).status).toBe(200);
  });

  test('of two admins at once is one decision', async () => {
    const other = await makeFan({ role: 'admin' });
    const id = await makePendingEvent();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, each) =>
        post(
          `/events/${id}/verify/${each % 2 ? 'approve' : 'reject'}`,
          {},
          { token: each % 3 ? editor.token : other.token },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(409)]);
    expect((await auditOf(id)).length).toBe(1);
    const won = answers.find(({ status }) => status === 200);
    expect((await stateOf(id))?.verification).toBe(String(won && field(won, 'verification')));
  });

  test('is told to every process, so that calendars show it', async () => {
    const star = await makeStar();
    const id = await makePendingEvent({ starId: star });
    const invalidated: string[][] = [];
    const ignore = await onInvalidation(
      (tags) => invalidated.push(tags),
      () => {},
    );
    await post(`/events/${id}/verify/approve`, {});
    for (const tag of ['events', `event:${id}`, `star:${star}`])
      await until(() => invalidated.flat().includes(tag));
    await ignore();
  });
});

describe('many decisions at once', () => {
  test('are answered one by one; what was decided before stays', async () => {
    const [a, b, c] = [await makePendingEvent(), await makePendingEvent(), await makePendingEvent()];
    await post(`/events/${b}/verify/reject`, { reason: '오보' });
    const answer = await post('/events/verify/bulk-approve', { eventIds: [c, b, a, a, 2147483647] });
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        results: [
          { id: c, success: true, verification: 'approved', decision: expect.any(Number) },
          { id: b, success: false, code: 'already_decided', verification: 'rejected' },
          { id: a, success: true, verification: 'approved', decision: expect.any(Number) },
          { id: 2147483647, success: false, code: 'not_found' },
        ],
        succeeded: 2,
        failed: 2,
      },
    ]);
    expect((await stateOf(b))?.notes).toBe('오보');
    expect((await auditOf(a)).length).toBe(1);
    const rejected = await post('/events/verify/bulk-reject', {
      eventIds: [await makePendingEvent()],
      reason: ' 확인 불가 ',
    });
    const id = (field(rejected, 'results') as { id: number }[])[0]?.id ?? 0;
    expect(await stateOf(id)).toMatchObject({ verification: 'rejected', notes: '확인 불가' });
  });

  test('are at most a hundred, and nothing without any', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => index + 1);
    for (const path of ['bulk-approve', 'bulk-reject']) {
      expect(problem(await post(`/events/verify/${path}`, { eventIds: ids }))).toEqual([
        400,
        'invalid',
        'eventIds',
      ]);
      expect((await post(`/events/verify/${path}`, {})).status).toBe(400);
      for (const eventIds of [[0], [-1], [1.5], ['1'], [null], [2147483648], '1', { 0: 1 }, [[1]]])
        expect([path, eventIds, (await post(`/events/verify/${path}`, { eventIds })).status]).toEqual([
          path,
          eventIds,
          400,
        ]);
      expect((await post(`/events/verify/${path}`, { eventIds: [] })).json).toEqual({
        results: [],
        succeeded: 0,
        failed: 0,
      });
    }
    expect(
      (await post('/events/verify/bulk-approve', { eventIds: ids.slice(0, 100).map((id) => id + 1_000_000) }))
        .status,
    ).toBe(200);
  });

  test('of two admins over the same events neither block nor double each other', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => makePendingEvent()));
    const [forward, backward] = await Promise.all([
      post('/events/verify/bulk-approve', { eventIds: ids }),
      post('/events/verify/bulk-reject', { eventIds: ids.toReversed() }),
    ]);
    expect([forward?.status, backward?.status]).toEqual([200, 200]);
    expect(
      Number(field(forward as Answer, 'succeeded')) + Number(field(backward as Answer, 'succeeded')),
    ).toBe(30);
    const [row] = await connection()<{ count: number }[]>`
      select count(*)::int as count from audit_log where subject = 'event' and subject_id = any(${ids})`;
    expect(row?.count).toBe(30);
  });
});

describe('undoing', () => {
  test('lets the event wait again, once, and only by the newest decision', async () => {
    const id = await makePendingEvent();
    expect(problem(await post(`/events/${id}/verify/undo`))).toEqual([409, 'not_decided', undefined]);
    const decision = Number(field(await post(`/events/${id}/verify/approve`, { notes: '확인' }), 'decision'));
    expect(problem(await post(`/events/${id}/verify/undo`, { decision: decision + 9999 }))[1]).toBe(
      'changed',
    );
    const undone = await post(`/events/${id}/verify/undo`, { decision });
    expect(undone.json).toMatchObject({ id, verification: 'pending' });
    expect(await stateOf(id)).toEqual({ verification: 'pending', notes: null, by: null });
    expect((await post(`/events/${id}/verify/undo`, { decision })).status).toBe(409);
    await post(`/events/${id}/verify/reject`, {});
    // A late press on "undo" of the first decision must not take the second one back.
    expect((await post(`/events/${id}/verify/undo`, { decision })).status).toBe(409);
    expect((await stateOf(id))?.verification).toBe('rejected');
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'event.approve',
      'event.undo',
      'event.reject',
    ]);
  });

  test('of a list that knew no decision takes none back that was made since', async () => {
    const id = await makePendingEvent();
    await post(`/events/${id}/verify/approve`);
    expect(problem(await post(`/events/${id}/verify/undo`, { decision: null }))[1]).toBe('changed');
    expect((await stateOf(id))?.verification).toBe('approved');
    await connection()`delete from audit_log where subject = 'event' and subject_id = ${id}`;
    expect((await post(`/events/${id}/verify/undo`, { decision: null })).status).toBe(200);
    expect((await stateOf(id))?.verification).toBe('pending');
  });

  test('knows by the list which decision it takes back', async () => {
    const id = await makePendingEvent();
    const listed = async () => field(await get(`/events/${id}/verification`), 'decision');
    expect(await listed()).toBeNull();
    const approved = await post(`/events/${id}/verify/approve`);
    expect(await listed()).toBe(field(approved, 'decision'));
    await post(`/events/${id}/verify/undo`);
    expect(await listed()).toBeNull();
    const rejected = await post(`/events/${id}/verify/reject`);
    expect(await listed()).toBe(field(rejected, 'decision'));
  });
});

describe('editing', () => {
  test('changes what waits, in the zone of the event, and remembers what it was', async () => {
    const star = await makeStar();
    const id = await makePendingEvent();
    const answer = await put(`/events/${id}`, {
      startTime: '2027-03-01T19:30',
      endTime: '2027-03-01T13:00:00Z',
      primaryStarId: star,
      ticketUrl: 'https://tickets.example/1',
      words: { en: { title: '  New   title ', venue: 'Naru Hall' }, ms: { title: 'Tajuk' } },
    });
    expect([answer.status, answer.json]).toEqual([
      200,
      expect.objectContaining({
        startTime: '2027-03-01T10:30:00.000Z',
        endTime: '2027-03-01T13:00:00.000Z',
        overAt: '2027-03-01T13:00:00.000Z',
        primaryStarId: star,
        starIds: [star],
        words: expect.objectContaining({
          en: { title: 'New title', description: null, venue: 'Naru Hall', location: null },
          ms: { title: 'Tajuk', description: null, venue: null, location: null },
          ko: expect.objectContaining({ venue: '등대 아래 홀' }),
        }),
      }),
    ]);
    expect((await auditOf(id))[0]).toMatchObject({ action: 'event.edit', actor: editor.id });
  });

  test('refuses what cannot be, and changes nothing', async () => {
    const id = await makePendingEvent();
    const before = (await get(`/events/${id}`)).json;
    for (const [body, where] of [
      [{ startTime: 'tomorrow' }, 'startTime'],
      [{ startTime: '2027-02-30T10:00' }, 'startTime'],
      [{ startTime: '9999-01-01T00:00Z' }, 'startTime'],
      [{ startTime: '2027-03-01T19:30', endTime: '2027-03-01T19:00' }, 'endTime'],
      [{ startTime: '2027-03-01T19:30', endTime: '2027-03-01T19:30' }, 'endTime'],
      [{ zone: 'Mars/Olympus' }, 'zone'],
      [{ zone: '+09:00' }, 'zone'],
      [{ zone: 'US/Pacific-New' }, 'zone'],
      [{ eventType: 'party' }, 'eventType'],
      [{ primaryStarId: 2147483647 }, 'primaryStarId'],
      [{ starIds: [2147483647] }, 'starIds'],
      [{ ticketUrl: 'javascript:alert(1)' }, 'ticketUrl'],
      [{ officialUrl: 'https://user:secret@host.example' }, 'officialUrl'],
      [{ words: { en: { title: ' ' } } }, 'words.en.title'],
      [{ capacity: 0 }, 'capacity'],
      [{ expected: 'rejected' }, 'expected'],
    ] as const)
      expect([body, problem(await put(`/events/${id}`, body))]).toEqual([
        body,
        [400, expect.any(String), where] as never,
      ]);
    expect((await get(`/events/${id}`)).json).toEqual(before);
    await put(`/events/${id}`, { verification: 'approved', decidedBy: 1, words: { ja: { title: 'x' } } });
    expect((await stateOf(id))?.verification).toBe('pending');
  });

  test('judges no times that it leaves as they were', async () => {
    const id = await makePendingEvent();
    await connection()`update events set start_time = '2027-03-01T10:30Z', end_time = '2027-03-01T10:30Z' where id = ${id}`;
    const times = { startTime: '2027-03-01T19:30', endTime: '2027-03-01T19:30' };
    expect((await put(`/events/${id}`, { ...times, capacity: 500 })).status).toBe(200);
    expect(problem(await put(`/events/${id}`, { ...times, startTime: '2027-03-01T19:31' }))[0]).toBe(400);
  });

  test('erases nothing that somebody wrote since: who names an older version is refused', async () => {
    const id = await makePendingEvent();
    const versionNow = async () => field(await get(`/events/${id}`), 'version');
    const version = await versionNow();
    const titled = (title: string, more: object = {}) =>
      put(`/events/${id}`, { ...more, words: { en: { title } } });
    expect((await titled('First', { version })).status).toBe(200);
    const late = await titled('Second', { version, startTime: '2027-03-01T19:30' });
    expect(problem(late)).toEqual([409, 'changed', undefined]);
    expect(late.json).toMatchObject({ current: { id, words: { en: { title: 'First' } } } });
    expect((await get(`/events/${id}`)).json).toMatchObject({ words: { en: { title: 'First' } } });
    expect(await auditOf(id)).toHaveLength(1);
    // Of two at once, one.
    const readVersion = await versionNow();
    const answers = await Promise.all(['A', 'B'].map((title) => titled(title, { version: readVersion })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await titled('Unasked')).status).toBe(200);
    const moved = await versionNow();
    await post(`/events/${id}/verify/approve`);
    expect((await titled('Third', { expected: 'approved', version: moved })).status).toBe(409);
    expect((await titled('Third', { expected: 'approved', version: await versionNow() })).status).toBe(200);
  });

  test('knows other words for types', async () => {
    const id = await makePendingEvent();
    await connection()`insert into event_categories (slug, event_type, color) values ('fan', 'fan_meeting', '#d17100') on conflict do nothing`;
    expect(field(await put(`/events/${id}`, { eventType: 'fanMeeting' }), 'eventType')).toBe('fan_meeting');
  });

  test('of a public event must be meant, and makes a new version of it', async () => {
    const id = await makePendingEvent({ verification: 'approved' });
    const read = async () => (await connection()`select state, sequence from events where id = ${id}`)[0];
    const before = await read();
    expect(problem(await put(`/events/${id}`, { state: 'cancelled' }))[0]).toBe(409);
    expect((await put(`/events/${id}`, { expected: 'approved', state: 'cancelled' })).status).toBe(200);
    expect(await read()).toEqual({ state: 'cancelled', sequence: before?.sequence + 1 });
    const star = await makeStar();
    for (const [times, change] of [
      { words: { en: { title: 'Elsewhere' } } },
      { starIds: [star] },
    ].entries()) {
      expect((await put(`/events/${id}`, { expected: 'approved', ...change })).status).toBe(200);
      expect([change, (await read())?.sequence]).toEqual([change, before?.sequence + times + 2]);
    }
    const waiting = await makePendingEvent();
    expect((await put(`/events/${waiting}`, { expected: 'approved', state: 'cancelled' })).status).toBe(409);
    const rejected = await makePendingEvent({ verification: 'rejected' });
    expect((await put(`/events/${rejected}`, { state: 'cancelled' })).status).toBe(409);
  });
});

describe('merging', () => {
  test('gives what is new to the known event, remembers it, and can be undone', async () => {
    const target = await makePendingEvent({ verification: 'approved', venue: '옛 극장' });
    const id = await makePendingEvent({ venue: '새 극장', inHours: 72 });
    const headers = bearer(editor.token);
    const read = (event: number) =>
      answerOf(typedCall('get', '/api/admin/events/:id', { params: { id: event }, headers }));
    const [before, fresh] = [await read(target), await read(id)];
    const merged = await post(`/events/${id}/verify/merge`, {
      into: target,
      time: true,
      place: true,
      notes: '같은 공연',
    });
    expect([merged.status, field(merged, 'verification')]).toEqual([200, 'rejected']);
    const after = await read(target);
    expect([after.startTime, after.words.ko?.venue]).toEqual([fresh.startTime, '새 극장']);
    const [row] =
      await connection()`select merged_into_id as into, verification from events where id = ${id}`;
    expect(row).toEqual({ into: target, verification: 'rejected' });
    expect((await post(`/events/${id}/verify/merge`, { into: target, time: true })).status).toBe(409);
    expect((await post(`/events/${id}/verify/undo`, { decision: field(merged, 'decision') })).status).toBe(
      200,
    );
    expect(await read(target)).toEqual({ ...before, version: expect.any(String) });
    expect((await stateOf(id))?.verification).toBe('pending');
  });

  test('needs a public event, which is not the same one', async () => {
    const [id, waiting] = [await makePendingEvent(), await makePendingEvent()];
    for (const [into, code] of [
      [id, 'same_event'],
      [waiting, 'not_public'],
      [2147483647, 'not_public'],
    ] as const)
      expect([into, ...problem(await post(`/events/${id}/verify/merge`, { into }))]).toEqual([
        into,
        400,
        code,
        'into',
      ]);
    expect((await stateOf(id))?.verification).toBe('pending');
  });

  test('is not undone over what somebody changed since', async () => {
    const target = await makePendingEvent({ verification: 'approved' });
    const id = await makePendingEvent({ inHours: 72 });
    await post(`/events/${id}/verify/merge`, { into: target, time: true });
    await put(`/events/${target}`, { expected: 'approved', startTime: '2027-05-05T10:00' });
    expect((await post(`/events/${id}/verify/undo`)).status).toBe(409);
    expect((await stateOf(id))?.verification).toBe('rejected');
  });

  test('is not undone by half when nobody remembers what it changed', async () => {
    const target = await makePendingEvent({ verification: 'approved' });
    const id = await makePendingEvent({ inHours: 72 });
    await post(`/events/${id}/verify/merge`, { into: target, time: true });
    await connection()`delete from audit_log where subject = 'event' and subject_id = ${id}`;
    expect((await post(`/events/${id}/verify/undo`)).status).toBe(409);
    expect((await stateOf(id))?.verification).toBe('rejected');
  });
});

test('the figures count what waits and what was decided in seven days', async () => {
  const headers = bearer(editor.token);
  const read = () => answerOf(typedCall('get', '/api/admin/events/verification/stats', { headers }));
  await connection()`update events set verification = 'approved', decided_at = now() - interval '8 days' where verification = 'pending'`;
  const before = await read();
  expect([before.pending, before.averageConfidence]).toEqual([0, 0]);
  const [a, b] = [await makePendingEvent({ confidence: 90 }), await makePendingEvent({ confidence: 75 })];
  await makePendingEvent({ confidence: null });
  expect(await read()).toMatchObject({ pending: 3, averageConfidence: 83 });
  await post(`/events/${a}/verify/approve`, {});
  await post(`/events/${b}/verify/reject`, {});
  expect(await read()).toEqual({
    pending: 1,
    averageConfidence: 0,
    verifiedLast7Days: before.verifiedLast7Days + 1,
    rejectedLast7Days: before.rejectedLast7Days + 1,
  });
  expect((await get('/stats')).json).toMatchObject({
    totalArticles: expect.any(Number),
    totalStars: expect.any(Number),
    processingQueue: expect.any(Number),
  } as never);
});
