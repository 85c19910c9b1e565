import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { articles } from '../schema/articles.ts';
import { stars } from '../schema/stars.ts';
import { type Executor, execute } from '../sql.ts';

/** Whether there is a star or an article: the demo world is filled in only where there is neither. */
export async function hasContent(db: Executor = database()): Promise<boolean> {
  const [row] = await execute(
    { found: sql<boolean>`exists (select from ${stars}) or exists (select from ${articles})` },
    (columns) => sql`select ${columns}`,
    db,
  );
  return row?.found ?? false;
}
