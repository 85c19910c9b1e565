import { sql } from 'drizzle-orm';
import { articles } from '../../schema/articles.ts';
import { stars } from '../../schema/stars.ts';
import { execute, selectValue } from '../../sql.ts';

const count = sql<number>`count(*)::int`;

/** How much there is: public articles and stars. One statement. */
export async function countContent(): Promise<{ totalArticles: number; totalStars: number }> {
  const [counts] = await execute(
    {
      totalArticles: selectValue(count, sql`from ${articles} where ${articles.withdrawnAt} is null`),
      totalStars: selectValue(count, sql`from ${stars}`),
    },
    (columns) => sql`select ${columns}`,
  );
  return counts ?? { totalArticles: 0, totalStars: 0 };
}
