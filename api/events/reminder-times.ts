import { minutesBeforeStart, reminderRules } from '#content/reminders.ts';
import { BadInput } from '../errors.ts';

const pattern = new RegExp(reminderRules.pattern);

/** Minutes of a time such as `1d`; undefined when it is none or beyond the bounds. */
export function reminderMinutes(time: string): number | undefined {
  if (!pattern.test(time)) return undefined;
  const minutes = minutesBeforeStart(time);
  return minutes >= reminderRules.latest && minutes <= reminderRules.earliest ? minutes : undefined;
}

/**
 * The times of a subscription as they are stored: each moment once, in the order sent. An empty list is no reminders.
 * @throws BadInput
 */
export function readReminderTimes(times: readonly string[]): string[] {
  const byMinutes = new Map<number, string>();
  for (const time of times) {
    const minutes = reminderMinutes(time);
    if (minutes === undefined) {
      throw new BadInput(
        'notificationSettings.times',
        'Must be times from 5m to 4w before the start, such as 15m, 1h, 1d or 1w.',
        'reminder_time',
      );
    }
    if (!byMinutes.has(minutes)) byMinutes.set(minutes, time);
  }
  if (byMinutes.size > reminderRules.most) {
    throw new BadInput(
      'notificationSettings.times',
      `Must be at most ${reminderRules.most} times.`,
      'too_many_reminders',
    );
  }
  return [...byMinutes.values()];
}
