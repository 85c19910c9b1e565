import { callApi } from '../../client/api.ts';
import type { Intent } from './DecisionDialog.tsx';

/** One event by its own call, several by the bulk call (§7). */
export async function sendDecision(
  { verification, items }: Intent,
  notes: string,
): Promise<{ decided: Result[]; alreadyDecided: number }> {
  const [firstItem] = items;
  // §5: empty notes and reasons are left out.
  const answer =
    firstItem && items.length === 1
      ? await sendOne(firstItem.id, verification, notes)
      : await sendMany(
          items.map(({ id }) => id),
          verification,
          notes,
        );
  const decided = answer.filter(({ success }) => success);
  return { decided, alreadyDecided: answer.length - decided.length };
}

/** A decision about an event by its entry in the audit log; null where that has none. */
export interface Decision {
  id: number;
  decision?: number | null | undefined;
}

type Result = Decision & { success: boolean };

/**
 * Takes decisions back, the newest first: several may have changed the same event, where a later one stands in the way of those before.
 * @returns whether all of them were
 */
export async function undoDecisions(decisions: readonly Decision[]): Promise<boolean> {
  let isDone = true;
  for (const { id, decision } of [...decisions].sort((a, b) => (b.decision ?? 0) - (a.decision ?? 0))) {
    const undone = await callApi('post', '/api/admin/events/:id/verify/undo', {
      params: { id },
      body: decision === undefined ? {} : { decision },
    }).catch(() => undefined);
    isDone &&= undone !== undefined;
  }
  return isDone;
}

async function sendOne(id: number, verification: Intent['verification'], notes: string): Promise<Result[]> {
  const params = { id };
  const answer =
    verification === 'approved'
      ? await callApi('post', '/api/admin/events/:id/verify/approve', {
          params,
          body: notes ? { notes } : {},
        })
      : await callApi('post', '/api/admin/events/:id/verify/reject', {
          params,
          body: notes ? { reason: notes } : {},
        });
  return [{ ...answer, success: true }];
}

async function sendMany(
  eventIds: number[],
  verification: Intent['verification'],
  notes: string,
): Promise<Result[]> {
  const { results } =
    verification === 'approved'
      ? await callApi('post', '/api/admin/events/verify/bulk-approve', {
          body: { eventIds, ...(notes ? { notes } : {}) },
        })
      : await callApi('post', '/api/admin/events/verify/bulk-reject', {
          body: { eventIds, ...(notes ? { reason: notes } : {}) },
        });
  return results;
}
