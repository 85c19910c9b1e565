import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

export interface Window {
  /** Calls in the running window, this one included. */
  count: number;
  /** Seconds until the window ends, at least 1. */
  seconds: number;
}

/**
 * Counts one call in the window of `seconds` that runs now, by the database's clock, so that every process counts
 * together (decision S7). One statement; exact under races.
 */
export async function countCall(key: string, seconds: number): Promise<Window> {
  const [row] = await database().execute<{ count: number; seconds: number }>(sql`
    insert into rate_limits as r (key, window_start)
    values (${key}, to_timestamp(floor(extract(epoch from now()) / ${seconds}::int) * ${seconds}::int))
    on conflict (key, window_start) do update set count = r.count + 1
    returning count, greatest(1, ceil(extract(epoch from window_start - now()) + ${seconds}::int))::int as seconds`);
  return row ?? { count: 1, seconds };
}

/** Forgets windows that began more than `hours` ago. */
export async function deleteOldWindows(hours: number): Promise<void> {
  await database().execute(
    sql`delete from rate_limits where window_start < now() - make_interval(hours => ${hours}::int)`,
  );
}
