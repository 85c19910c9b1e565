import { expect, test } from 'bun:test';
import { makeOnce } from '#api/plugins/idempotency.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan } from '#tests/kit/make.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();

/** A call that is made as often as it is let, and ends when it is told to. */
async function startCall(renewEverySeconds: number) {
  const { id } = await makeFan();
  const end = Promise.withResolvers<void>();
  let times = 0;
  const press = () =>
    makeOnce(
      new Request('http://localhost/api/x', { method: 'POST', headers: { 'idempotency-key': 'press' } }),
      id,
      {},
      async () => {
        times += 1;
        const answer = { times };
        await end.promise;
        return answer;
      },
      { seconds: 60, renewEverySeconds },
    );
  const first = press();
  await until(() => times === 1);
  await connection()`update idempotency_keys set created_at = now() - interval '2 minutes' where user_id = ${id}`;
  return { id, first, press, end: end.resolve, times: () => times };
}

test('a call that takes longer than its key is kept for is not made twice', async () => {
  const call = await startCall(0.05);
  await until(async () => {
    const [key] = await connection()`select from idempotency_keys
      where user_id = ${call.id} and created_at > now() - interval '1 minute'`;
    return key !== undefined;
  });
  const repeat = call.press();
  call.end();
  expect(await Promise.all([call.first, repeat])).toEqual([{ times: 1 }, { times: 1 }]);
  expect(call.times()).toBe(1);
});

test('a call whose process ended is made again', async () => {
  const call = await startCall(3600);
  const repeat = call.press();
  await until(() => call.times() === 2);
  call.end();
  expect(await repeat).toEqual({ times: 2 });
  await call.first;
});
