import { expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { connection, database } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';

useDatabase();

/** Without our patch (db/patches) the driver writes to a socket that is gone, which nobody can catch: the process ends. */
test('a transaction whose connection is lost between two statements fails, and nothing else does', async () => {
  const caught: unknown[] = [];
  const going = database().transaction(async (tx) => {
    const [own] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await connection()`select pg_terminate_backend(${own?.pid ?? 0}, 5000)`;
    await Bun.sleep(100);
    await tx.execute(sql`select 1`).catch((error: unknown) => {
      caught.push(error instanceof Error ? error.cause : error);
      throw error;
    });
  });
  await expect(going).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await Bun.sleep(300);
  expect(caught).toMatchObject([{ code: 'CONNECTION_CLOSED' }]);
  const [row] = await connection()<{ one: number }[]>`select 1 as one`;
  expect(row?.one).toBe(1);
});
