import { and, eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { database } from '../../client.ts';
import { crawlHosts } from '../../schema/newsroom.ts';

/**
 * Takes the next turn at a host, whichever process asks: turns are at least `delay` milliseconds apart. A turn that is
 * further away than `maxWait` is not taken.
 * @returns milliseconds to wait, or when to ask again
 */
export async function takeTurn(
  host: string,
  delay: number,
  maxWait: number,
): Promise<{ wait: number } | { retryAt: Date }> {
  const { nextAt } = crawlHosts;
  await database().insert(crawlHosts).values({ host, nextAt: sql`now()` }).onConflictDoNothing();
  const [turn] = await database()
    .update(crawlHosts)
    .set({ nextAt: sql`greatest(${nextAt}, now()) + ${delay} * interval '1 millisecond'` })
    .where(and(eq(crawlHosts.host, host), sql`${nextAt} <= now() + ${maxWait} * interval '1 millisecond'`))
    .returning({ wait: sql<number>`(extract(epoch from (${nextAt} - now())) * 1000 - ${delay})::float` });
  if (turn) return { wait: Math.max(0, turn.wait) };
  const [current] = await database().select({ nextAt }).from(crawlHosts).where(eq(crawlHosts.host, host));
  return { retryAt: current?.nextAt ?? new Date() };
}

/** The robots.txt of an origin as it was within the last day, undefined when it must be asked for. */
export async function findRobots(origin: string): Promise<string | undefined> {
  const [row] = await database()
    .select({ robots: crawlHosts.robots })
    .from(crawlHosts)
    .where(and(eq(crawlHosts.host, origin), sql`${crawlHosts.robotsAt} > now() - interval '1 day'`));
  return row?.robots ?? undefined;
}

export async function saveRobots(origin: string, robots: string): Promise<void> {
  const state = { robots, robotsAt: sql`now()` } satisfies PgUpdateSetSource<typeof crawlHosts>;
  await database()
    .insert(crawlHosts)
    .values({ host: origin, ...state })
    .onConflictDoUpdate({ target: crawlHosts.host, set: state });
}
