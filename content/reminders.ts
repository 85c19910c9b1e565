/** When fans are reminded of events. Modules of the browser import single names of it. */

/** The times of a new subscription (§9). */
export const defaultReminders = ['1d', '1h'] as const;

const minutesOfUnit: Record<string, number> = { m: 1, h: 60, d: 1440, w: 7 * 1440 };

/** Minutes before the start of a well-formed time such as `15m`, `1h`, `1d` or `1w`. */
export function minutesBeforeStart(time: string): number {
  return Number(time.slice(0, -1)) * (minutesOfUnit[time.slice(-1)] ?? Number.NaN);
}

/** Days and weeks are those of the event's own zone. */
export const reminderRules = {
  pattern: '^[1-9][0-9]{0,2}[mhdw]$',
  /** minutes */
  earliest: minutesBeforeStart('4w'),
  latest: minutesBeforeStart('5m'),
  most: 5,
  /** What the screens offer; calls may name others. */
  offered: ['1w', '3d', '1d', '3h', '1h', '15m'],
} as const;
