import { describe, expect, test } from 'bun:test';
import { onInvalidation } from '#api/invalidation.ts';
import { sessionCookie } from '#api/plugins/session.ts';
import { connection } from '#db/client.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeFan } from '#tests/kit/make.ts';

useDatabase();

function as(token: string) {
  const send = (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? { method, headers: {} } : sending(body, method);
    return call(`/api/events/${path}`, { ...init, headers: { ...init.headers, ...bearer(token) } });
  };
  return {
    subscribe: (id: number | string, body?: unknown) => send('POST', `${id}/subscribe`, body),
    change: (id: number | string, body?: unknown) => send('PUT', `${id}/subscribe`, body),
    leave: (id: number | string) => send('DELETE', `${id}/subscribe`),
    mine: () => send('GET', 'subscriptions'),
  };
}

/** What is said of somebody without an address and without a browser that takes notifications. */
const unreachable = { email: 'no_address', push: 'no_device' };

const storedRows = (event: number) =>
  connection()`select user_id, times from event_subscriptions where event_id = ${event}`;
async function rsvpCountOf(event: number): Promise<number> {
  const [row] = await connection()<
    { count: number }[]
  >`select rsvp_count as count from events where id = ${event}`;
  return row?.count ?? -1;
}

describe('a fan subscribes to an event', () => {
  test('as the specification sends it, and is listed with the settings', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    const notificationSettings = { email: false, push: true, times: ['3d', '15m'] };
    const { status, json, headers } = await as(fan.token).subscribe(event, {
      subscriptionType: 'interested',
      notificationSettings,
    });
    const subscription = {
      eventId: event,
      subscriptionType: 'interested',
      notificationSettings,
      createdAt: expect.any(String),
    };
    const answer = { isSubscribed: true, rsvpCount: 1, subscription, channels: unreachable };
    expect([status, json]).toEqual([200, answer]);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await as(fan.token).mine()).json).toEqual({
      subscriptions: [subscription],
      channels: unreachable,
    });
  });

  test('and hears at once which reminders would not arrive, until the address is confirmed and a browser is told to notify', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    const channels = async () => {
      const [subscribed, mine] = [await as(fan.token).subscribe(event), await as(fan.token).mine()];
      const channelsOf = ({ json }: { json: unknown }) => Reflect.get(Object(json), 'channels');
      expect(channelsOf(mine)).toEqual(channelsOf(subscribed));
      return channelsOf(subscribed);
    };
    const email = `hears${fan.id}@fans.example`;
    await connection()`update users set email = ${email}, email_key = ${email} where id = ${fan.id}`;
    expect(await channels()).toEqual({ email: 'unverified', push: 'no_device' });
    await connection()`update users set email_verified_at = now() where id = ${fan.id}`;
    expect(await channels()).toEqual({ email: 'ready', push: 'no_device' });
    await connection()`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
      select user_id, id, ${`https://93.184.215.14/push/hears${fan.id}`}, 'key', 'secret' from sessions where user_id = ${fan.id}`;
    expect(await channels()).toEqual({ email: 'ready', push: 'ready' });
  });

  test('without a body or with half of one: interested, e-mail and push, one day and one hour before', async () => {
    const fan = await makeFan();
    const defaults = { email: true, push: true, times: ['1d', '1h'] };
    for (const [body, settings] of [
      [undefined, defaults],
      [{}, defaults],
      [{ notificationSettings: {} }, defaults],
      [{ notificationSettings: { email: false } }, { ...defaults, email: false }],
      [{ notificationSettings: { times: [] } }, { ...defaults, times: [] }],
    ] as const) {
      const { json } = await as(fan.token).subscribe(await makeEvent(), body);
      expect(json).toMatchObject({
        subscription: { subscriptionType: 'interested', notificationSettings: settings },
      });
    }
  });

  test('twice or fifty times at once, and is counted once', async () => {
    const [event, fan, other] = [await makeEvent(), await makeFan(), await makeFan()];
    const answers = await Promise.all(Array.from({ length: 50 }, () => as(fan.token).subscribe(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(answers.map(({ json }) => json)).toEqual(
      Array(50).fill(expect.objectContaining({ isSubscribed: true, rsvpCount: 1 })),
    );
    await as(other.token).subscribe(event);
    expect([await rsvpCountOf(event), (await storedRows(event)).length]).toEqual([2, 2]);
  });

  test('and out again, which a repeat does not undo', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    await as(fan.token).subscribe(event);
    const answers = await Promise.all(Array.from({ length: 20 }, () => as(fan.token).leave(event)));
    for (const { status, json } of answers)
      expect([status, json]).toEqual([200, { isSubscribed: false, rsvpCount: 0 }]);
    expect([await rsvpCountOf(event), (await storedRows(event)).length]).toEqual([0, 0]);
  });

  test('in and out at once by two tabs, and the count is what is stored', async () => {
    const [event, fans] = [await makeEvent(), await Promise.all(Array.from({ length: 4 }, () => makeFan()))];
    await Promise.all(
      fans.flatMap(({ token }) =>
        Array.from({ length: 10 }, (_, n) => (n % 2 ? as(token).leave(event) : as(token).subscribe(event))),
      ),
    );
    expect(await rsvpCountOf(event)).toBe((await storedRows(event)).length);
  });

  test('and pages that show the event are made anew, once', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    let told = 0;
    const stop = await onInvalidation(
      (tags) => {
        if (tags.includes(`event:${event}`)) told += 1;
      },
      () => {},
    );
    // What changes within a second of that is told after it.
    const aSecondLater = () => Bun.sleep(1_100);
    await as(fan.token).subscribe(event);
    await as(fan.token).subscribe(event);
    await aSecondLater();
    expect(told).toBe(1);
    await as(fan.token).leave(event);
    await as(fan.token).leave(event);
    await aSecondLater();
    expect(told).toBe(2);
    await stop();
  });
});

describe('the settings of a subscription', () => {
  test('change one by one, and survive a second subscribe without any', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    await as(fan.token).subscribe(event, { notificationSettings: { times: ['1w'] } });
    const changed = await as(fan.token).change(event, { notificationSettings: { push: false } });
    expect(changed.json).toMatchObject({ notificationSettings: { email: true, push: false, times: ['1w'] } });
    const repeated = await as(fan.token).subscribe(event, { subscriptionType: 'going' });
    expect(repeated.json).toMatchObject({
      subscription: {
        subscriptionType: 'going',
        notificationSettings: { email: true, push: false, times: ['1w'] },
      },
    });
  });

  test('name each moment once', async () => {
    const fan = await makeFan();
    const { json } = await as(fan.token).subscribe(await makeEvent(), {
      notificationSettings: { times: ['1d', '24h', '1h', '60m', '1d', '1w', '7d'] },
    });
    expect(json).toMatchObject({ subscription: { notificationSettings: { times: ['1d', '1h', '1w'] } } });
  });

  test('are refused when they cannot be, and nothing is stored', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    const times = 'notificationSettings.times';
    for (const [body, field] of [
      [{ subscriptionType: 'owner' }, 'subscriptionType'],
      ['all', 'body'],
      [[], 'body'],
      [{ notificationSettings: 'all' }, 'notificationSettings'],
      [{ notificationSettings: ['1d'] }, 'notificationSettings'],
      [{ notificationSettings: null }, 'notificationSettings'],
      [{ notificationSettings: { email: 'yes' } }, 'notificationSettings.email'],
      [{ notificationSettings: { times: '1d' } }, times],
      ...[
        '0h',
        '1',
        'h',
        '-1h',
        '1y',
        '01d',
        '1d ',
        '1.5h',
        '999999d',
        '1D',
        '',
        '4m',
        '29d',
        '5w',
        "1d'); --",
      ].map((time) => [{ notificationSettings: { times: [time] } }, times]),
      [{ notificationSettings: { times: [1] } }, times],
      [{ notificationSettings: { times: ['1h', '2h', '3h', '4h', '5h', '6h'] } }, times],
      [{ notificationSettings: { times: Array(21).fill('1h') } }, times],
    ] as const) {
      const { status, json } = await as(fan.token).subscribe(event, body);
      expect([body, status, json]).toMatchObject([
        body,
        400,
        { field: expect.stringContaining(String(field)) },
      ]);
    }
    expect(await storedRows(event)).toHaveLength(0);
  });

  test('can only be changed where there is a subscription', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    expect((await as(fan.token).change(event, { notificationSettings: { email: false } })).status).toBe(404);
    expect((await as(fan.token).change(event)).status).toBe(400);
    expect(await storedRows(event)).toHaveLength(0);
  });
});

describe('nobody subscribes', () => {
  test('to an event that is not public or not there', async () => {
    const fan = await makeFan();
    const hidden = [
      await makeEvent({ verification: 'pending' }),
      await makeEvent({ verification: 'rejected' }),
    ];
    for (const id of [...hidden, 2_147_483_647, 0, -1, '1e3', '0x1', 'abc', '1%20', '99999999999']) {
      const { status, json } = await as(fan.token).subscribe(id);
      expect([id, status, json]).toMatchObject([id, 404, { code: 'not_found' }]);
      expect([id, (await as(fan.token).leave(id)).status]).toEqual([id, 404]);
    }
    for (const id of hidden) expect(await storedRows(id)).toHaveLength(0);
  });

  test('without a session, by a page of another site, or for somebody else', async () => {
    const [event, fan, other] = [await makeEvent(), await makeFan(), await makeFan()];
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await call(`/api/events/${event}/subscribe`, sending({}, method))).status).toBe(401);
    expect((await call('/api/events/subscriptions')).status).toBe(401);
    const foreign = await call(`/api/events/${event}/subscribe`, {
      method: 'POST',
      headers: { cookie: `${sessionCookie()}=${fan.token}`, origin: 'https://evil.example' },
    });
    expect([foreign.status, foreign.json]).toMatchObject([403, { code: 'foreign_origin' }]);
    await as(fan.token).subscribe(event, { userId: other.id, user_id: other.id });
    expect((await storedRows(event)).map((row) => row.user_id)).toEqual([fan.id]);
    expect((await as(other.token).mine()).json).toMatchObject({ subscriptions: [] });
  });

  test('but whoever is subscribed can leave an event that was withdrawn, and no longer sees it', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    await as(fan.token).subscribe(event);
    await connection()`update events set verification = 'rejected' where id = ${event}`;
    expect((await as(fan.token).mine()).json).toMatchObject({ subscriptions: [] });
    expect((await as(fan.token).leave(event)).status).toBe(200);
    expect((await as(fan.token).leave(event)).status).toBe(404);
  });
});
