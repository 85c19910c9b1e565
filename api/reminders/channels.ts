import { listPushSubscriptions } from '#db/queries/push.ts';
import { readUser } from '../accounts/accounts.ts';
import type { ReminderChannels } from '../events/subscription-model.ts';
import { judgeAddress } from './judge.ts';

/**
 * By which channels a reminder would reach a person now (§3 Event subscription): what `judge.ts` will find when one is due, so
 * that nobody waits for what cannot come.
 */
export async function readReminderChannels(userId: number): Promise<ReminderChannels> {
  const [{ email, emailVerified }, browsers] = await Promise.all([
    readUser(userId),
    listPushSubscriptions(userId),
  ]);
  return {
    email: judgeAddress({ email, isVerified: emailVerified }) ?? 'ready',
    push: browsers.length > 0 ? 'ready' : 'no_device',
  };
}
