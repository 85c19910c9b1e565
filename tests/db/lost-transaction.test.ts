import { expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { connection, database } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();

/**
 * Without our patch (db/patches) the driver writes to a socket that is gone, which nobody can catch, so that the process ends; or, once
 * the connection is opened anew, to that of others, whose transaction it rolls back.
 */
test('a transaction whose connection is lost between two statements fails, and nothing else does', async () => {
  const lose = async () => {
    let error: unknown;
    const isLost = Promise.withResolvers<void>();
    const going = database().transaction(async (tx) => {
      const [own] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await connection()`select pg_terminate_backend(${own?.pid ?? 0}, 5000)`;
      // A statement of before the driver has read of its end would fail with that end's own code.
      await isLost.promise;
      await tx.execute(sql`select 1`).catch((failure: unknown) => {
        error = failure instanceof Error ? failure.cause : failure;
        throw failure;
      });
    });
    await expect(going).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    isLost.resolve();
    await until(() => error !== undefined);
    expect(error).toMatchObject({ code: 'CONNECTION_CLOSED' });
  };
  // More often than there are connections: each of them is opened anew.
  for (let times = 0; times < 15; times += 1) await lose();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => connection()<{ one: number }[]>`select 1 as one`),
  );
  expect(answers.flat().map(({ one }) => one)).toEqual(Array(20).fill(1));
});

test('what it goes on to ask for is not asked of whoever has its connection next', async () => {
  await connection()`create table kept (n int)`;
  const resumed = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const lost = database().transaction(async (tx) => {
    const [own] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await connection()`select pg_terminate_backend(${own?.pid ?? 0}, 5000)`;
    await resumed.promise;
    await tx.execute(sql`rollback`).catch(ended.resolve);
  });
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  // As many as there are connections: one of them has that of the lost one.
  let begun = 0;
  const written = Promise.withResolvers<void>();
  const others = Array.from({ length: 12 }, (_, n) =>
    database().transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (${n})`);
      begun += 1;
      await written.promise;
    }),
  );
  await until(() => begun === others.length);
  resumed.resolve();
  await ended.promise;
  await Bun.sleep(100);
  written.resolve();
  await Promise.all(others);
  const [row] = await connection()<{ n: number }[]>`select count(*)::int as n from kept`;
  expect(row?.n).toBe(others.length);
});
