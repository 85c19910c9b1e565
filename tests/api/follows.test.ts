import { describe, expect, test } from 'bun:test';
import postgres from 'postgres';
import { onInvalidation } from '#api/invalidation.ts';
import { flushThrottled } from '#api/throttled-invalidation.ts';
import { connection } from '#db/client.ts';
import { countLateFollows } from '#db/queries/accounts/follows.ts';
import { differenceOf, differenceToSend, withDifference } from '#site/lib/stars/star-lists.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { untilSomebodyWaits } from '#tests/kit/lock-waits.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { until } from '#tests/kit/until.ts';

const own = useDatabase();

const put = (token: string, body: unknown) => {
  const { headers, ...init } = sending(body, 'PUT');
  return call('/api/auth/follows', { ...init, headers: { ...headers, ...bearer(token) } });
};
const read = (token: string) => answerOf(typedCall('get', '/api/auth/follows', { headers: bearer(token) }));
const stars = (count: number) => Promise.all(Array.from({ length: count }, () => makeStar()));

test('pages hear of a star whom many begin to follow at once, and then once a second', async () => {
  const [star = 0, ...others] = await stars(20);
  const heardAt: number[] = [];
  let together = 0;
  const unsubscribe = await onInvalidation(
    (tags) => {
      together = Math.max(together, tags.length);
      if (tags.includes(`star:${star}`)) heardAt.push(performance.now());
    },
    () => {},
  );
  try {
    const fans = await Promise.all(Array.from({ length: 6 }, () => makeFan()));
    const begin = performance.now();
    await Promise.all(fans.map(({ token }) => put(token, { add: [star], remove: [] })));
    // Those that came a second later, on a busy machine, are heard of once more.
    await until(() => heardAt.length >= 2);
    // From the writing on: the first may be heard late where others have the processor.
    expect((heardAt[1] ?? 0) - begin).toBeGreaterThan(1_000);
    const token = fans[0]?.token ?? '';
    await put(token, { add: others, remove: [] });
    await until(() => together >= others.length);
    // What waits when a process ends is told before. Only what is changed again within a second waits: a slow machine needs a few turns.
    await until(async () => {
      await put(token, { add: [], remove: others });
      await put(token, { add: others, remove: [] });
      together = 0;
      await flushThrottled();
      return together >= others.length;
    });
  } finally {
    await unsubscribe();
  }
});

describe('the stars of an account', () => {
  test('are kept in the order in which they were chosen, and a repeat changes nothing', async () => {
    const { token } = await makeFan();
    const [a = 0, b = 0, c = 0] = await stars(3);
    expect(await read(token)).toEqual({ starIds: [] });
    expect((await put(token, { add: [c, a], remove: [] })).json).toEqual({ starIds: [c, a] });
    expect((await put(token, { add: [c, a], remove: [] })).json).toEqual({ starIds: [c, a] });
    expect((await put(token, { add: [b], remove: [c] })).json).toEqual({ starIds: [a, b] });
    expect((await put(token, { add: [], remove: [c] })).json).toEqual({ starIds: [a, b] });
    expect((await put(token, { add: [c], remove: [c] })).json).toEqual({ starIds: [a, b] });
    expect(await read(token)).toEqual({ starIds: [a, b] });
  });

  test('of two devices that change at once are all there', async () => {
    const { token } = await makeFan();
    const ids = await stars(12);
    await Promise.all(ids.map((id) => put(token, { add: [id], remove: [] })));
    expect((await read(token)).starIds.toSorted((x, y) => x - y)).toEqual(ids.toSorted((x, y) => x - y));
  });

  test('are stars that there are, however many', async () => {
    const { token } = await makeFan();
    const ids = await stars(101);
    expect((await put(token, { add: [999_999, ids[0]], remove: [888_888] })).json).toEqual({
      starIds: [ids[0]],
    });
    expect((await put(token, { add: ids, remove: [] })).json).toEqual({ starIds: ids });
  });

  test('are one list with Follow, and each is counted once', async () => {
    const { token } = await makeFan();
    const [a = 0, b = 0] = await stars(2);
    const follow = (star: number, body: object) => {
      const { headers, ...init } = sending(body);
      return call(`/api/stars/${star}/follow`, { ...init, headers: { ...headers, ...bearer(token) } });
    };
    const profile = async (star: number) =>
      (await call(`/api/stars/${star}/profile`, { headers: bearer(token) })).json;
    await put(token, { add: [a], remove: [] });
    expect(await profile(a)).toMatchObject({ isFollowing: true, followerCount: 1 });
    expect((await follow(a, { following: true })).json).toEqual({ isFollowing: true, followerCount: 1 });
    await follow(b, { followType: 'follow' });
    expect(await read(token)).toEqual({ starIds: [a, b] });
    await put(token, { add: [b], remove: [a] });
    expect(await profile(a)).toMatchObject({ isFollowing: false, followerCount: 0 });
    expect(await profile(b)).toMatchObject({ isFollowing: true, followerCount: 1 });
    expect((await follow(b, { followType: 'follow' })).json).toEqual({
      isFollowing: false,
      followerCount: 0,
    });
    expect(await read(token)).toEqual({ starIds: [] });
  });

  test('of many fans who choose the same stars in other orders at once are all counted', async () => {
    const ids = await stars(20);
    const fans = await Promise.all(Array.from({ length: 6 }, () => makeFan()));
    const answers = await Promise.all(
      fans.map(({ token }, n) => put(token, { add: n % 2 === 0 ? ids : ids.toReversed(), remove: [] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(fans.map(() => 200));
    // Who waited for a counter for 0.7 s, as on a busy machine, left it to the job.
    await countLateFollows();
    const rows =
      await connection()`select distinct follower_count from stars where id in ${connection()(ids)}`;
    expect([...rows]).toEqual([{ follower_count: 6 }]);
  });

  test('that are toggled several times at once end as they would one after the other', async () => {
    const { token } = await makeFan();
    const star = await makeStar();
    const toggle = () => {
      const { headers, ...init } = sending({ followType: 'follow' });
      return call(`/api/stars/${star}/follow`, { ...init, headers: { ...headers, ...bearer(token) } });
    };
    // They wait for each other, the last for all before it: a lock is waited for 5 s at most.
    for (const times of [2, 7, 10]) {
      const answers = await Promise.all(Array.from({ length: times }, () => toggle()));
      const states = answers.map(({ json }) => (json as { isFollowing: boolean }).isFollowing);
      expect(states.filter(Boolean).length - states.filter((state) => !state).length).toBe(times % 2);
      if (times % 2 === 1) await toggle();
    }
    expect(await read(token)).toEqual({ starIds: [] });
  });

  test('are the person’s own', async () => {
    const [one, other] = [await makeFan(), await makeFan()];
    const id = await makeStar();
    await put(one.token, { add: [id], remove: [] });
    expect(await read(other.token)).toEqual({ starIds: [] });
    await put(other.token, { add: [], remove: [id] });
    expect(await read(one.token)).toEqual({ starIds: [id] });
    expect((await call('/api/auth/follows')).status).toBe(401);
    expect((await put('f'.repeat(64), { add: [id], remove: [] })).status).toBe(401);
  });

  test.each([
    [{ add: ['1'], remove: [] }],
    [{ add: [0], remove: [] }],
    [{ add: [1.5], remove: [] }],
    [{ add: [2_147_483_648], remove: [] }],
    [{ add: Array.from({ length: 1001 }, (_, n) => n + 1), remove: [] }],
    [{ add: 'all', remove: [] }],
    [{ add: [] }],
    [[1]],
  ])('take lists of ids and nothing else: %j', async (body) => {
    const { token } = await makeFan();
    expect((await put(token, body)).status).toBe(400);
  });
});

describe('a star that an import keeps', () => {
  /** As an import does with what it has changed, until it ends. */
  async function whileKept(kept: readonly number[], action: () => Promise<void>) {
    const keeping = postgres(own.url, { max: 1 });
    await keeping.begin(async (tx) => {
      await tx`update stars set updated_at = now() where id in ${tx(kept)}`;
      await action();
    });
    await keeping.end();
  }
  const countOf = async (star: number) =>
    (await connection()<{ n: number }[]>`select follower_count as n from stars where id = ${star}`)[0]?.n;

  test('is followed at once, one and many, and counted when it is free again', async () => {
    const [two = 0, one = 0] = (await stars(2)).sort((a, b) => a - b);
    const [first, second, third] = [await makeFan(), await makeFan(), await makeFan()];
    await put(third.token, { add: [one], remove: [] });
    await whileKept([one, two], async () => {
      const { headers, ...init } = sending({ following: true });
      const start = performance.now();
      const answers = await Promise.all([
        call(`/api/stars/${one}/follow`, { ...init, headers: { ...headers, ...bearer(first.token) } }),
        put(second.token, { add: [one, two], remove: [] }),
        put(third.token, { add: [two], remove: [one] }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      // Who waited for the import would wait for ever: it ends after this.
      expect(performance.now() - start).toBeLessThan(8_000 * contention());
      expect(await countLateFollows()).toEqual([]);
    });
    expect(await Promise.all([one, two].map(countOf))).toEqual([1, 0]);
    expect((await countLateFollows()).sort((a, b) => a - b)).toEqual([one, two].sort((a, b) => a - b));
    expect(await Promise.all([one, two].map(countOf))).toEqual([2, 2]);
    expect(await countLateFollows()).toEqual([]);
  });

  test('is waited for by one who follows, not by those after', async () => {
    const [star = 0] = await stars(1);
    const first = await makeFan();
    const others = await Promise.all(Array.from({ length: 10 }, () => makeFan()));
    await whileKept([star], async () => {
      await put(first.token, { add: [star], remove: [] });
      const times: number[] = [];
      for (const { token } of others) {
        const start = performance.now();
        expect((await put(token, { add: [star], remove: [] })).status).toBe(200);
        times.push(performance.now() - start);
      }
      // Each of them would wait for 700 ms. Some may be held up by a busy machine.
      expect(times.sort((a, b) => a - b)[4]).toBeLessThan(700);
    });
    expect(await countLateFollows()).toEqual([star]);
    expect(await countOf(star)).toBe(11);
  });

  test('is counted with who followed it while it was counted', async () => {
    const [star = 0] = await stars(1);
    const [first, second] = [await makeFan(), await makeFan()];
    await whileKept([star], async () => {
      await put(first.token, { add: [star], remove: [] });
    });
    const following = postgres(own.url, { max: 1 });
    let counted: Promise<number[]> = Promise.resolve([]);
    await following.begin(async (tx) => {
      await tx`insert into follows (user_id, star_id) values (${second.id}, ${star})`;
      counted = countLateFollows();
      await Bun.sleep(300);
    });
    await following.end();
    await counted;
    await countLateFollows();
    expect(await countOf(star)).toBe(2);
  });
});

describe('a star that goes while a call about it is under way', () => {
  /** Sends the calls when the star is gone but not yet committed, and commits when they wait for it. */
  async function whileLeaving(star: number, into: number | undefined, send: () => Promise<Answer>[]) {
    const leaving = postgres(own.url, { max: 1 });
    let answers: Promise<Answer>[] = [];
    await leaving.begin(async (tx) => {
      await tx`delete from stars where id = ${star}`;
      if (into) await tx`insert into star_redirects (from_id, into_id) values (${star}, ${into})`;
      answers = send();
      await untilSomebodyWaits({ count: answers.length });
    });
    await leaving.end();
    return Promise.all(answers);
  }
  const calls = (token: string, star: number) => () => {
    const { headers, ...init } = sending({ following: true });
    return [
      call(`/api/stars/${star}/follow`, { ...init, headers: { ...headers, ...bearer(token) } }),
      call(`/api/community/channels/${star}`, { headers: bearer(token) }),
    ];
  };

  test('is not found when it was deleted, and followed to where it is when it was merged', async () => {
    const { token } = await makeFan();
    const [deleted = 0, merged = 0, into = 0] = await stars(3);
    const gone = await whileLeaving(deleted, undefined, calls(token, deleted));
    expect(gone.map(({ status, json }) => [status, Reflect.get(Object(json), 'code')])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    const moved = await whileLeaving(merged, into, calls(token, merged));
    expect(moved.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [308, `/api/stars/${into}/follow`],
      [301, `/api/community/channels/${into}`],
    ]);
    const [visited = 0] = await stars(1);
    await call(`/api/community/channels/${visited}`, { headers: bearer(token) });
    const join = () => [
      call(`/api/community/channels/${visited}/join`, { method: 'POST', headers: bearer(token) }),
    ];
    const [joined] = await whileLeaving(visited, into, join);
    expect([joined?.status, joined?.headers.get('location')]).toEqual([
      308,
      `/api/community/channels/${into}/join`,
    ]);
    const [listed] = await whileLeaving(into, undefined, () => [put(token, { add: [into], remove: [] })]);
    expect([listed?.status, listed?.json]).toEqual([200, { starIds: [] }]);
  });
});

describe('stars by their ids', () => {
  test('are listed without the others', async () => {
    const [a = 0, b = 0] = await stars(3);
    const query = { starIds: `[${b},${a},999999]`, limit: 100 };
    const selected = await answerOf(typedCall('get', '/api/stars', { query }));
    expect(selected.map(({ id }) => id).sort()).toEqual([a, b].sort());
    expect((await call('/api/stars?starIds=[]')).json).toEqual([]);
    expect((await call('/api/stars?starIds=[x]')).status).toBe(400);
  });
});

describe('a browser’s list and the account’s', () => {
  test('become one at the first login on a device: nothing that was chosen is lost', () => {
    expect(differenceToSend(7, undefined, [3, 1])).toEqual({ add: [3, 1], remove: [] });
  });

  test('exchange only what changed since', () => {
    expect(differenceToSend(7, { user: 7, ids: [1, 2, 3] }, [2, 3, 4])).toEqual({ add: [4], remove: [1] });
    expect(differenceToSend(7, { user: 7, ids: [1, 2] }, [1, 2])).toEqual({ add: [], remove: [] });
  });

  test('of another account that was here before stay that person’s', () => {
    expect(differenceToSend(8, { user: 7, ids: [1, 2] }, [1, 2, 5])).toEqual({ add: [5], remove: [] });
  });

  test('keep what is chosen while the answer is on its way', () => {
    const [before, meanwhile] = [
      [1, 2],
      [2, 9],
    ];
    expect(withDifference([1, 2, 4], differenceOf(before ?? [], meanwhile ?? []))).toEqual([2, 4, 9]);
  });
});
