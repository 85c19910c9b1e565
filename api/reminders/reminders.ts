import { log } from '#db/log.ts';
import { deleteGonePushSubscription, listPushSubscriptions } from '#db/queries/push.ts';
import {
  type DueReminder,
  deleteReminder,
  handleNextChange,
  markSent,
  markSkipped,
  recordDelivery,
  retryLater,
  takeDueReminders,
} from '#db/queries/reminders/reminders.ts';
import { MailNotSent, sendMail } from '../mail/mail.ts';
import { type PushOutcome, sendPush } from '../push/send.ts';
import { judgeChange, judgeReminder, retryDelayAfter, type SkipReason } from './judge.ts';
import { letterOf, messageOf, noticeOf } from './message.ts';

/** How many are sent at once; each may take the 20 s of a slow mail server and must end within the lease of two minutes. */
const batchSize = 5;

type Result = 'sent' | 'later' | SkipReason;

/**
 * Plans what changed events ask for and sends every reminder that is due. Any number of processes may do so at once: a row
 * is taken by one of them (api/reminders/README.md says what a crash can and cannot do).
 * @param signal stop soon: what was not begun comes again
 * @returns how many reminders were settled
 */
export async function sendDueReminders(signal?: AbortSignal): Promise<number> {
  let settledCount = 0;
  while (!signal?.aborted && (await handleNextChange((change) => judgeChange(change, new Date()))));
  while (!signal?.aborted) {
    const batch = await takeDueReminders(batchSize);
    if (batch.length === 0) break;
    await Promise.all(batch.map(settle));
    settledCount += batch.length;
  }
  return settledCount;
}

async function settle(reminder: DueReminder): Promise<void> {
  const result = await attempt(reminder);
  if (result === 'sent') return markSent(reminder);
  if (result === 'unsubscribed') return deleteReminder(reminder);
  if (result !== 'later') return markSkipped(reminder, result);
  const wait = retryDelayAfter(reminder.attempts);
  return wait === undefined ? markSkipped(reminder, 'failed') : retryLater(reminder, wait);
}

/** Whatever is wrong with one reminder must not keep the others waiting. */
async function attempt(reminder: DueReminder): Promise<Result> {
  const now = new Date();
  try {
    return (
      judgeReminder(reminder, now) ??
      (reminder.channel === 'email' ? await mail(reminder, now) : await push(reminder, now))
    );
  } catch (error) {
    log.error({ err: error, reminder: reminder.id }, 'a reminder could not be sent');
    return 'later';
  }
}

async function mail(reminder: DueReminder, now: Date): Promise<Result> {
  const message = messageOf(reminder, now);
  try {
    await sendMail({
      to: reminder.email ?? '',
      account: reminder.userId,
      key: message.key,
      ...letterOf(reminder, message),
    });
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    return error.permanent ? 'refused' : 'later';
  }
}

/** Every browser of the account once; those that have it already are left alone when a try is repeated. */
async function push(reminder: DueReminder, now: Date): Promise<Result> {
  const message = messageOf(reminder, now);
  const ttl = Math.max(600, (reminder.overAt.getTime() - now.getTime()) / 1000);
  const browsers = await listPushSubscriptions(reminder.userId);
  const outcomes = await Promise.all(
    browsers
      .filter(({ id }) => !reminder.devices.includes(id))
      .map(async ({ id, ...target }): Promise<PushOutcome> => {
        const outcome = await sendPush(target, noticeOf(reminder, message), { ttl, key: message.key });
        if (outcome === 'delivered') await recordDelivery(reminder, id);
        if (outcome === 'gone') await deleteGonePushSubscription(id);
        return outcome;
      }),
  );
  if (outcomes.includes('later') && retryDelayAfter(reminder.attempts) !== undefined) return 'later';
  if (outcomes.includes('delivered') || reminder.devices.length > 0) return 'sent';
  if (outcomes.includes('later')) return 'failed';
  return outcomes.includes('refused') ? 'refused' : 'no_device';
}
