import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import type { Verification } from '../schema/events.ts';
import { intArray } from '../statement.ts';
import { type Executor, recordDecision, recordDecisions } from './audit.ts';
import { type Decided, lockEvent, starIdsOfEvent } from './event-lock.ts';
import { type MergeDetails, mergeUpdates, takeBackMerge } from './event-merge.ts';

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
): Promise<Decided[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return database().transaction(async (tx) => {
    const merged = verification === 'approved' ? await mergeUpdates(tx, ids, actorId, notes) : [];
    const rows = await tx.execute<{ id: number; starIds: number[] }>(sql`
      with waiting as materialized (
        select id from events where id = any(${intArray(ids)}) and verification = 'pending' order by id for update)
      update events e set verification = ${verification}, decided_at = now(), decided_by = ${actorId},
        decision_notes = ${notes}, updated_at = now()
      from waiting where e.id = waiting.id and e.verification = 'pending'
      returning e.id, ${starIdsOfEvent} as "starIds"`);
    const changed = [...rows].sort((a, b) => a.id - b.id);
    const action = verification === 'approved' ? 'event.approve' : 'event.reject';
    const entries = await recordDecisions(
      tx,
      changed.map(({ id }) => ({ actorId, action, subject: 'event', subjectId: id, notes })),
    );
    const done = new Map<number, Decided>([
      ...merged.map((each) => [each.id, each] as const),
      ...changed.map(
        (row, index) => [row.id, { ...row, decision: entries[index] ?? 0, done: true }] as const,
      ),
    ]);
    const others = ids.filter((id) => !done.has(id));
    const states = await statesOf(tx, others);
    return ids.map((id): Decided => done.get(id) ?? { id, done: false, verification: states.get(id) });
  });
}

async function statesOf(tx: Executor, ids: readonly number[]): Promise<Map<number, Verification>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.execute<{ id: number; verification: Verification }>(
    sql`select id, verification from events where id = any(${intArray(ids)})`,
  );
  return new Map(rows.map(({ id, verification }) => [id, verification]));
}

const undoable = ['event.approve', 'event.reject', 'event.merge'] as const;

/**
 * Takes a decision back: the event waits again. Only the newest decision about it can be undone.
 * @param decision its entry in the audit log; without one, whichever is the newest
 */
export function undoDecision(id: number, actorId: number, decision?: number): Promise<Decided> {
  return database().transaction(async (tx): Promise<Decided> => {
    await tx.execute(sql`select from events
      where id in (${id}, (select merged_into_id from events where id = ${id})) order by id for update`);
    const event = await lockEvent(tx, id);
    const refused = { id, done: false, verification: event?.verification } as const;
    if (!event || event.verification === 'pending') return refused;
    const [last] = await tx.execute<{ id: number; action: string; details: MergeDetails | null }>(sql`
      select id, action, details from audit_log where subject = 'event' and subject_id = ${id}
        and action in (${sql.join(
          undoable.map((action) => sql`${action}`),
          sql`, `,
        )}) order by id desc limit 1`);
    if (decision !== undefined && last?.id !== decision) return refused;
    const merge = last?.action === 'event.merge' ? last.details : null;
    if (merge && !(await takeBackMerge(tx, merge))) return refused;
    await tx.execute(sql`update events set verification = 'pending', decided_at = null, decided_by = null,
      decision_notes = null, merged_into_id = null, updated_at = now() where id = ${id}`);
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
