import { log } from '#db/log.ts';
import { deleteGonePushSubscription, listPushSubscriptions } from '#db/queries/push.ts';
import {
  type DueReminder,
  deleteReminder,
  giveBack,
  handleChanges,
  listChangedEvents,
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

/** People whose reminders are sent at once. */
const peopleAtOnce = { email: 5, push: 20 } as const;
type Channel = keyof typeof peopleAtOnce;
/** Milliseconds of a sweep in which repeats are begun: the next sweep, a minute later, has to plan changes and to look at both channels. */
const repeatsTime = 45_000;
/** Milliseconds for which what is due goes in its order, repeats too, once no first try waits; then first tries are looked for again. */
const mixedTime = 1000;
/** Milliseconds after which the rest of what was taken for one person is given back: a slow mail server takes 20 s more, and the lease ends after two minutes. */
const longestTurn = 60_000;
/** Seconds until the rest of a person's comes again after one that could not be sent. */
const restAfterFailure = 60;

type Result = 'sent' | 'later' | SkipReason;

/**
 * Plans what changed events ask for and sends every reminder that is due. Any number of processes may do so at once: a row
 * is taken by one of them (api/reminders/README.md says what a crash can and cannot do).
 * @param signal stop soon: what was not begun comes again
 * @returns how many reminders were settled
 */
export async function sendDueReminders(signal?: AbortSignal): Promise<number> {
  await planChanges(signal);
  const counts = await Promise.all([sendByChannel('email', signal), sendByChannel('push', signal)]);
  return counts.reduce((sum, count) => sum + count);
}

/** An event whose changes cannot be handled must not keep all others waiting: it is tried again with the next sweep. */
async function planChanges(signal?: AbortSignal): Promise<void> {
  for (const event of await listChangedEvents()) {
    if (signal?.aborted) return;
    try {
      await handleChanges(event, (change) => judgeChange(change, new Date()));
    } catch (error) {
      log.error({ err: error, event }, 'the changes of an event could not be handled');
    }
  }
}

/**
 * One person's go one after the other, so that what hangs holds up nobody else's. Repeats begin where no first try waits for the turn:
 * a push service is whatever a browser named, and one that says nothing must leave room for others.
 */
async function sendByChannel(channel: Channel, signal?: AbortSignal): Promise<number> {
  const turns = new Map<number, Promise<void>>();
  const repeatsEnd = Date.now() + repeatsTime;
  let mixedEnd = 0;
  let settledCount = 0;
  while (!signal?.aborted) {
    const limit = peopleAtOnce[channel] - turns.size;
    const except = [...turns.keys()];
    const withRepeats = Date.now() < mixedEnd;
    const taken = limit > 0 ? await takeDueReminders(channel, { limit, except, withRepeats }) : [];
    for (const [person, own] of Map.groupBy(taken, ({ userId }) => userId)) {
      const turn = settleInTurn(own, signal).then((count) => {
        settledCount += count;
        turns.delete(person);
      });
      turns.set(person, turn);
    }
    if (!withRepeats && taken.length < limit && Date.now() < repeatsEnd) {
      mixedEnd = Math.min(Date.now() + mixedTime, repeatsEnd);
      continue;
    }
    // Whose turn ended meanwhile may have more that is due.
    if (taken.length > 0 || turns.size < except.length) continue;
    if (turns.size === 0) break;
    await Promise.race(turns.values());
  }
  await Promise.all(turns.values());
  return settledCount;
}

/** @returns how many of one person's reminders were settled; the rest is given back */
async function settleInTurn(own: readonly DueReminder[], signal?: AbortSignal): Promise<number> {
  const end = Date.now() + longestTurn;
  for (const [index, reminder] of own.entries()) {
    const result = await settle(reminder);
    const rest = own.slice(index + 1);
    if (rest.length > 0 && (result === 'later' || signal?.aborted || Date.now() > end)) {
      await giveBack(rest, result === 'later' ? restAfterFailure : 0);
      return index + 1;
    }
  }
  return own.length;
}

async function settle(reminder: DueReminder): Promise<Result> {
  const result = await attempt(reminder);
  const wait = result === 'later' ? retryDelayAfter(reminder.attempts) : undefined;
  if (result === 'sent') await markSent(reminder);
  else if (result === 'unsubscribed') await deleteReminder(reminder);
  else if (wait !== undefined) await retryLater(reminder, wait);
  else await markSkipped(reminder, result === 'later' ? 'failed' : result);
  return result;
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
