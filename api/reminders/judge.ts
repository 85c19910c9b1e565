import type { ChangeOutcome, ChangeRow, DueReminder } from '#db/queries/reminders/reminders.ts';

/** Tries before a reminder that cannot be delivered is given up, and the seconds between them. */
const retryDelays = [60, 5 * 60, 15 * 60, 60 * 60, 3 * 60 * 60] as const;

/** Why a reminder is not sent; the words are `reminders:reason_…`. */
export type SkipReason =
  | 'past'
  | 'moved'
  | 'cancelled'
  | 'withdrawn'
  | 'late'
  | 'overtaken'
  | 'unsubscribed'
  | 'no_address'
  | 'unverified'
  | 'no_device'
  | 'refused'
  | 'failed';

/**
 * What subscribers are told of a change: only what is about the future, and only what differs from what they know. An
 * event that was moved and moved back before anybody was told is planned anew without a word.
 */
export function judgeChange(change: ChangeRow, now: Date): ChangeOutcome {
  const { oldStart, oldPrecision, oldState, oldVerification, start, precision, state, verification } = change;
  if (verification !== 'approved') return { notice: undefined, reason: 'withdrawn' };
  const reason = state === 'cancelled' ? 'cancelled' : 'moved';
  const isOver = oldStart <= now && start <= now;
  if (isOver || oldVerification !== 'approved') return { notice: undefined, reason };
  if (state !== oldState) return { notice: state === 'cancelled' ? 'cancelled' : 'restored', reason };
  const isMoved = start.getTime() !== oldStart.getTime() || precision !== oldPrecision;
  return { notice: isMoved && state === 'scheduled' ? 'moved' : undefined, reason };
}

/** Why no e-mail reaches a person; undefined: it does. */
export function judgeAddress({
  email,
  isVerified,
}: Pick<DueReminder, 'email' | 'isVerified'>): 'no_address' | 'unverified' | undefined {
  if (!email) return 'no_address';
  return isVerified ? undefined : 'unverified';
}

/** Why a reminder that is due must not be sent, in the light of what is true now; undefined: send it. */
export function judgeReminder(reminder: DueReminder, now: Date): SkipReason | undefined {
  const isNotice = reminder.oldStart !== null;
  if (!reminder.isWanted) return 'unsubscribed';
  if (reminder.verification !== 'approved') return 'withdrawn';
  if (reminder.version !== reminder.currentVersion)
    return reminder.state === 'cancelled' ? 'cancelled' : 'moved';
  if (!isNotice && reminder.state === 'cancelled') return 'cancelled';
  if (!isNotice && now >= reminder.startTime) return 'late';
  if (reminder.isOvertaken) return 'overtaken';
  const addressProblem = reminder.channel === 'email' ? judgeAddress(reminder) : undefined;
  if (addressProblem) return addressProblem;
  return reminder.attempts > retryDelays.length + 1 ? 'failed' : undefined;
}

/** Seconds until a try that failed is repeated; undefined when it was the last. */
export function retryDelayAfter(attempts: number): number | undefined {
  return retryDelays[attempts - 1];
}
