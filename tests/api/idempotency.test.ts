import { expect, test } from 'bun:test';
import { makeOnce } from '#api/plugins/idempotency.ts';
import { connection, database } from '#db/client.ts';
import { insertImport } from '#db/queries/directory/imports.ts';
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

const counts = { add: 0, change: 0, refuse: 0, same: 0 };

/** A call that adds a file of stars in the name of a fan, once per key; `before` and `after` stand around its transaction. */
async function startFile() {
  const { id } = await makeFan();
  const headers = { 'idempotency-key': 'file' };
  const press = ({ before, after }: { before?: () => Promise<void>; after?: () => Promise<void> } = {}) =>
    makeOnce(
      new Request('http://localhost/api/x', { method: 'POST', headers }),
      id,
      {},
      async (keepAnswer) => {
        await before?.();
        const answer = await database().transaction(async (tx) => {
          const row = { actorId: id, fileName: 'stars.csv', format: 'csv' as const, file: new Uint8Array() };
          const added = { id: await insertImport(tx, { ...row, rows: [], counts }) };
          await keepAnswer?.(tx, added);
          return added;
        });
        await after?.();
        return answer;
      },
      { seconds: 60, renewEverySeconds: 3_600 },
    );
  /** As if the lease were over. */
  const abandon = () =>
    connection()`update idempotency_keys set created_at = now() - interval '2 minutes' where user_id = ${id}`;
  const files = () => connection()<{ id: number }[]>`select id from directory_imports where actor_id = ${id}`;
  return { press, abandon, files };
}

for (const moment of ['before', 'after'] as const)
  test(`a call whose process ended ${moment} its commit has made one thing when it is repeated`, async () => {
    const { press, abandon, files } = await startFile();
    const ended = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<never>();
    const end = () => {
      ended.resolve();
      return gone.promise;
    };
    const first = press({ [moment]: end }).catch(() => undefined);
    await ended.promise;
    await abandon();
    const before = [...(await files())];
    const again = await press();
    const after = [...(await files())];
    expect(after).toEqual([again]);
    expect(before).toEqual(moment === 'after' ? after : []);
    // Else it would renew its key for ever, also in the databases of later tests.
    gone.reject(new Error('over'));
    await first;
  });

test('a call that was overtaken by its repeat makes nothing and answers what that one made', async () => {
  const { press, abandon, files } = await startFile();
  const [begun, overtaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = () => {
    begun.resolve();
    return overtaken.promise;
  };
  const slow = press({ before });
  await begun.promise;
  await abandon();
  const made = await press();
  overtaken.resolve();
  expect(await slow).toEqual(made);
  expect([...(await files())]).toEqual([made]);
});
