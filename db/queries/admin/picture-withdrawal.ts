import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { database } from '../../client.ts';
import { pictures } from '../../schema/media.ts';
import { recordDecision } from './audit.ts';
import { isUpload } from './pictures.ts';

/** Uploaded pictures that are taken down, for a while or for good. */

const p = pictures;

/** Takes a picture down, and notes why. @returns false: no upload of this id is shown */
export function withdrawUpload(id: number, reason: string | null, actorId: number): Promise<boolean> {
  return database().transaction(async (tx) => {
    const [withdrawn] = await tx
      .update(p)
      .set({ withdrawnAt: sql`now()`, withdrawalReason: reason, updatedAt: sql`now()` })
      .where(and(eq(p.id, id), isUpload, isNull(p.withdrawnAt)))
      .returning({ id: p.id });
    if (!withdrawn) return false;
    await recordDecision(tx, {
      actorId,
      action: 'picture.withdraw',
      subject: 'picture',
      subjectId: id,
      notes: reason,
    });
    return true;
  });
}

/** Brings a picture back that was withdrawn not longer ago than `days`, and notes it. @returns false: there is none */
export function restoreUpload(id: number, days: number, actorId: number): Promise<boolean> {
  return database().transaction(async (tx) => {
    const [restored] = await tx
      .update(p)
      .set({ withdrawnAt: null, withdrawalReason: null, updatedAt: sql`now()` })
      .where(and(eq(p.id, id), isUpload, sql`${p.withdrawnAt} > now() - make_interval(days => ${days})`))
      .returning({ id: p.id });
    if (!restored) return false;
    await recordDecision(tx, { actorId, action: 'picture.restore', subject: 'picture', subjectId: id });
    return true;
  });
}

const isFinallyWithdrawn = (days: number) =>
  and(isUpload, lt(p.withdrawnAt, sql`now() - make_interval(days => ${days})`));

/** Keys of uploads that were withdrawn longer ago than `days`, the newest withdrawal first. */
export async function listFinallyWithdrawn(days: number): Promise<string[]> {
  const rows = await database()
    .select({ key: p.key })
    .from(p)
    .where(isFinallyWithdrawn(days))
    .orderBy(desc(p.withdrawnAt), desc(p.id));
  return rows.map(({ key }) => key);
}

/**
 * Does `work` if an upload was withdrawn longer ago than `days`; who takes it in again meanwhile waits for that as long as for any lock,
 * five seconds, and is then told to try again.
 */
export function whileFinallyWithdrawn(key: string, days: number, work: () => Promise<void>): Promise<void> {
  return database().transaction(async (tx) => {
    const [locked] = await tx
      .select({ id: p.id })
      .from(p)
      .where(and(eq(p.key, key), isFinallyWithdrawn(days)))
      .for('update');
    if (!locked) return;
    // A bucket may take longer to delete than a transaction may rest otherwise.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '100s'`);
    await work();
  });
}
