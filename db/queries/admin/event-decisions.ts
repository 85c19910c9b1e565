import { asc, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import { auditLog } from '../../schema/accounts.ts';
import { events, type Verification } from '../../schema/events.ts';
import { execute, isOneOf, nameOf } from '../../sql.ts';
import { e, notDecided } from '../events/fields.ts';
import { isDecisionAbout, recordDecision, recordDecisions } from './audit.ts';
import { type EventDecision, lockEvent, starIdsOfEvent } from './event-lock.ts';
import { type MergeDetails, mergeUpdates, undoMerge } from './event-merge.ts';

/**
 * Approves or rejects events that wait, each once, whoever else decides at the same moment (decision E8, quality §Safe
 * 13): the rows are locked in the order of their ids, so that two such calls cannot wait for each other. Approving an
 * update of a public event merges it into that one, which `mergedInto` tells.
 */
export function decideEvents(
  ids: readonly number[],
  actorId: number,
  verification: 'approved' | 'rejected',
  notes: string | null,
): Promise<EventDecision[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return database().transaction(async (tx) => {
    const merged = verification === 'approved' ? await mergeUpdates(tx, ids, actorId, notes) : [];
    const rows = await execute(
      { id: e.id, starIds: starIdsOfEvent },
      (columns) => sql`
        with waiting as materialized (
          select ${events.id} as waiting_id from ${events} where ${isOneOf(events.id, ids)} and ${events.verification} = 'pending'
          order by ${events.id} for update)
        update ${events} ${e} set ${nameOf(e.verification)} = ${verification}, ${nameOf(e.decidedAt)} = now(),
          ${nameOf(e.decidedBy)} = ${actorId}, ${nameOf(e.decisionNotes)} = ${notes}, ${nameOf(e.updatedAt)} = now()
        from waiting where ${e.id} = waiting_id and ${e.verification} = 'pending'
        returning ${columns}`,
      tx,
    );
    const changed = rows.sort((a, b) => a.id - b.id);
    const action = verification === 'approved' ? 'event.approve' : 'event.reject';
    const entries = await recordDecisions(
      tx,
      changed.map(({ id }) => ({ actorId, action, subject: 'event', subjectId: id, notes })),
    );
    const outcomes = new Map<number, EventDecision>([
      ...merged.map((each) => [each.id, each] as const),
      ...changed.map(
        (row, index) => [row.id, { ...row, decision: entries[index] ?? 0, done: true }] as const,
      ),
    ]);
    const others = ids.filter((id) => !outcomes.has(id));
    const states = await statesOf(tx, others);
    return ids.map(
      (id): EventDecision => outcomes.get(id) ?? { id, done: false, verification: states.get(id) },
    );
  });
}

async function statesOf(tx: Transaction, ids: readonly number[]): Promise<Map<number, Verification>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: events.id, verification: events.verification })
    .from(events)
    .where(isOneOf(events.id, ids));
  return new Map(rows.map(({ id, verification }) => [id, verification]));
}

/**
 * Takes a decision back: the event waits again. Only the newest decision about it can be undone.
 * @param decision its entry in the audit log; null: the log has none; undefined: whichever is the newest
 */
export function undoDecision(id: number, actorId: number, decision?: number | null): Promise<EventDecision> {
  return database().transaction(async (tx): Promise<EventDecision> => {
    const mergedInto = tx.select({ id: e.mergedIntoId }).from(e).where(eq(e.id, id));
    await tx
      .select({ id: events.id })
      .from(events)
      .where(or(eq(events.id, id), inArray(events.id, mergedInto)))
      .orderBy(asc(events.id))
      .for('update');
    const event = await lockEvent(tx, id);
    const refused = { id, done: false, verification: event?.verification } as const;
    if (!event || event.verification === 'pending') return refused;
    const [last] = await tx
      .select({
        id: auditLog.id,
        action: auditLog.action,
        details: sql<MergeDetails | null>`${auditLog.details}`,
      })
      .from(auditLog)
      .where(isDecisionAbout(id))
      .orderBy(desc(auditLog.id))
      .limit(1);
    if (decision !== undefined && (last?.id ?? null) !== decision) return refused;
    const merge = last?.action === 'event.merge' ? last.details : null;
    // What it changed of the known event stands in the audit log alone, which is not kept for ever.
    if (event.mergedIntoId !== null && !merge) return refused;
    if (merge && !(await undoMerge(tx, merge))) return refused;
    await tx
      .update(events)
      .set({
        verification: 'pending',
        ...notDecided,
        mergedIntoId: null,
        updatedAt: sql`now()`,
      })
      .where(eq(events.id, id));
    const entry = await recordDecision(tx, {
      actorId,
      action: 'event.undo',
      subject: 'event',
      subjectId: id,
      details: { of: last?.id ?? null, was: event.verification },
    });
    const into = merge ? { mergedInto: merge.into } : {};
    return { id, done: true, decision: entry, starIds: event.starIds, ...into };
  });
}
