import { reminderMinutes } from '#api/events/reminder-times.ts';
import { reminderRules } from '#content/reminders.ts';
import type { T } from '../../i18n/words.ts';

/** `1d` as `1 day before`; one of the notices as what it tells. */
export function timeWords(t: T, time: string): string {
  const count = Number(time.slice(0, -1));
  switch (time) {
    case 'moved':
    case 'cancelled':
    case 'restored':
      return t(`reminders:kind_${time}`);
    default:
  }
  switch (time.slice(-1)) {
    case 'm':
      return t('reminders:minutesBefore', { count });
    case 'h':
      return t('reminders:hoursBefore', { count });
    case 'd':
      return t('reminders:daysBefore', { count });
    default:
      return t('reminders:weeksBefore', { count });
  }
}

/** The times to choose from: what is offered, and what a subscription has besides, the earliest first. */
export function reminderChoices(subscribed: readonly string[]): string[] {
  const times = [...new Set<string>([...reminderRules.offered, ...subscribed])];
  return times.sort((a, b) => (reminderMinutes(b) ?? 0) - (reminderMinutes(a) ?? 0));
}
