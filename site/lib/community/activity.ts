const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something happened, as the last-activity label of §9 says it; `date`: say the date. */
type Activity =
  | { unit: 'justNow' | 'date' }
  | { unit: 'minutesAgo' | 'hoursAgo' | 'daysAgo'; number: number };

/** Just now, minutes, hours under 24, days under 7, else a date. The future counts as now. */
export function activityOf(date: Date, now: Date): Activity {
  const age = now.getTime() - date.getTime();
  if (age < minute) return { unit: 'justNow' };
  if (age < hour) return { unit: 'minutesAgo', number: Math.floor(age / minute) };
  if (age < day) return { unit: 'hoursAgo', number: Math.floor(age / hour) };
  if (age < 7 * day) return { unit: 'daysAgo', number: Math.floor(age / day) };
  return { unit: 'date' };
}
