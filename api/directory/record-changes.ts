import type { Transaction } from '#db/client.ts';
import { type AuditAction, recordDecisions } from '#db/queries/admin/audit.ts';
import { findStarDocuments, type StoredDocument } from '#db/queries/directory/document.ts';
import { addRevisions } from '#db/queries/directory/revisions.ts';

/** A change of a star that is written, and still to be recorded. */
export interface StarChange {
  starId: number;
  /** Who caused it; null: nobody who has an account. */
  actorId: number | null;
  action: AuditAction;
  /** Undefined for a new star. */
  before: StoredDocument | undefined;
  /** Fields by their paths, such as `words.ko.name`. */
  changedFields: readonly string[];
}

/** Keeps the revisions of these stars as they are now, each once, and notes in the audit log who changed them. */
export async function recordChanges(tx: Transaction, changes: readonly StarChange[]): Promise<void> {
  const stars = await findStarDocuments(
    changes.map(({ starId }) => starId),
    tx,
  );
  const documents = new Map(stars.map(({ id, document }) => [id, document]));
  await addRevisions(
    tx,
    changes.map(({ starId, actorId, action, before }) => {
      return { starId, actorId, action, before, document: documents.get(starId) };
    }),
  );
  await recordDecisions(
    tx,
    changes.map(({ starId, actorId, action, before, changedFields }) => {
      const details = before ? { fields: changedFields } : undefined;
      return { actorId, action, subject: 'star', subjectId: starId, details };
    }),
  );
}
