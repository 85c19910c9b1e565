import { describe, expect, test } from 'bun:test';
import { connection } from '#db/client.ts';
import type { ApiCall } from '#site/lib/http/api-call.ts';
import { answerOf, bearer, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeFan } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase();

const person = {
  'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36',
  origin: 'http://localhost:4321',
};
let address = 0;

/** A look at an event by somebody in a network of their own. */
const look = (id: number | string, init: { headers?: Record<string, string>; from?: string } = {}) =>
  call(`/api/events/${id}/view`, {
    method: 'POST',
    headers: person,
    from: `198.51.100.${++address % 250}`,
    ...init,
  });

const trending = (query?: ApiCall<'get', '/api/events/trending'>['query']) =>
  answerOf(typedCall('get', '/api/events/trending', { query }));
const rowOf = async (id: number) => (await trending({ limit: 100 })).events.find((event) => event.id === id);

async function subscribe(id: number, daysAgo = 0): Promise<number> {
  const { id: fan } = await makeFan();
  const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  await connection()`insert into event_subscriptions (user_id, event_id, created_at) values (${fan}, ${id}, ${at})`;
  return fan;
}

describe('a view of an event', () => {
  test('counts once per person and day, and each person', async () => {
    const id = await makeEvent();
    // A day ends with an hour, in Seoul too.
    await untilWindowHas(20, 3_600);
    expect((await look(id, { from: '203.0.113.1' })).json).toEqual({ counted: true });
    expect((await look(id, { from: '203.0.113.1' })).json).toEqual({ counted: false });
    const other = { ...person, 'user-agent': `${person['user-agent']} Other` };
    expect((await look(id, { from: '203.0.113.1', headers: other })).json).toEqual({ counted: true });
    expect((await look(id, { from: '203.0.113.2' })).json).toEqual({ counted: true });
    expect((await rowOf(id))?.viewCount).toBe(3);
  });

  test('does not count crawlers, prefetches, nobody, and other people’s pages', async () => {
    const id = await makeEvent();
    const strangers: Record<string, string>[] = [
      { ...person, 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      { ...person, 'user-agent': 'curl/8.9.1' },
      { ...person, 'sec-purpose': 'prefetch;prerender' },
      { ...person, origin: 'https://elsewhere.example' },
      { 'user-agent': person['user-agent'] },
      { origin: person.origin },
    ];
    for (const headers of strangers) {
      expect((await look(id, { headers })).json).toEqual({ counted: false });
    }
    expect(await rowOf(id)).toBeUndefined();
  });

  test('of one network counts twenty times a day at most, whatever its browsers are called', async () => {
    const id = await makeEvent();
    for (let n = 0; n < 25; n += 1) {
      await look(id, {
        from: '203.0.113.9',
        headers: { ...person, 'user-agent': `${person['user-agent']} ${n}` },
      });
    }
    expect((await rowOf(id))?.viewCount).toBe(20);
  });

  test('of accounts of a week counts once a day for each, wherever they are', async () => {
    const id = await makeEvent();
    const seen: unknown[] = [];
    for (let n = 0; n < 25; n += 1) {
      const fan = await makeFan();
      const days = n < 22 ? 8 : 6;
      await connection()`update users set created_at = now() - make_interval(days => ${days}) where id = ${fan.id}`;
      const headers = { ...person, ...bearer(fan.token), 'user-agent': `${person['user-agent']} ${n % 2}` };
      seen.push((await look(id, { from: '203.0.113.11', headers })).json);
      if (n === 0) expect((await look(id, { headers })).json).toEqual({ counted: false });
    }
    // The three young ones are two browsers of one network.
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => ({ counted: n < 24 })));
    expect((await rowOf(id))?.viewCount).toBe(24);
  });

  test('keeps nothing of the person: no address, no browser, no way back once the day is over', async () => {
    const id = await makeEvent();
    await look(id, { from: '203.0.113.77' });
    const sql = connection();
    const viewRows = await sql`select * from event_views where event_id = ${id}`;
    expect(JSON.stringify(viewRows)).not.toContain('203.0.113');
    expect(Object.keys(viewRows[0] ?? {})).toEqual(['event_id', 'day', 'visitor', 'seen_at']);
  });

  test('of an event that is not public is a 404, and calls are limited', async () => {
    expect((await look(await makeEvent({ verification: 'pending' }))).status).toBe(404);
    expect((await look('x')).status).toBe(404);
    const id = await makeEvent();
    await untilWindowHas(15, 60);
    const answers = await Promise.all(Array.from({ length: 610 }, () => look(id, { from: '203.0.113.50' })));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await call(`/api/events/${id}/view`)).status).toBe(405);
  });
});

describe('trending', () => {
  test('is ranked by subscriptions and views of the last days: what is older counts less', async () => {
    const [old, fresh, viewed] = [await makeEvent(), await makeEvent(), await makeEvent()];
    for (let n = 0; n < 4; n += 1) await subscribe(old, 12);
    for (let n = 0; n < 3; n += 1) await subscribe(fresh);
    for (let n = 0; n < 5; n += 1) await look(viewed);
    const ids = (await trending({ limit: 100 })).events.map(({ id }) => id);
    const places = [fresh, viewed, old].map((id) => ids.indexOf(id));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(await rowOf(fresh)).toMatchObject({ subscriptionCount: 3, rsvpCount: 3, viewCount: 0 });
  });

  test('counts who is interested apart from who is going, also when they change their minds at once', async () => {
    const id = await makeEvent();
    const fans = [await makeFan(), await makeFan(), await makeFan()];
    const say = (fan: { token: string }, type: string) =>
      call(`/api/events/${id}/subscribe`, {
        method: 'POST',
        headers: { ...bearer(fan.token), 'content-type': 'application/json' },
        body: JSON.stringify({ subscriptionType: type }),
      });
    const leave = (fan: { token: string }) =>
      call(`/api/events/${id}/subscribe`, { method: 'DELETE', headers: bearer(fan.token) });
    const types = ['going', 'interested', 'going', 'interested', 'going'];
    const answers = await Promise.all(
      fans.flatMap((fan) => [...types.map((type) => say(fan, type)), leave(fan), say(fan, 'going')]),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    await Promise.all(fans.map((fan, index) => say(fan, index === 0 ? 'going' : 'interested')));
    expect(await rowOf(id)).toMatchObject({ subscriptionCount: 2, rsvpCount: 3 });
    await Promise.all(fans.map((fan) => say(fan, 'going')));
    expect(await rowOf(id)).toMatchObject({ subscriptionCount: 0, rsvpCount: 3 });
    const [one] = fans;
    await leave({ token: one?.token ?? '' });
    expect(await rowOf(id)).toMatchObject({ subscriptionCount: 0, rsvpCount: 2 });
  });

  test('takes back what a fan takes back', async () => {
    const id = await makeEvent();
    const fans = [await subscribe(id), await subscribe(id), await subscribe(id, 2)];
    const heat = async () =>
      (
        await connection()<
          { heat: number; subscriptions: number }[]
        >`select * from event_interest where event_id = ${id}`
      )[0];
    const before = await heat();
    const more = await subscribe(id, 1);
    await connection()`delete from event_subscriptions where event_id = ${id} and user_id = ${more}`;
    expect((await heat())?.heat).toBeCloseTo(before?.heat ?? 0, 6);
    await connection()`delete from event_subscriptions where event_id = ${id} and user_id = any(${fans})`;
    expect(await heat()).toMatchObject({ subscriptions: 0 });
    expect(await rowOf(id)).toBeUndefined();
  });

  test('gives each place its score, label and arrow, and more when asked', async () => {
    for (let n = 0; n < 9; n += 1) {
      const id = await makeEvent();
      for (let fan = 0; fan <= n; fan += 1) await subscribe(id);
    }
    const page = await trending();
    const labels = page.events.map(({ rank, trendingScore, scoreLabel, trendDirection }) => [
      rank,
      trendingScore,
      scoreLabel,
      trendDirection,
    ]);
    expect(labels).toEqual([
      [1, 95, 'hot', 'up'],
      [2, 85, 'trending', 'up'],
      [3, 75, 'trending', 'up'],
      [4, 65, 'rising', 'stable'],
      [5, 55, 'rising', 'stable'],
      [6, 45, 'new', 'stable'],
      [7, 40, 'new', 'down'],
      [8, 40, 'new', 'down'],
      [9, 40, 'new', 'down'],
      [10, 40, 'new', 'down'],
    ]);
    expect(page.hasMore).toBe(true);
    const nextPage = await trending({ offset: 10 });
    expect(nextPage.events[0]?.rank).toBe(11);
    const first = new Set(page.events.map(({ id }) => id));
    expect(nextPage.events.some(({ id }) => first.has(id))).toBe(false);
  });

  test('leaves out what is over, cancelled or not approved, and goes by category', async () => {
    const wrong = [
      await makeEvent({ start: '2020-01-01T00:00:00Z' }),
      await makeEvent({ state: 'cancelled' }),
      await makeEvent({ verification: 'rejected' }),
    ];
    const gala = await makeEvent({ eventType: 'award_show' });
    for (const id of [...wrong, gala]) await subscribe(id);
    for (const id of wrong) expect(await rowOf(id)).toBeUndefined();
    const awards = await trending({ category: 'award-show' });
    expect(awards.events.map(({ id, rank }) => [id, rank])).toEqual([[gala, 1]]);
    expect(awards.categories.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['concert', 'award-show']),
    );
    expect((await trending({ category: 'nothing' })).events).toEqual([]);
    expect((await call('/api/events/trending?offset=-1')).json).toMatchObject({ field: 'offset' });
  });
});
