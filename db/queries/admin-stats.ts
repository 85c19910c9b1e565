import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

/** How much there is: public articles and stars. */
export async function countContent(): Promise<{ totalArticles: number; totalStars: number }> {
  const [row] = await database().execute<{ totalArticles: number; totalStars: number }>(sql`
    select (select count(*)::int from articles where withdrawn_at is null) as "totalArticles",
      (select count(*)::int from stars) as "totalStars"`);
  return row ?? { totalArticles: 0, totalStars: 0 };
}
