import { expect, setDefaultTimeout, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { database, unprepared } from '#db/client.ts';
import { call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle } from '#tests/kit/make.ts';

setDefaultTimeout(120_000);

const own = useDatabase();

test('who waits for a lock that is not given back is told to come again, after five seconds', async () => {
  const article = await makeArticle({ rewrites: { en: 'Title' } });
  const operator = postgres(own.url, { max: 1, onnotice: () => {} });
  try {
    await operator.begin(async (tx) => {
      await tx`lock table articles in access exclusive mode`;
      const began = performance.now();
      const answer = await call(`/api/articles/${article}`);
      expect([answer.status, answer.json]).toEqual([
        503,
        { error: 'The service is temporarily unavailable.', code: 'unavailable' },
      ]);
      expect(performance.now() - began).toBeWithin(4_500, 9_000);
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
