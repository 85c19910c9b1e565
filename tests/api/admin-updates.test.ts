import { beforeAll, describe, expect, test } from 'bun:test';
import { onInvalidation } from '#api/invalidation.ts';
import { connection } from '#db/client.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { makePendingEvent } from '#tests/kit/pending.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();

let editor = { id: 0, token: '' };
beforeAll(async () => {
  editor = await makeFan({ role: 'editor' });
});

let addresses = 0;
function ask(method: string, path: string, body?: object): Promise<Answer> {
  const init = body ? sending(body, method) : { method };
  const from = `10.7.${Math.floor(++addresses / 250)}.${addresses % 250}`;
  return call(`/api/admin${path}`, { ...init, headers: { ...init.headers, ...bearer(editor.token) }, from });
}
const approve = (id: number) => ask('POST', `/events/${id}/verify/approve`, { notes: '확인' });
const item = async (id: number) => (await ask('GET', `/events/${id}/verification?language=ko`)).json;
const publicEvent = async (id: number) => call(`/api/events/${id}?language=ko`);

async function readPublicEvent(id: number): Promise<{ startTime: string; venue: string | null }> {
  const pending = typedCall('get', '/api/events/:id', { params: { id }, query: { language: 'ko' } });
  const { startTime, venue } = await answerOf(pending);
  return { startTime, venue };
}

describe('what waits as an update of a known event', () => {
  test('says which one, as it is now, with the checks behind the confidence', async () => {
    const star = await makeStar();
    const into = await makePendingEvent({ verification: 'approved', starId: star, venue: '옛 극장' });
    const checks = { dateQuoted: true, dateNamed: true, weekdayRight: false };
    const id = await makePendingEvent({
      starId: star,
      updateOf: into,
      inHours: 50,
      venue: '새 극장',
      checks,
    });
    const { startTime } = await readPublicEvent(into);
    expect(await item(id)).toMatchObject({
      checks,
      venue: '새 극장',
      updateOf: { id: into, verification: 'approved', venue: '옛 극장', startTime, precision: 'minute' },
      // Said once.
      similar: [],
    });
    expect(await item(into)).toMatchObject({ updateOf: null });
  });

  test('changes the known event when it is approved, and is no event of its own', async () => {
    const into = await makePendingEvent({ verification: 'approved', venue: '옛 극장' });
    const id = await makePendingEvent({ updateOf: into, inHours: 72, venue: '새 극장' });
    const invalidated: string[] = [];
    const ignore = await onInvalidation(
      (tags) => invalidated.push(...tags),
      () => {},
    );
    const before = await readPublicEvent(into);
    const answer = await approve(id);
    expect(answer.json).toMatchObject({ id, verification: 'rejected', mergedInto: into });
    await until(() => invalidated.includes(`event:${into}`));
    expect((await publicEvent(id)).status).toBe(404);
    const after = await readPublicEvent(into);
    expect(after.venue).toBe('새 극장');
    expect(Date.parse(after.startTime) - Date.parse(before.startTime)).toBeGreaterThan(86_000_000);
    expect(await item(id)).toMatchObject({ mergedInto: { id: into }, decisionNotes: '확인' });
    expect((await approve(id)).status).toBe(409);

    invalidated.length = 0;
    const { decision } = answer.json as { decision: number };
    expect((await ask('POST', `/events/${id}/verify/undo`, { decision })).status).toBe(200);
    await until(() => invalidated.includes(`event:${into}`));
    await ignore();
    expect(await readPublicEvent(into)).toEqual(before);
    expect(await item(id)).toMatchObject({ verification: 'pending', mergedInto: null });
  });

  test('takes away no time and no place that its source does not name', async () => {
    const into = await makePendingEvent({ verification: 'approved', venue: '등대 홀', inHours: 400 });
    const [day] = await connection()<{ start: string }[]>`
      select to_char(date_trunc('day', start_time at time zone zone) at time zone zone at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI"Z"') as start from events where id = ${into}`;
    const id = await makePendingEvent({ updateOf: into, venue: null, precision: 'day' });
    await connection()`update events set start_time = ${day?.start ?? ''} where id = ${id}`;
    const before = await readPublicEvent(into);
    expect((await approve(id)).status).toBe(200);
    expect(await readPublicEvent(into)).toMatchObject({ startTime: before.startTime, venue: '등대 홀' });
  });

  const edit = (id: number, change: object) => ask('PUT', `/events/${id}`, change);
  const readEvent = (id: number) =>
    answerOf(typedCall('get', '/api/admin/events/:id', { params: { id }, headers: bearer(editor.token) }));
  const hours = (from: string | null, to: string | null) =>
    (Date.parse(to ?? '') - Date.parse(from ?? '')) / 3_600_000;

  test('leaves the end and the place that somebody has added by hand', async () => {
    const into = await makePendingEvent({ verification: 'approved', venue: '등대 홀', inHours: 48 });
    await connection()`update events set end_time = start_time + interval '3 hours' where id = ${into}`;
    await connection()`update event_translations set location = '서울' where event_id = ${into}`;
    const before = await readEvent(into);
    const sequence = async () =>
      (await connection()<{ sequence: number }[]>`select sequence from events where id = ${into}`)[0]
        ?.sequence ?? 0;
    const sequenceBefore = await sequence();
    const same = await makePendingEvent({ updateOf: into, venue: '새 극장' });
    await connection()`update events set start_time = ${before.startTime} where id = ${same}`;
    await approve(same);
    const moved = await readEvent(into);
    // Another place alone is news to calendar programs too.
    expect(await sequence()).toBe(sequenceBefore + 1);
    expect([moved.startTime, moved.endTime]).toEqual([before.startTime, before.endTime]);
    expect(moved.words.ko).toMatchObject({ venue: '새 극장', location: '서울' });
    await approve(await makePendingEvent({ updateOf: into, inHours: 72 }));
    const later = await readEvent(into);
    expect(hours(later.startTime, later.endTime)).toBe(3);
    // A day without a time: the end moves by whole days.
    const byDay = await makePendingEvent({ updateOf: into, precision: 'day' });
    await connection()`update events set start_time = date_trunc('day', ${later.startTime}::timestamptz at time zone zone)
      at time zone zone + interval '7 days' where id = ${byDay}`;
    await approve(byDay);
    const week = await readEvent(into);
    expect([week.precision, hours(later.endTime, week.endTime)]).toEqual(['day', 7 * 24]);
  });

  test('carries what an editor changed of it, and the undo takes that back', async () => {
    const [own, added] = [await makeStar(), await makeStar()];
    const into = await makePendingEvent({ verification: 'approved', starId: own, title: '손으로 쓴 제목' });
    await edit(into, { expected: 'approved', officialUrl: 'https://a.example/official' });
    const before = await readEvent(into);
    const id = await makePendingEvent({ updateOf: into, inHours: 72, title: '기계의 제목' });
    const { words } = await readEvent(id);
    const ko = { ...words.ko, title: '고친 제목', description: '두 시간 공연' };
    const change = { ticketUrl: 'https://a.example/tickets', state: 'cancelled', starIds: [added] };
    expect((await edit(id, { ...change, words: { ...words, ko } })).status).toBe(200);
    const { json } = await approve(id);
    expect(json).toMatchObject({ mergedInto: into });
    const after = await readEvent(into);
    expect(after).toMatchObject({
      ticketUrl: 'https://a.example/tickets',
      officialUrl: 'https://a.example/official',
      state: 'cancelled',
      primaryStarId: own,
      starIds: [own, added],
      words: { ko: { title: '고친 제목', description: '두 시간 공연' } },
    });
    // Nobody edited this one.
    expect(after.words.en?.title).toBe(before.words.en?.title ?? '');
    expect((await ask('POST', `/events/${id}/verify/undo`)).status).toBe(200);
    expect(await readEvent(into)).toEqual({ ...before, version: expect.any(String) });
  });

  test('carries the star that an editor put first, the zone and the end that he gave', async () => {
    const [own, other] = [await makeStar(), await makeStar()];
    const into = await makePendingEvent({ verification: 'approved', starId: own });
    const { startTime } = await readEvent(into);
    const id = await makePendingEvent({ updateOf: into, starId: own });
    await connection()`update events set start_time = ${startTime} where id = ${id}`;
    const endTime = new Date(Date.parse(startTime) + 3 * 3_600_000).toISOString();
    const change = { primaryStarId: other, zone: 'Asia/Tokyo', endTime };
    expect((await edit(id, change)).status).toBe(200);
    expect((await approve(id)).json).toMatchObject({ mergedInto: into });
    expect(await readEvent(into)).toMatchObject({
      primaryStarId: other,
      starIds: [own, other],
      zone: 'Asia/Tokyo',
      startTime,
      endTime,
    });
  });

  test('carries the end that an editor gave on the day on which it begins', async () => {
    const into = await makePendingEvent({ verification: 'approved', precision: 'day' });
    const { startTime } = await readEvent(into);
    const id = await makePendingEvent({ updateOf: into, precision: 'day' });
    await connection()`update events set start_time = ${startTime} where id = ${id}`;
    expect((await edit(id, { endTime: startTime })).status).toBe(200);
    expect((await approve(id)).json).toMatchObject({ mergedInto: into });
    expect(await readEvent(into)).toMatchObject({ startTime, endTime: startTime });
  });

  test('is taken back the newest first, until all is as it was', async () => {
    const into = await makePendingEvent({ verification: 'approved' });
    const before = await readPublicEvent(into);
    const [older, newer] = [
      await makePendingEvent({ updateOf: into, inHours: 60, venue: '첫 극장' }),
      await makePendingEvent({ updateOf: into, inHours: 72, venue: '둘째 극장' }),
    ];
    for (const id of [older, newer]) await approve(id);
    const undo = async (id: number) => (await ask('POST', `/events/${id}/verify/undo`)).status;
    expect([await undo(older), await undo(newer), await undo(older)]).toEqual([409, 200, 200]);
    expect(await readPublicEvent(into)).toEqual(before);
  });

  test('can be said to be another event, which is approved by itself', async () => {
    const into = await makePendingEvent({ verification: 'approved' });
    const before = await readPublicEvent(into);
    const id = await makePendingEvent({ updateOf: into, inHours: 72 });
    expect(await readEvent(id)).toMatchObject({ updateOfId: into });
    expect((await edit(id, { updateOfId: id })).status).toBe(400);
    expect((await edit(id, { updateOfId: null })).status).toBe(200);
    expect(await item(id)).toMatchObject({ updateOf: null });
    const [entry] = await connection()`
      select details from audit_log where action = 'event.edit' and subject_id = ${id}`;
    expect(entry).toMatchObject({ details: { before: { updateOfId: into } } });
    expect((await approve(id)).json).toMatchObject({ verification: 'approved' });
    expect((await publicEvent(id)).status).toBe(200);
    expect(await readPublicEvent(into)).toEqual(before);
  });

  test('of what is not public itself becomes public by itself', async () => {
    const waiting = await makePendingEvent();
    const id = await makePendingEvent({ updateOf: waiting });
    expect((await approve(id)).json).toMatchObject({ verification: 'approved' });
    expect((await publicEvent(id)).status).toBe(200);
  });

  test('and several at once, by two people at once, change it once each', async () => {
    const into = await makePendingEvent({ verification: 'approved' });
    const ids = await Promise.all(
      [60, 61, 62, 63].map((inHours) => makePendingEvent({ updateOf: into, inHours })),
    );
    const [plain, ...bulk] = [await makePendingEvent(), ...ids];
    const answers = await Promise.all([
      ask('POST', '/events/verify/bulk-approve', { eventIds: [...bulk, plain] }),
      ask('POST', '/events/verify/bulk-approve', { eventIds: [plain, ...bulk.toReversed()] }),
    ]);
    const results = answers.flatMap(({ json }) => Reflect.get(Object(json), 'results') as object[]);
    expect(results.filter((each) => Reflect.get(each, 'mergedInto') === into)).toHaveLength(4);
    expect(results.filter((each) => Reflect.get(each, 'verification') === 'approved')).not.toHaveLength(0);
    const [row] = await connection()<{ merged: number; entries: number }[]>`
      select (select count(*)::int from events where merged_into_id = ${into}) as merged,
        (select count(*)::int from audit_log where action = 'event.merge' and subject_id = any(${ids})) as entries`;
    expect(row).toEqual({ merged: 4, entries: 4 });
  });

  test('counts as verified, not as rejected', async () => {
    const headers = bearer(editor.token);
    const figures = () => answerOf(typedCall('get', '/api/admin/events/verification/stats', { headers }));
    const before = await figures();
    const into = await makePendingEvent({ verification: 'approved' });
    await approve(await makePendingEvent({ updateOf: into }));
    expect(await figures()).toMatchObject({
      verifiedLast7Days: before.verifiedLast7Days + 2,
      rejectedLast7Days: before.rejectedLast7Days,
    });
  });
});
