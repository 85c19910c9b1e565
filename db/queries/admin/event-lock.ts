import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../client.ts';
import { eventStars, events, type Verification } from '../../schema/events.ts';
import { derived, jsonArray, type RowOf, selectValue } from '../../sql.ts';
import { e } from '../events/fields.ts';
import { versionOf } from './version.ts';

const primary = derived('star_of_event', { id: e.primaryStarId });
const linked = derived('star_of_event', { id: eventStars.starId });

/** Ids of all stars of `events e`. */
export const starIdsOfEvent = selectValue(
  jsonArray(linked.fields.id, { distinct: true }),
  sql`from (select ${primary.columns} where ${e.primaryStarId} is not null
    union select ${linked.columns} from ${eventStars} where ${eventStars.eventId} = ${e.id}) ${linked.name}`,
);

/** What a decision came to for one event. */
export type EventDecision =
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

const lockedFields = {
  verification: e.verification,
  version: versionOf(e.updatedAt),
  sequence: e.sequence,
  mergedIntoId: e.mergedIntoId,
  starIds: starIdsOfEvent,
};

/** An event that nobody else can change before the transaction ends. */
type LockedEvent = RowOf<typeof lockedFields>;

/** The event as it is once nobody else can change it before the transaction ends. */
export async function lockEvent(tx: Transaction, id: number): Promise<LockedEvent | undefined> {
  // Stars are read by a statement of its own, which sees what changed while this one waited.
  await tx.select({ id: events.id }).from(events).where(eq(events.id, id)).for('update');
  const [event] = await tx.select(lockedFields).from(e).where(eq(e.id, id));
  return event;
}
