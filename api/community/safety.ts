import { blockUser, listBlocked, reportMessage, unblockUser } from '#db/queries/community/safety.ts';
import { readText } from '../admin/text.ts';
import { Conflict, NotFound } from '../errors.ts';
import { type BlockedUsers, maxNoteLength, type NewReport } from './model.ts';

/**
 * Asks the moderators to look at a message; once per person, a repeat changes nothing.
 * @throws NotFound, Conflict `own_message`
 */
export async function report(
  starId: number,
  messageId: number,
  reporterId: number,
  { reason, details }: NewReport,
): Promise<void> {
  const outcome = await reportMessage(starId, messageId, {
    reporterId,
    reason,
    details: readText(details, 'details', maxNoteLength),
  });
  if (outcome === 'missing') throw new NotFound('Message');
  if (outcome === 'own') throw new Conflict('own_message', 'This is your own message: you can delete it.');
}

/** Whom an account has blocked, the last first. */
export async function readBlocked(userId: number): Promise<BlockedUsers> {
  const rows = await listBlocked(userId);
  return { users: rows.map((row) => ({ ...row, blockedAt: row.blockedAt.toISOString() })) };
}

/**
 * Hides somebody's messages from an account, or shows them again. A repeat changes nothing.
 * @throws NotFound, Conflict `own_account` or `too_many`
 */
export async function setBlock(userId: number, otherId: number, blocked: boolean): Promise<void> {
  if (!blocked) return unblockUser(userId, otherId);
  if (userId === otherId) throw new Conflict('own_account', 'You cannot block yourself.');
  const outcome = await blockUser(userId, otherId);
  if (outcome === 'missing') throw new NotFound('User');
  if (outcome === 'too_many') throw new Conflict('too_many', 'You have blocked as many people as one can.');
}
