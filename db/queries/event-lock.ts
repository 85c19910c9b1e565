import { sql } from 'drizzle-orm';
import type { Verification } from '../schema/events.ts';
import type { Executor } from './audit.ts';

/** Ids of all stars of `events e`. */
export const starIdsOfEvent = sql`(select coalesce(json_agg(distinct star_id), '[]'::json) from (
  select e.primary_star_id as star_id where e.primary_star_id is not null
  union select es.star_id from event_stars es where es.event_id = e.id) s)`;

/** What a decision came to for one event. */
export type Decided =
  | {
      id: number;
      done: true;
      decision: number;
      starIds: number[];
      /** The known event that took its news over. */
      mergedInto?: number;
    }
  /** It was not in the state that the decision needs: which it is in; undefined: there is no such event. */
  | { id: number; done: false; verification: Verification | undefined };

/** An event that nobody else can change before the transaction ends. */
export interface Locked {
  verification: Verification;
  sequence: number;
  starIds: number[];
}

/** The event as it is once nobody else can change it before the transaction ends. */
export async function lockEvent(tx: Executor, id: number): Promise<Locked | undefined> {
  await tx.execute(sql`select from events where id = ${id} for update`);
  const [row] = await tx.execute<Record<string, unknown> & Locked>(
    sql`select e.verification, e.sequence, ${starIdsOfEvent} as "starIds" from events e where e.id = ${id}`,
  );
  return row;
}
