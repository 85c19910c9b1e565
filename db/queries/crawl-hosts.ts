import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

/**
 * Takes the next turn at a host, whichever process asks: turns are at least `delay` milliseconds apart. A turn that is
 * further away than `maxWait` is not taken.
 * @returns milliseconds to wait, or when to ask again
 */
export async function takeTurn(
  host: string,
  delay: number,
  maxWait: number,
): Promise<{ wait: number } | { again: Date }> {
  await database().execute(
    sql`insert into crawl_hosts (host, next_at) values (${host}, now()) on conflict do nothing`,
  );
  const [row] = await database().execute<{ wait: number }>(sql`
    update crawl_hosts set next_at = greatest(next_at, now()) + ${delay} * interval '1 millisecond'
    where host = ${host} and next_at <= now() + ${maxWait} * interval '1 millisecond'
    returning (extract(epoch from (next_at - now())) * 1000 - ${delay})::float as wait`);
  if (row) return { wait: Math.max(0, row.wait) };
  const [taken] = await database().execute<{ nextAt: Date }>(
    sql`select next_at as "nextAt" from crawl_hosts where host = ${host}`,
  );
  return { again: new Date(taken?.nextAt ?? Date.now()) };
}

/** The robots.txt of an origin as it was within the last day, undefined when it must be asked for. */
export async function findRobots(origin: string): Promise<string | undefined> {
  const [row] = await database().execute<{ robots: string | null }>(
    sql`select robots from crawl_hosts where host = ${origin} and robots_at > now() - interval '1 day'`,
  );
  return row?.robots ?? undefined;
}

export async function saveRobots(origin: string, robots: string): Promise<void> {
  await database().execute(sql`
    insert into crawl_hosts (host, robots, robots_at) values (${origin}, ${robots}, now())
    on conflict (host) do update set robots = excluded.robots, robots_at = excluded.robots_at`);
}
