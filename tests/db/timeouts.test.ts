import { expect, setDefaultTimeout, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { readSnapshot } from '#db/backup/dump.ts';
import { askImpatiently, connection, database, unprepared } from '#db/client.ts';
import { hasCode, isPassing, isUnreachable } from '#db/database-errors.ts';
import { call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { untilSomebodyWaits } from '#tests/kit/lock-waits.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { makeArticle } from '#tests/kit/make.ts';

setDefaultTimeout(120_000);

const own = useDatabase();

test('who waits for a lock that is not given back is told to come again, after five seconds', async () => {
  const article = await makeArticle({ rewrites: { en: 'Title' } });
  const operator = postgres(own.url, { max: 1, onnotice: () => {} });
  try {
    await operator.begin(async (tx) => {
      await tx`lock table articles in access exclusive mode`;
      const log = recordLog();
      const began = performance.now();
      const answer = await call(`/api/articles/${article}`);
      log.stop();
      expect([answer.status, answer.json]).toEqual([
        503,
        { error: 'The service is temporarily unavailable.', code: 'unavailable' },
      ]);
      expect(performance.now() - began).toBeGreaterThan(4_500);
      // By the limit for locks, which the next test reads, and not by that for statements, which is three times as long.
      expect(log.text()).toContain('55P03');
    });
    expect((await call(`/api/articles/${article}`)).status).toBe(200);
  } finally {
    await operator.end();
  }
});

test('both pools bound how long a statement, a lock and an idle transaction may take', async () => {
  for (const db of [database(), unprepared()]) {
    const [row] = await db.execute<Record<string, string>>(sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`);
    expect(row).toEqual({ statement: '15s', lock: '5s', idle: '30s' });
  }
});

test('a backup waits for a migration, whatever its role has set', async () => {
  const operator = postgres(own.url, { max: 1, onnotice: () => {} });
  const name = new URL(own.url).pathname.slice(1);
  await operator.unsafe(`alter database "${name}" set lock_timeout = '100ms'`);
  try {
    const reading = await operator.begin(async (tx) => {
      await tx`lock table articles in access exclusive mode`;
      const reading = readSnapshot(own.url, async ({ tables }) => tables.length);
      reading.catch(() => {});
      await untilSomebodyWaits({ words: 'lock table' });
      await tx`select pg_sleep(0.5)`;
      return { reading };
    });
    expect(await reading.reading).toBeGreaterThan(10);
  } finally {
    await operator.unsafe(`alter database "${name}" reset lock_timeout`);
    await operator.end();
  }
});

test('a statement with too few values is a fault of ours, and no pooler or lost database', async () => {
  for (const ask of [
    async () => connection().unsafe('select $1::int + $2::int', [1], { prepare: true }),
    async () => askImpatiently('select $1::int + $2::int', [1]),
  ]) {
    const error: unknown = await ask().catch((refused: unknown) => refused);
    expect(hasCode(error, (code) => code === '08P01')).toBe(true);
    expect([isUnreachable(error), isPassing(error)]).toEqual([false, false]);
  }
});
