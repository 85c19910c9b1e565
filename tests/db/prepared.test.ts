import { expect, test } from 'bun:test';
import { eq, sql } from 'drizzle-orm';
import { database } from '#db/client.ts';
import {
  articleCards,
  contractArticles,
  listArticles,
  listRelatedArticles,
} from '#db/queries/articles/articles.ts';
import { users } from '#db/schema/accounts.ts';
import { useDatabase } from '#tests/kit/database.ts';

useDatabase();

/** Asks more often than the pool has connections; @returns how many statements with `mark` the one that answers then holds. */
async function preparedWith(mark: string, ask: () => PromiseLike<unknown>): Promise<number> {
  for (let times = 0; times < 40; times += 1) await ask();
  const [row] = await database().execute<{ n: number }>(
    sql`select count(*)::int as n from pg_prepared_statements where position(${mark} in statement) > 0
      and statement not like '%pg_prepared%'`,
  );
  return row?.n ?? 0;
}

test('what Drizzle asks is prepared, built or written as SQL: PostgreSQL parses it once per connection', async () => {
  const built = () => database().select().from(users).where(eq(users.id, 1));
  expect(await preparedWith('"users"."id" =', built)).toBe(1);
  const askByHand = () => database().execute(sql`select 'by hand' as way, ${1}::int as n`);
  expect(await preparedWith('by hand', askByHand)).toBe(1);
});

test('a client that asks for every number of rows and stars does not make the database keep a plan for each', async () => {
  const ids = Array.from({ length: 100 }, (_, n) => n + 1);
  for (const limit of ids) {
    await listArticles(articleCards, { language: 'ko', limit, offset: limit });
    await listArticles(articleCards, { language: 'ko', limit, offset: 0, starIds: ids.slice(0, limit) });
    await listRelatedArticles(contractArticles, 1, 'ko', limit, ids.slice(0, limit));
  }
  const [row] = await database().$client<{ n: number }[]>`
    select count(*)::int as n from pg_prepared_statements where statement like '%page as materialized%'`;
  expect(row?.n).toBeWithin(1, 40);
});
