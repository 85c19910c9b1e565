import { describe, expect, test } from 'bun:test';
import ICAL from 'ical.js';
import { calendarOfAll, calendarOfEvent, calendarOfStar } from '#api/events/calendars.ts';
import { registerConnection } from '#api/plugins/client.ts';
import type { Lang } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { listCalendarEvents, listCalendarEventsOfStar } from '#db/queries/events/calendars.ts';
import { answerOutsideAstro } from '#site/lib/http/outside-astro.ts';
import { bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase();

const now = () => new Date();

/** Behind a zone or an event there is another, or the end: a property of the calendar stands before them (RFC 5545 §3.6). */
const propertyBehind = /^END:V(?:TIMEZONE|EVENT)\r\n(?!BEGIN:V|END:VCALENDAR\r\n)/m;

/** The events of a file as another program reads it, with the zones that the file itself brings. */
function read(file: string | undefined) {
  if (file === undefined) throw new Error('there is no file');
  expect(file).not.toMatch(propertyBehind);
  const calendar = new ICAL.Component(ICAL.parse(file));
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const text = (name: string) => component.getFirstPropertyValue(name)?.toString();
    return {
      uid: event.uid,
      summary: event.summary,
      description: event.description,
      location: event.location,
      sequence: event.sequence,
      start: event.startDate,
      end: event.endDate,
      status: text('status'),
      modified: text('last-modified'),
      stamp: text('dtstamp'),
      url: text('url'),
    };
  });
}

function one(file: string | undefined) {
  const [event, ...more] = read(file);
  if (!event || more.length > 0)
    throw new Error(`one event was expected, not ${more.length + (event ? 1 : 0)}`);
  return event;
}

const fileOf = (id: number, lang: Lang = 'en') => calendarOfEvent(lang, id);
const instant = (time: ICAL.Time) => time.toJSDate().toISOString();

describe('the file of an event', () => {
  test('has its words in the language of the file, its place, its links and its page', async () => {
    const star = await makeStar({ name: '파도반', names: { en: 'PADOBAN', vi: 'PADOBAN' } });
    const event = await makeEvent({
      star,
      titles: { ko: '바다 콘서트', en: 'Sea Concert', vi: 'Hòa nhạc biển' },
      description: 'Two hours; one encore, no rain.',
      venue: 'Hall; 3, “Sea”',
      location: 'Busan\\Harbour',
    });
    await connection()`update events set ticket_url = 'https://tickets.example/a?b=1,2;c' where id = ${event}`;
    const english = one(await fileOf(event));
    expect(english).toMatchObject({
      uid: `event-${event}@localhost`,
      summary: 'Sea Concert',
      location: 'Hall; 3, “Sea”, Busan\\Harbour',
      status: 'CONFIRMED',
      url: `http://localhost:4321/en/events/${event}`,
    });
    expect(english.description).toBe(
      `PADOBAN\n\nTwo hours; one encore, no rain.\n\nTickets: https://tickets.example/a?b=1,2;c\nDetails: http://localhost:4321/en/events/${event}`,
    );
    expect(one(await fileOf(event, 'ko')).summary).toBe('바다 콘서트');
    expect(one(await fileOf(event, 'vi')).description).toContain('Chi tiết: ');
    expect(one(await fileOf(event, 'ms')).summary).toBe('Sea Concert');
  });

  test('breaks no line, whatever stands in it: folded at 75 octets, escaped, with CRLF', async () => {
    const title = `${'가나다라 '.repeat(40)}\r\nEND:VEVENT\r\nBEGIN:VALARM,;\\"☄️👩‍👩‍👧`;
    const event = await makeEvent({
      titles: { ko: title },
      description: `a\u0000b`.replace('\u0000', '\u0007'),
    });
    const file = (await fileOf(event, 'ko')) ?? '';
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n\p{Cc}]/u);
    expect(one(file).summary).toBe(title.replace('\r\n', '\n').replace('\r\n', '\n'));
    expect(one(file).description).toContain('ab');
    expect(file.match(/^BEGIN:V/gm)).toHaveLength(3);
    expect(file).toEndWith('END:VCALENDAR\r\n');
  });

  test('is the right moment for a fan anywhere, and brings the rules of its zone', async () => {
    for (const [zone, start, local] of [
      ['Asia/Seoul', '2026-11-28T10:00:00Z', '2026-11-28T19:00:00'],
      ['Asia/Kuala_Lumpur', '2026-11-28T10:00:00Z', '2026-11-28T18:00:00'],
      ['Asia/Ho_Chi_Minh', '2026-11-28T10:00:00Z', '2026-11-28T17:00:00'],
      ['Asia/Saigon', '2026-11-28T10:00:00Z', '2026-11-28T17:00:00'],
      ['America/New_York', '2026-10-31T14:00:00Z', '2026-10-31T10:00:00'],
      ['America/New_York', '2026-11-01T15:00:00Z', '2026-11-01T10:00:00'],
      ['America/New_York', '2027-03-14T14:00:00Z', '2027-03-14T10:00:00'],
    ] as const) {
      const begin = new Date(start);
      const event = await makeEvent({ zone, start: begin, end: new Date(begin.getTime() + 90 * 60_000) });
      const file = await fileOf(event);
      const { start: from, end } = one(file);
      expect([zone, from.toString(), instant(from)]).toEqual([zone, local, begin.toISOString()]);
      expect(end.toJSDate().getTime() - from.toJSDate().getTime()).toBe(90 * 60_000);
      expect(file).toContain(`DTSTART;TZID=${zone}:`);
      expect(file).toContain(`BEGIN:VTIMEZONE\r\nTZID:${zone}\r\n`);
    }
  });

  test('is the right moment in the hour that comes twice, which the clock of the zone cannot tell', async () => {
    const [zone, start, end] = ['America/New_York', '2026-11-01T06:30:00.000Z', '2026-11-01T08:00:00.000Z'];
    const file = await fileOf(await makeEvent({ zone, start, end }));
    expect(file).toContain('DTSTART:20261101T063000Z\r\n');
    expect(instant(one(file).start)).toBe(start);
    expect(instant(one(file).end)).toBe(end);
    const first = await makeEvent({ zone, start: '2026-11-01T05:30:00.000Z', end });
    expect(await fileOf(first)).toContain(`DTSTART;TZID=${zone}:20261101T013000\r\n`);
  });

  test('has no end that is not after its start', async () => {
    const start = '2026-11-28T10:00:00Z';
    const file = await fileOf(await makeEvent({ start, end: start }));
    expect(file).toContain('DTSTART;TZID=Asia/Seoul:20261128T190000\r\n');
    expect(file).not.toContain('DTEND');
  });

  test('is a date, not a moment, when only the day is known; the end is the day after', async () => {
    const day = (text: string) => new Date(`${text}T00:00:00+09:00`);
    for (const [event, from, to] of [
      [{ start: day('2028-02-29') }, '20280229', '20280301'],
      [{ start: day('2026-12-31') }, '20261231', '20270101'],
      [{ start: day('2026-12-30'), end: day('2027-01-02') }, '20261230', '20270102'],
      [{ start: day('2026-12-30'), end: new Date('2026-12-31T23:59:00+09:00') }, '20261230', '20270101'],
      [{ start: new Date('2026-11-01T04:00:00Z'), zone: 'America/New_York' }, '20261101', '20261102'],
    ] as const) {
      const file = await fileOf(await makeEvent({ ...event, precision: 'day' }));
      expect(file).toContain(`DTSTART;VALUE=DATE:${from}\r\n`);
      expect(file).toContain(`DTEND;VALUE=DATE:${to}\r\n`);
      expect(one(file).start.isDate).toBe(true);
    }
  });

  test('is the same bytes each time, and the same entry with a higher SEQUENCE after a change', async () => {
    const event = await makeEvent();
    const before = await fileOf(event);
    expect(await fileOf(event)).toBe(before ?? '');
    await connection()`update events set start_time = start_time + interval '1 hour' where id = ${event}`;
    await connection()`update event_translations set title = 'Elsewhere' where event_id = ${event}`;
    const [old, fresh] = [one(before), one(await fileOf(event))];
    expect([fresh.uid, fresh.sequence, fresh.summary]).toEqual([old.uid, old.sequence + 2, 'Elsewhere']);
    expect(Date.parse(fresh.modified ?? '')).toBeGreaterThanOrEqual(Date.parse(old.modified ?? ''));
    expect(fresh.stamp).toBe(fresh.modified ?? '');
    expect(one(await fileOf(event, 'ko')).uid).toBe(old.uid);
  });

  test('stays as CANCELLED, and is gone when it is no longer public', async () => {
    const event = await makeEvent({ titles: { en: 'Sea Concert' } });
    await connection()`update events set state = 'cancelled' where id = ${event}`;
    expect(one(await fileOf(event))).toMatchObject({
      status: 'CANCELLED',
      summary: 'Cancelled: Sea Concert',
    });
    await connection()`update events set verification = 'rejected' where id = ${event}`;
    expect(await fileOf(event)).toBeUndefined();
    expect(await fileOf(await makeEvent({ verification: 'pending' }))).toBeUndefined();
  });
});

describe('the calendar', () => {
  test('of a star has what it is part of, in time order, and nothing that waits', async () => {
    const [star, other] = [await makeStar({ names: { en: 'HARUCHI' } }), await makeStar()];
    const at = (days: number) => new Date(Date.now() + days * 86_400_000);
    await makeEvent({ stars: [star], star: other, start: at(3), titles: { en: 'Linked' } });
    await makeEvent({ star, start: at(2), titles: { en: 'Own' } });
    await makeEvent({ star, start: at(-30), titles: { en: 'Last month' } });
    await makeEvent({ star, start: at(5), verification: 'pending', titles: { en: 'Secret' } });
    await makeEvent({ star: other, start: at(1), titles: { en: 'Other' } });
    const file = await calendarOfStar('en', star, now());
    expect(read(file).map(({ summary }) => summary)).toEqual(['Last month', 'Own', 'Linked']);
    expect(file).toContain('X-WR-CALNAME:HARUCHI on Byeol\r\n');
    expect(await calendarOfStar('en', 2_000_000_000, now())).toBeUndefined();
  });

  test('of a language has every public event around now, also one in a zone that calendars do not know', async () => {
    const hidden = await makeEvent({ verification: 'pending', titles: { en: 'Waiting' } });
    const odd = await makeEvent({ zone: 'Etc/GMT+7', start: new Date(Date.now() + 3_600_000) });
    const uids = read(await calendarOfAll('ms', now())).map(({ uid }) => uid);
    expect(uids).toContain(`event-${odd}@localhost`);
    expect(uids).not.toContain(`event-${hidden}@localhost`);
    expect(new Set(uids).size).toBe(uids.length);
  });

  test('that is full has what is on and comes before what was, soonest and newest first', async () => {
    const at = new Date('2031-05-01T00:00:00Z');
    const days = (count: number) => new Date(at.getTime() + count * 86_400_000);
    const star = await makeStar();
    const make = (start: number, end?: number) =>
      makeEvent({ star, start: days(start), ...(end !== undefined && { end: days(end) }) });
    const [, was] = [await make(-3), await make(-2)];
    const on = await make(-40, 2);
    const [next, later, last] = [await make(1), await make(2), await make(3)];
    const reach = { now: at, from: days(-31), to: days(366) };
    for (const [limit, ids] of [
      [2, [on, next]],
      [4, [on, next, later, last]],
      [5, [on, was, next, later, last]],
    ] as const)
      for (const rows of [
        await listCalendarEvents('en', { ...reach, limit }),
        await listCalendarEventsOfStar('en', star, { ...reach, limit }),
      ])
        expect([limit, rows.map(({ id }) => id)]).toEqual([limit, [...ids]]);
  });
});

describe('a fan’s private calendar', () => {
  const link = (token: string, method: string) =>
    call('/api/calendar/link', { method, headers: bearer(token) });

  async function fetchAs(url: string, from = '192.0.2.77', method = 'GET'): Promise<Response> {
    const request = new Request(url, { method });
    registerConnection(request, from);
    const answer = await answerOutsideAstro(request, new URL(url).pathname);
    if (!answer) throw new Error('not answered');
    return answer;
  }

  async function urlOf(token: string): Promise<string> {
    const headers = bearer(token);
    const { status, answer } = await typedCall('post', '/api/calendar/link', { headers });
    expect([status, answer]).toEqual([
      200,
      { url: expect.stringMatching(/^http:\/\/localhost:4321\/calendar\/[0-9a-f]{64}\.ics$/) },
    ]);
    return answer?.url ?? '';
  }

  test('has what the fan is subscribed to, in the fan’s language, kept by nobody', async () => {
    const [fan, other] = [await makeFan(), await makeFan()];
    await connection()`update users set language = 'vi' where id = ${fan.id}`;
    const [subscribed, cancelled] = [
      await makeEvent({ titles: { en: 'Mine' } }),
      await makeEvent({ titles: { en: 'Gone', vi: 'Đã qua' } }),
    ];
    const ofAnotherFan = await makeEvent();
    for (const [event, { token }] of [
      [subscribed, fan],
      [cancelled, fan],
      [ofAnotherFan, other],
    ] as const)
      await call(`/api/events/${event}/subscribe`, {
        ...sending({}),
        headers: { 'content-type': 'application/json', ...bearer(token) },
      });
    await connection()`update events set state = 'cancelled' where id = ${cancelled}`;
    const answer = await fetchAs(await urlOf(fan.token));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ]);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    const file = await answer.text();
    expect(
      read(file)
        .map(({ summary }) => summary)
        .sort(),
    ).toEqual(['Mine', 'Đã hủy: Đã qua']);
    expect(file).toContain('X-WR-CALNAME:Sự kiện của tôi trên Byeol\r\n');
  });

  test('has one address: a new one ends the old, and it can be switched off', async () => {
    const fan = await makeFan();
    expect((await link(fan.token, 'GET')).json).toEqual({ since: null });
    const first = await urlOf(fan.token);
    const second = await urlOf(fan.token);
    expect([(await fetchAs(first)).status, (await fetchAs(second)).status]).toEqual([404, 200]);
    expect((await link(fan.token, 'GET')).json).toEqual({ since: expect.any(String) });
    expect((await link(fan.token, 'DELETE')).json).toEqual({ since: null });
    expect((await link(fan.token, 'DELETE')).status).toBe(200);
    expect((await fetchAs(second)).status).toBe(404);
  });

  test('keeps only a hash of its address, and ends with the account', async () => {
    const fan = await makeFan();
    const url = await urlOf(fan.token);
    const token = url.match(/[0-9a-f]{64}/)?.[0] ?? '';
    const [row] = await connection()<{ hash: string }[]>`
      select encode(token_hash, 'hex') as hash from calendar_links where user_id = ${fan.id}`;
    expect(row?.hash).toBe(new Bun.CryptoHasher('sha256').update(token).digest('hex'));
    expect((await fetchAs(url.replace(token, row?.hash ?? ''))).status).toBe(404);
    await connection()`update users set deleted_at = now() where id = ${fan.id}`;
    expect((await fetchAs(url)).status).toBe(404);
  });

  test('is nobody’s for a guesser, who is soon told to stop; the right one still works', async () => {
    const fan = await makeFan();
    const url = await urlOf(fan.token);
    for (const path of [
      '/calendar/.ics',
      '/calendar/a/b.ics',
      `/calendar/${'0'.repeat(64)}`,
      '/calendar/%00.ics',
    ])
      expect((await fetchAs(`http://localhost:4321${path}`)).status).toBe(404);
    const guess = () =>
      fetchAs(`http://localhost:4321/calendar/${crypto.randomUUID().replaceAll('-', '').repeat(2)}.ics`);
    await untilWindowHas(20, 300);
    const statuses: number[] = [];
    for (let n = 0; n < 60; n += 1) statuses.push((await guess()).status);
    expect(statuses[0]).toBe(404);
    const refused = await guess();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await fetchAs(url)).status).toBe(200);
    expect((await fetchAs(url, '192.0.2.77', 'POST')).status).toBe(405);
    expect((await call('/api/calendar/link', { method: 'POST' })).status).toBe(401);
  });

  test('is fetched as often as devices need, and no more, wherever they are', async () => {
    const [fan, other] = [await makeFan(), await makeFan()];
    const [url, ofOther] = [await urlOf(fan.token), await urlOf(other.token)];
    await untilWindowHas(30, 3600);
    const answers = await Promise.all(
      Array.from({ length: 125 }, (_, n) =>
        fetchAs(url, `198.51.100.${n % 50}`, n % 2 === 0 ? 'GET' : 'HEAD'),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetchAs(ofOther)).status).toBe(200);
  });
});
