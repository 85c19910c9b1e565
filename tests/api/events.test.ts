import { describe, expect, test } from 'bun:test';
import { dayOf, lifeOfDays } from '#api/events/days.ts';
import { readEventPage, readNextEvents } from '#api/events/events.ts';
import type { Lang } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import type { ApiCall } from '#site/lib/http/api-call.ts';
import { answerOf, bearer, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeEvent, makeEventCategories, makeFan, makeStar } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase();

type MonthQuery = ApiCall<'get', '/api/events/calendar/month/:year/:month'>['query'];

const readMonth = (year: number, month: number, query?: MonthQuery) => {
  const params = { year: String(year), month: String(month) };
  return answerOf(typedCall('get', '/api/events/calendar/month/:year/:month', { params, query }));
};

/** The dates of a month on which an event stands. */
async function datesOf(id: number, year: number, month: number, query?: MonthQuery): Promise<string[]> {
  const { days } = await readMonth(year, month, query);
  return days.filter(({ events }) => events.some((event) => event.id === id)).map(({ date }) => date);
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('a page and a ticket tell of an event what a call does, by the same names', async () => {
  const star = await makeStar({ names: { en: 'ONE' } });
  const id = await makeEvent({ star, venue: 'Hall', location: 'Seoul', end: inDays(8) });
  const query = { language: 'ms' } as const;
  const data = await answerOf(typedCall('get', '/api/events/:id', { params: { id }, query }));
  const { timeUntilStart: _, ...onPage } = data;
  expect(await readEventPage(id, 'ms', new Date())).toMatchObject(onPage);
  const { title, language, eventType, status, startTime, overAt, zone, precision, venue, location } = data;
  expect(await readNextEvents('ms', [star], new Date(), 1)).toMatchObject([
    { id, title, language, eventType, status, startTime, overAt, zone, precision, venue, location },
  ]);
});

describe('a month of events', () => {
  test('has every day, says which has events, and which is today in the zone asked for', async () => {
    // Days end there with an hour of ours.
    await untilWindowHas(20, 3_600);
    const now = new Date();
    const parts = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(now).split('-');
    const id = await makeEvent({ start: now.toISOString() });
    const [year = 0, month = 0] = parts.map(Number);
    const { days, ...calendar } = await readMonth(year, month, { tz: 'Pacific/Kiritimati' });
    expect(calendar).toMatchObject({ year, month });
    expect(days).toHaveLength(new Date(Date.UTC(year, month, 0)).getUTCDate());
    const today = days.filter(({ isToday }) => isToday);
    expect(today).toEqual([
      expect.objectContaining({ date: parts.join('-'), hasEvents: true, isSelected: true }),
    ]);
    expect(today[0]?.events.map((event) => event.id)).toContain(id);
    expect(days.every(({ hasEvents, events }) => hasEvents === events.length > 0)).toBe(true);
  });

  test('puts an event on the day of the visitor’s zone: around midnight, in another month, on a leap day', async () => {
    const night = await makeEvent({ start: '2031-03-31T15:30:00Z' });
    expect(await datesOf(night, 2031, 4)).toEqual(['2031-04-01']);
    expect(await datesOf(night, 2031, 3)).toEqual([]);
    expect(await datesOf(night, 2031, 3, { tz: 'America/New_York' })).toEqual(['2031-03-31']);
    const midnight = await makeEvent({ start: '2031-06-09T15:00:00Z' });
    const before = await makeEvent({ start: '2031-06-09T14:59:59Z', end: '2031-06-09T15:00:00Z' });
    expect(await datesOf(midnight, 2031, 6)).toEqual(['2031-06-10']);
    expect(await datesOf(before, 2031, 6)).toEqual(['2031-06-09']);
    const leap = await makeEvent({ start: '2032-02-29T03:00:00Z' });
    expect(await datesOf(leap, 2032, 2)).toEqual(['2032-02-29']);
    expect(await datesOf(leap, 2032, 3)).toEqual([]);
  });

  test('knows the hour that New York loses and the one that it has twice', async () => {
    const tz = 'America/New_York';
    // 9 March 2031 has 23 hours there, 2 November 25.
    const beforeSpring = await makeEvent({ start: '2031-03-10T03:59:00Z', end: '2031-03-10T04:00:00Z' });
    const afterSpring = await makeEvent({ start: '2031-03-10T04:00:00Z' });
    const beforeAutumn = await makeEvent({ start: '2031-11-03T04:59:00Z', end: '2031-11-03T05:00:00Z' });
    const afterAutumn = await makeEvent({ start: '2031-11-03T05:00:00Z' });
    expect(await datesOf(beforeSpring, 2031, 3, { tz })).toEqual(['2031-03-09']);
    expect(await datesOf(afterSpring, 2031, 3, { tz })).toEqual(['2031-03-10']);
    expect(await datesOf(beforeAutumn, 2031, 11, { tz })).toEqual(['2031-11-02']);
    expect(await datesOf(afterAutumn, 2031, 11, { tz })).toEqual(['2031-11-03']);
  });

  test('shows an event of several days on each, one that runs past midnight on its evening, and counts both once', async () => {
    const star = await makeStar();
    const festival = await makeEvent({
      start: '2033-04-29T01:00:00Z',
      end: '2033-05-02T13:00:00Z',
      star,
    });
    const late = await makeEvent({
      start: '2033-05-10T14:30:00Z',
      end: '2033-05-10T16:30:00Z',
      star,
    });
    expect(await datesOf(festival, 2033, 4)).toEqual(['2033-04-29', '2033-04-30']);
    expect(await datesOf(festival, 2033, 5)).toEqual(['2033-05-01', '2033-05-02']);
    expect(await datesOf(late, 2033, 5)).toEqual(['2033-05-10']);
    const { json } = await call(`/api/events/calendar/month/2033/5?starIds=[${star}]`);
    expect(json).toMatchObject({ totalEvents: 2 });
  });

  test('keeps the date of a whole day for everybody', async () => {
    const birthday = await makeEvent({
      eventType: 'birthday',
      precision: 'day',
      start: '2033-06-30T15:00:00Z',
    });
    for (const tz of ['Asia/Seoul', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect([tz, await datesOf(birthday, 2033, 7, { tz })]).toEqual([tz, ['2033-07-01']]);
      expect([tz, await datesOf(birthday, 2033, 6, { tz })]).toEqual([tz, []]);
    }
  });

  test('keeps what passes both filters, by the primary or any linked star', async () => {
    const [star, other] = [await makeStar(), await makeStar()];
    const categories = await makeEventCategories();
    const at = { start: '2034-01-10T03:00:00Z' };
    const main = await makeEvent({ ...at, eventType: 'concert', star });
    const guest = await makeEvent({ ...at, eventType: 'concert', star: other, stars: [star] });
    const talk = await makeEvent({ ...at, eventType: 'tv_show', star });
    const alone = await makeEvent({ ...at, eventType: 'concert', star: other });
    const readIds = async (query: MonthQuery) => {
      const { days } = await readMonth(2034, 1, query);
      return days.flatMap(({ events }) => events.map(({ id }) => id)).sort((a, b) => a - b);
    };
    const categoryIds = `[${categories.get('concert')}]`;
    expect(await readIds({})).toEqual([main, guest, talk, alone]);
    expect(await readIds({ categoryIds })).toEqual([main, guest, alone]);
    expect(await readIds({ starIds: `[${star}]` })).toEqual([main, guest, talk]);
    expect(await readIds({ categoryIds, starIds: `[${star}]` })).toEqual([main, guest]);
  });

  test('refuses what is no month or zone, and says what is wrong', async () => {
    for (const [path, field] of [
      ['2026/0', 'month'],
      ['2026/13', 'month'],
      ['2026/-1', 'month'],
      ['2026/1e0', 'month'],
      ['2026/011', 'month'],
      ['99999/1', 'year'],
      ['0/1', 'year'],
      ['abc/1', 'year'],
      ['2026/1?tz=Mars/Phobos', 'tz'],
      ['2026/1?tz=', 'tz'],
      // As a page it would be the same under another address.
      ['2026/1?tz=asia/Seoul', 'tz'],
      ['2026/1?tz=US/EASTERN', 'tz'],
      ["2026/1?tz='; drop table events; --", 'tz'],
      ['2026/1?categoryIds=[0]', 'categoryIds'],
      ['2026/1?starIds=7', 'starIds'],
      ['2026/1?language=ja', 'language'],
    ] as const) {
      const { status, json } = await call(`/api/events/calendar/month/${path}`);
      expect([path, status, json]).toEqual([
        path,
        400,
        { error: expect.any(String), code: 'invalid', field },
      ]);
    }
    expect((await call('/api/events/calendar/month/2026/02')).status).toBe(200);
  });
});

describe('the events between two instants', () => {
  const range = (startDate: string, endDate: string, more = '') =>
    call(
      `/api/events/calendar/range?startDate=${encodeURIComponent(startDate)}&endDate=${encodeURIComponent(endDate)}${more}`,
    );
  const ids = (json: unknown) => (Array.isArray(json) ? json.map(({ id }: { id: number }) => id) : []);

  test('come earliest first, with what goes on at the first of them, up to the limit', async () => {
    const running = await makeEvent({ start: '2035-02-01T10:00:00Z', end: '2035-02-01T12:00:00Z' });
    const over = await makeEvent({ start: '2035-02-01T08:00:00Z', end: '2035-02-01T11:00:00Z' });
    const later = await makeEvent({ start: '2035-02-02T00:00:00Z' });
    const last = await makeEvent({ start: '2035-02-03T11:00:00Z' });
    const outside = await makeEvent({ start: '2035-02-03T11:00:01Z' });
    const all = ids((await range('2035-02-01T11:00:00Z', '2035-02-03T11:00:00.999Z')).json);
    expect(all).toEqual([running, later, last]);
    expect(all).not.toContain(over);
    expect(all).not.toContain(outside);
    expect(ids((await range('2035-02-01T20:00:00+09:00', '2035-02-04T00:00:00Z', '&limit=2')).json)).toEqual([
      running,
      later,
    ]);
  });

  test('are refused when they are no instants, in the wrong order, or too many', async () => {
    for (const [path, field] of [
      ['', 'startDate'],
      ['?startDate=2026-01-01T00:00:00Z', 'endDate'],
      ['?startDate=yesterday&endDate=2026-01-01T00:00:00Z', 'startDate'],
      ['?startDate=2026-01-01&endDate=2026-01-02', 'startDate'],
      ['?startDate=2026-13-01T00:00:00Z&endDate=2027-01-01T00:00:00Z', 'startDate'],
      ['?startDate=2026-02-30T00:00:00Z&endDate=2027-01-01T00:00:00Z', 'startDate'],
      ['?startDate=0000-01-01T00:00:00Z&endDate=2027-01-01T00:00:00Z', 'startDate'],
      ['?startDate=2026-01-01T00:00:00Z&endDate=9999-12-31T23:59:59-12:00', 'endDate'],
      ['?startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z', 'startDate'],
      ['?startDate=2026-01-01T00:00:00Z&endDate=2026-01-02T00:00:00Z&limit=0', 'limit'],
      ['?startDate=2026-01-01T00:00:00Z&endDate=2026-01-02T00:00:00Z&limit=101', 'limit'],
    ] as const) {
      const { status, json } = await call(`/api/events/calendar/range${path}`);
      expect([path, status, json]).toEqual([
        path,
        400,
        expect.objectContaining({ error: expect.any(String), code: expect.any(String), field }),
      ]);
    }
  });
});

describe('an event', () => {
  test('has everything of the contract, in the language asked for', async () => {
    const star = await makeStar({ name: '파도반', names: { en: 'PADOBAN' } });
    const article = await makeArticle({ stars: [star], rewrites: { ko: '제목' } });
    const start = inDays(2);
    const id = await makeEvent({
      eventType: 'fan_meeting',
      start,
      titles: { ko: '팬미팅', en: 'Fan meeting' },
      description: 'What it is',
      venue: 'Hanbit Dome',
      location: 'Seoul',
      star,
      article,
      capacity: 900,
      ticketUrl: 'https://tickets.example/1',
    });
    const read = (language: Lang) =>
      answerOf(typedCall('get', '/api/events/:id', { params: { id }, query: { language } }));
    const event = await read('en');
    expect(event).toMatchObject({
      id,
      title: 'Fan meeting',
      description: 'What it is',
      language: 'en',
      eventType: 'fan_meeting',
      status: 'upcoming',
      startTime: start,
      endTime: null,
      overAt: new Date(Date.parse(start) + 120 * 60_000).toISOString(),
      zone: 'Asia/Seoul',
      precision: 'minute',
      venue: 'Hanbit Dome',
      location: 'Seoul',
      capacity: 900,
      rsvpCount: 0,
      category: { slug: 'fan-meeting', name: 'Fan meeting', color: '#d17100' },
      primaryStar: { id: star, name: 'PADOBAN', imageUrl: expect.stringContaining('/media/') },
      eventStars: [{ star: { id: star, name: 'PADOBAN' }, role: 'performer' }],
      isSubscribed: false,
      sourceArticleId: article,
      ticketUrl: 'https://tickets.example/1',
      streamingUrl: null,
      officialUrl: null,
    });
    expect(Math.abs(event.timeUntilStart - 2 * 86_400)).toBeLessThan(120);
    expect(await read('vi')).toMatchObject({
      title: 'Fan meeting',
      language: 'en',
    });
    for (const language of ['en', 'vi'] as const) {
      const [year = 0, month = 0] = dayOf(new Date(start), 'Asia/Seoul').split('-').map(Number);
      const { days } = await readMonth(year, month, { language });
      const ofMonth = days.flatMap(({ events }) => events).find((event) => event.id === id);
      expect({ ...ofMonth, timeUntilStart: 0 }).toEqual({ ...(await read(language)), timeUntilStart: 0 });
    }
    expect((await call(`/api/articles?eventId=${id}&limit=1`)).json).toMatchObject([{ id: article }]);
    expect((await call(`/api/articles?eventId=${await makeEvent()}&limit=1`)).json).toEqual([]);
  });

  test('is upcoming, live and completed by its times, or cancelled', async () => {
    const statusOf = async (event: Parameters<typeof makeEvent>[0]) => {
      const id = await makeEvent(event);
      return (await answerOf(typedCall('get', '/api/events/:id', { params: { id } }))).status;
    };
    expect(await statusOf({ start: inDays(1) })).toBe('upcoming');
    expect(await statusOf({ start: inDays(-0.01) })).toBe('live');
    expect(await statusOf({ start: inDays(-1), end: inDays(1) })).toBe('live');
    expect(await statusOf({ eventType: 'tv_show', start: inDays(-81 / 1440) })).toBe('completed');
    expect(await statusOf({ eventType: 'concert', start: inDays(-81 / 1440) })).toBe('live');
    expect(await statusOf({ start: inDays(-2) })).toBe('completed');
    expect(await statusOf({ start: inDays(1), state: 'cancelled' })).toBe('cancelled');
    expect(await statusOf({ precision: 'day', start: inDays(-0.5) })).toBe('live');
  });

  test('that nobody approved is nowhere', async () => {
    const star = await makeStar();
    for (const verification of ['pending', 'rejected'] as const) {
      const id = await makeEvent({ verification, start: '2036-01-10T03:00:00Z', star });
      expect((await call(`/api/events/${id}`)).json).toEqual({
        error: 'Event not found.',
        code: 'not_found',
      });
      expect(await datesOf(id, 2036, 1)).toEqual([]);
      expect((await call(`/api/events?starIds=[${star}]`)).json).toEqual({ events: [] });
    }
    for (const id of ['0', '-1', 'x', '99999999999', '2147483647']) {
      expect([id, (await call(`/api/events/${id}`)).status]).toEqual([id, 404]);
    }
  });

  test('does not name an article that was withdrawn', async () => {
    const article = await makeArticle({ withdrawn: true });
    const { json } = await call(`/api/events/${await makeEvent({ article })}`);
    expect(json).toMatchObject({ sourceArticleId: null });
  });

  test('says whether the fan who asks is subscribed, to nobody else', async () => {
    const id = await makeEvent({ start: '2037-01-10T03:00:00Z' });
    const [fan, other] = [await makeFan(), await makeFan()];
    await connection()`insert into event_subscriptions (user_id, event_id) values (${fan.id}, ${id})`;
    for (const path of [`/api/events/${id}`, '/api/events/calendar/month/2037/1']) {
      const own = await call(path, { headers: bearer(fan.token) });
      expect(own.text).toContain('"isSubscribed":true');
      expect(own.headers.get('cache-control')).toBe('private, no-store');
      for (const headers of [{}, bearer(other.token)]) {
        expect((await call(path, { headers })).text).not.toContain('"isSubscribed":true');
      }
      const open = await call(path);
      expect(open.headers.get('cache-control')).toStartWith('public');
      expect(open.headers.get('vary')).toContain('Cookie');
    }
    expect((await call(`/api/events/${id}`)).json).toMatchObject({ rsvpCount: 1 });
  });
});

test('the next events are answered soonest first, live ones before them, with a limit', async () => {
  const star = await makeStar();
  const later = await makeEvent({ start: inDays(3), star });
  const live = await makeEvent({ start: inDays(-0.01), star });
  const soon = await makeEvent({ start: inDays(1), star });
  await makeEvent({ start: inDays(-3), star });
  const ids = async (more: { limit?: number; offset?: number } = {}) => {
    const query = { starIds: `[${star}]`, ...more };
    const { events } = await answerOf(typedCall('get', '/api/events', { query }));
    return events.map(({ id }) => id);
  };
  expect(await ids()).toEqual([live, soon, later]);
  expect(await ids({ limit: 2 })).toEqual([live, soon]);
  expect(await ids({ limit: 2, offset: 2 })).toEqual([later]);
  expect((await call('/api/events?limit=1e1')).json).toMatchObject({ field: 'limit' });
});

test('a page that shows days is kept for a minute, and in no zone over midnight', () => {
  const lives = (at: string, zone: string) => lifeOfDays(new Date(at), zone);
  expect(lives('2026-11-21T12:00:00Z', 'Asia/Seoul')).toBe(60);
  expect(lives('2026-11-21T14:59:30Z', 'Asia/Seoul')).toBe(30);
  expect(lives('2026-11-21T14:59:59.900Z', 'Asia/Seoul')).toBe(1);
  expect(lives('2026-11-21T15:00:00Z', 'Asia/Seoul')).toBe(60);
  expect(lives('2026-11-02T04:59:50Z', 'America/New_York')).toBe(10);
});
