import { beforeEach, describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import { config, setConfig } from '#api/config.ts';
import { BadInput, NotAuthenticated, Unavailable } from '#api/errors.ts';
import { clientAddress, registerConnection } from '#api/plugins/client.ts';
import { errors } from '#api/plugins/errors.ts';
import {
  countOrRefuse,
  networkOf,
  type RateLimit,
  rateLimit,
  rateLimitFailures,
} from '#api/plugins/rate-limits.ts';
import { connection } from '#db/client.ts';
import { countCall, deleteOldWindows, giveBackCall, takeCall } from '#db/queries/rate-limits.ts';
import { bearer } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase();
// No test begins in one hour and ends in the next: most count in windows of that length.
beforeEach(async () => {
  const left = 3_600 - ((Date.now() / 1_000) % 3_600);
  if (left < 30) await Bun.sleep((left + 0.1) * 1_000);
});

function limited(rule: RateLimit) {
  const app = new Elysia().use(errors).get('/', () => 'ok', { beforeHandle: rateLimit(rule) });
  return async (from: string, headers: Record<string, string> = {}) => {
    const request = new Request('http://localhost/', { headers });
    registerConnection(request, from);
    return app.handle(request);
  };
}

describe('a limit', () => {
  test('holds exactly, also when all calls come at once', async () => {
    const knock = limited({ name: 'burst', guests: 7, seconds: 3600 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => knock('192.0.2.10')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    const refused = answers.find(({ status }) => status === 429);
    expect(await refused?.json()).toEqual({
      error: 'Too many requests. Try again later.',
      code: 'rate_limited',
    });
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(3600);
  });

  test('is one for all processes: the rows count', async () => {
    for (let n = 1; n <= 3; n++) await countCall('shared:address:192.0.2.20', 3600);
    const knock = limited({ name: 'shared', guests: 3, seconds: 3600 });
    expect((await knock('192.0.2.20')).status).toBe(429);
  });

  test('counts each address for itself, a whole IPv6 /64 as one, loopback too', async () => {
    const knock = limited({ name: 'each', guests: 1, seconds: 3600 });
    expect((await knock('127.0.0.1')).status).toBe(200);
    expect((await knock('127.0.0.1')).status).toBe(429);
    expect((await knock('::ffff:127.0.0.1')).status).toBe(429);
    expect((await knock('2001:db8:1:2::1')).status).toBe(200);
    expect((await knock('2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await knock('2001:db8:1:3::1')).status).toBe(200);
  });

  test('cannot be slipped by a made-up X-Forwarded-For', async () => {
    const knock = limited({ name: 'forged', guests: 1, seconds: 3600 });
    await knock('192.0.2.30', { 'x-forwarded-for': '1.1.1.1' });
    expect((await knock('192.0.2.30', { 'x-forwarded-for': '2.2.2.2' })).status).toBe(429);
  });

  test('per account follows the account through its addresses', async () => {
    const knock = limited({ name: 'account', account: 1, seconds: 3600 });
    const [one, two] = [await makeFan(), await makeFan()];
    expect((await knock('192.0.2.40', bearer(one.token))).status).toBe(200);
    expect((await knock('192.0.2.41', bearer(one.token))).status).toBe(429);
    expect((await knock('192.0.2.41', bearer(two.token))).status).toBe(200);
  });

  test('counts who is signed in by account, in a crowd behind one address, and guests by address', async () => {
    const knock = limited({ name: 'crowd', account: 2, guests: 3, seconds: 3600 });
    const from = '192.0.2.50';
    for (let n = 0; n < 3; n += 1) expect((await knock(from)).status).toBe(200);
    expect((await knock(from)).status).toBe(429);
    const fans = await Promise.all(Array.from({ length: 5 }, () => makeFan()));
    for (const { token } of fans) expect((await knock(from, bearer(token))).status).toBe(200);
    const [{ token } = { token: '' }] = fans;
    expect((await knock('192.0.2.51', bearer(token))).status).toBe(200);
    expect((await knock('192.0.2.52', bearer(token))).status).toBe(429);
    expect((await knock(from, bearer('f'.repeat(64)))).status).toBe(429);
  });

  test('ends with its window', async () => {
    const rule = { name: 'window', count: 1, seconds: 3600 };
    await countCall('window:someone', 3600);
    await connection()`update rate_limits set window_start = window_start - interval '1 hour' where key = 'window:someone'`;
    await countOrRefuse(rule, 'someone');
    expect(countOrRefuse(rule, 'someone')).rejects.toMatchObject({ status: 429 });
  });

  test('leaves nothing behind for long', async () => {
    await countCall('old', 60);
    await countCall('young', 60);
    await connection()`update rate_limits set window_start = now() - interval '3 days' where key = 'old'`;
    // More than one statement deletes.
    await connection()`insert into rate_limits (key, window_start)
      select 'old', now() - make_interval(days => 3, secs => n) from generate_series(1, 10001) n`;
    await expect(deleteOldWindows(48, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await deleteOldWindows(48);
    const rows = await connection()<
      { key: string }[]
    >`select key from rate_limits where key in ('old', 'young')`;
    expect(rows.map(({ key }) => key)).toEqual(['young']);
  });
});

const secondNow = () => Math.floor(Date.now() / 1_000);

describe('a limit of failures', () => {
  const rule = { name: 'attempt', count: 5, seconds: 3600 };
  const attemptFrom = (from: string, outcome: () => Promise<string>, subject = 'somebody') => {
    const request = new Request('http://localhost/');
    registerConnection(request, from);
    return rateLimitFailures(rule, request, subject, outcome);
  };
  const succeed = async () => {
    await Bun.sleep(1);
    return 'done';
  };
  const fail = async () => {
    await Bun.sleep(1);
    throw new NotAuthenticated();
  };

  test('lets everybody pass who succeeds, also when many come at once', async () => {
    const from = '192.0.2.60';
    const many = Array.from({ length: 30 }, () => attemptFrom(from, succeed));
    expect(new Set(await Promise.all(many))).toEqual(new Set(['done']));
    expect(await attemptFrom(from, succeed)).toBe('done');
  });

  test('gets no failure more by successes between them, nor by coming all at once', async () => {
    const from = '192.0.2.61';
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) => attemptFrom(from, n % 2 ? succeed : fail)),
    );
    const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []));
    expect(failures.filter((status) => status === 401)).toHaveLength(5);
    expect(new Set(failures.slice(5))).toEqual(new Set([429]));
  });

  test('that is used up lets pass who succeeds, and each subject fails in its turn', async () => {
    const from = '192.0.2.63';
    await untilWindowHas(20, 3600);
    for (let n = 0; n < 5; n += 1)
      await expect(attemptFrom(from, fail)).rejects.toMatchObject({ status: 401 });
    let round = 0;
    let tried: string[] = [];
    /** What became of it: the answer, or the status of the refusal. */
    const trying = (name: string, outcome: () => Promise<string>): Promise<string | number> => {
      const noted = () => {
        tried.push(name);
        return outcome();
      };
      return attemptFrom(from, noted, `${round}${name[0]}`).catch(({ status }) => status);
    };
    let isInTime: boolean;
    let outcomes: (string | number)[];
    // The turn of all is taken for a second, that of `b` for ten. A busy machine may take longer than either: once more, by others.
    do {
      round += 1;
      tried = [];
      await untilWindowHas(5, 10);
      await Bun.sleep(1_050 - (Date.now() % 1_000));
      const second = secondNow();
      outcomes = [
        await trying('a right', succeed),
        await trying('b wrong', fail),
        await trying('c at once', succeed),
      ];
      isInTime = secondNow() === second;
      await Bun.sleep(1_100);
      outcomes.push(await trying('b again', succeed));
      isInTime &&= Math.floor(secondNow() / 10) === Math.floor(second / 10);
      outcomes.push(await trying('c later', succeed));
    } while (!isInTime && round < 30);
    expect(outcomes).toEqual(['done', 429, 429, 429, 'done']);
    expect(tried).toEqual(['a right', 'b wrong', 'c later']);
  });

  test('that is used up writes nothing for subjects that come before the next turn', async () => {
    await untilWindowHas(20, 3600);
    const from = '192.0.2.64';
    for (let n = 0; n < 5; n += 1)
      await expect(attemptFrom(from, fail)).rejects.toMatchObject({ status: 401 });
    // The first takes the turn of a second, the second is told by its row.
    let rows = 0;
    let second: number;
    let round = 0;
    do {
      round += 1;
      if (Date.now() % 1_000 > 300) await Bun.sleep(1_050 - (Date.now() % 1_000));
      second = secondNow();
      for (let n = 0; n < 20; n += 1)
        await expect(attemptFrom(from, fail, `round ${round} ${n}`)).rejects.toMatchObject({ status: 429 });
      const key = `attempt:address:${from} round ${round} %`;
      rows = (await connection()`select from rate_limits where key like ${key}`).length;
    } while (second !== secondNow());
    expect(rows).toBe(2);
  });

  test('counts what was sent wrong, and none of our own faults', async () => {
    await untilWindowHas(10, 3600);
    const from = '192.0.2.65';
    const failWith = (error: Error) => attemptFrom(from, () => Promise.reject(error), 'another');
    const faults = [new Unavailable(), new Error('a fault of ours'), new Error('another')];
    for (const fault of [...faults, ...faults]) await expect(failWith(fault)).rejects.toBe(fault);
    for (let n = 0; n < 5; n += 1)
      await expect(failWith(new BadInput('email', 'Is required.'))).rejects.toMatchObject({ status: 400 });
    // Used up now: a fault takes nobody's turn either.
    for (const fault of faults) await expect(failWith(fault)).rejects.toBe(fault);
    expect(await attemptFrom(from, succeed, 'another')).toBe('done');
  });

  test('is one for all processes: what another has under way counts until it succeeds', async () => {
    const key = 'attempt:address:192.0.2.62';
    const calls = await Promise.all(Array.from({ length: 8 }, () => takeCall(key, rule)));
    const takenCalls = calls.filter(({ isTaken }) => isTaken);
    expect(takenCalls).toHaveLength(5);
    await giveBackCall(key, takenCalls[0]?.windowStart ?? '');
    expect((await takeCall(key, rule)).isTaken).toBe(true);
    await expect(attemptFrom('192.0.2.62', fail)).rejects.toMatchObject({ status: 429 });
  });
});

describe('the address of a visitor', () => {
  const asking = (from: string, forwarded?: string) => {
    const request = new Request('http://localhost/', {
      headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
    });
    registerConnection(request, from);
    return clientAddress(request);
  };

  test('is the last hop that no trusted proxy added', () => {
    const before = config();
    setConfig({ ...before, trustedProxies: ['10.0.0.0/8', '2001:db8::/32'] });
    expect(asking('10.1.1.1', '6.6.6.6, 203.0.113.9, 10.2.2.2')).toBe('203.0.113.9');
    expect(asking('10.1.1.1', '6.6.6.6')).toBe('6.6.6.6');
    expect(asking('10.1.1.1')).toBe('10.1.1.1');
    expect(asking('203.0.113.1', '6.6.6.6')).toBe('203.0.113.1');
    expect(asking('2001:db8::1', '203.0.113.9')).toBe('203.0.113.9');
    // Some proxies write the port of each connection beside it, which is a new one each time.
    expect(asking('10.1.1.1', '203.0.113.9:1000')).toBe('203.0.113.9');
    expect(asking('10.1.1.1', '203.0.113.9, 10.2.2.2:1000')).toBe('203.0.113.9');
    expect(asking('10.1.1.1', '[2001:db9::1]:1000')).toBe('2001:db9::1');
    expect(asking('10.1.1.1', '[::ffff:203.0.113.9]')).toBe('203.0.113.9');
    for (const nobody of ['unknown', '203.0.113.9:x', '203.0.113', '<b>', '[203.0.113.9', '1:2'])
      expect([nobody, asking('10.1.1.1', `203.0.113.9, ${nobody}`)]).toEqual([nobody, '10.1.1.1']);
    setConfig(before);
  });

  test('with IPv6 stands for its network', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:DB8:0001::1')).toBe('2001:db8:1:0::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  });
});
